#ifndef TROMMEL_TESTS_JOBS_MONITOR_MONITOR_WEB_H_
#define TROMMEL_TESTS_JOBS_MONITOR_MONITOR_WEB_H_

// Small shops with rules that have bellwethers, and how they change.

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "core/rule/rule.h"
#include "mapreduce/io/path.h"
#include "tests/jobs/extract/cluster_rules.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::testing_support {

using nlohmann::json;

inline constexpr int kProducts = 24;
inline constexpr int kBellwethers = 10;

inline std::string Url(const std::string& site, int i) {
  return StrCat("http://", site, "/p/", i);
}

// What a product page says, and how.
struct Design {
  std::string name_class = "name";
  std::string name_prefix = "Gadget ";  // before the number
  bool is_new = false;                  // another design altogether
  bool is_wrapped = false;              // more around the same content
  int day = 1;                          // of the price
};

inline std::string ProductHtml(const Design& design, int i, size_t filler = 0) {
  const std::string name = StrCat("<h1 class=", design.name_class, ">",
                                  design.name_prefix, i, "</h1>");
  const std::string price =
      StrCat("<em class=price>$", 100 * design.day + i, ".50</em>");
  std::string html = "<html><head><title>Shop</title></head><body>";
  if (design.is_new) {
    StrAppend(&html, "<header><nav><b>Menu</b></nav></header><main><article>",
              "<h2>Gadget ", i, "</h2><dl><dt>Costs</dt><dd>", i,
              "</dd></dl><figure><i>Picture</i></figure></article></main>");
  } else if (design.is_wrapped) {
    StrAppend(&html,
              "<header><nav><b>Menu</b></nav></header><main><article><dl><dt>"
              "<s>Old</s></dt></dl><figure><i>Picture</i></figure>",
              name, price, "</article><aside><u>More</u></aside></main>");
  } else {
    StrAppend(&html,
              "<div id=nav><ul><li><a>Home</a></li><li><a>Help</a></li></ul>"
              "</div><div class=product>",
              name,
              "<table><tr><th>Maker</th><td><b>ACME</b></td></tr></table>"
              "<form><select><option>1</option></select></form><p>",
              price, "</p></div>");
  }
  StrAppend(&html, "<address>Imprint</address><!--", std::string(filler, 'x'),
            "--></body></html>");
  return html;
}

inline std::string ArticleHtml(int i) {
  return StrCat(
      "<html><head><title>Shop</title></head><body><section><h2>Story ", i,
      "</h2><blockquote><i>Said</i></blockquote><dl><dt>By</dt><dd>Ann</dd>"
      "</dl><pre></pre><ol><li>a</li><li>b</li></ol></section></body></html>");
}

// All tables but those of records, as text.
inline const std::vector<io::ColumnRequest>& RuleColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"cluster_id", io::ColumnType::kBytes},
      {"rule_id", io::ColumnType::kBytes},
      {"schema", io::ColumnType::kBytes},
      {"bellwethers", io::ColumnType::kInt64},
      {"present", io::ColumnType::kInt64},
      {"absent", io::ColumnType::kInt64},
      {"placed_by_signature", io::ColumnType::kInt64},
      {"placed_by_sketch", io::ColumnType::kInt64},
      {"signature_changed", io::ColumnType::kInt64},
      {"null_extraction", io::ColumnType::kInt64},
      {"wrong_extraction", io::ColumnType::kInt64},
      {"failed", io::ColumnType::kInt64},
      {"saved_by_fields", io::ColumnType::kInt64},
      {"verdict", io::ColumnType::kBytes},
      {"reasons", io::ColumnType::kBytesList}};
  return *columns;
}

inline const std::vector<io::ColumnRequest>& BellwetherColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"url", io::ColumnType::kBytes},
      {"outcome", io::ColumnType::kBytes},
      {"absent_reason", io::ColumnType::kBytes},
      {"fetch_time", io::ColumnType::kTimestamp},
      {"placed_by", io::ColumnType::kBytes},
      {"fields", io::ColumnType::kBytes},
      {"missing", io::ColumnType::kBytesList},
      {"wrong", io::ColumnType::kBytesList},
      {"golden.attribute", io::ColumnType::kBytesList},
      {"fresh.attribute", io::ColumnType::kBytesList}};
  return *columns;
}

inline const std::vector<io::ColumnRequest>& DriftColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"schema", io::ColumnType::kBytes},
      {"attribute", io::ColumnType::kBytes},
      {"records_before", io::ColumnType::kInt64},
      {"records_after", io::ColumnType::kInt64},
      {"filled_before", io::ColumnType::kInt64},
      {"filled_after", io::ColumnType::kInt64},
      {"lengths_after", io::ColumnType::kInt64List},
      {"state", io::ColumnType::kBytes},
      {"reasons", io::ColumnType::kBytesList}};
  return *columns;
}

class MonitorTest : public testing::Test {
 protected:
  MonitorTest() {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "name: 'shop' attribute { name: 'name' mandatory: true constant: true }"
        "attribute { name: 'price' }",
        &schema_));
  }

  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }

  // The pages of a site; `design_of` may leave some out.
  using DesignOf = std::function<std::optional<Design>(int)>;
  static void AddSite(const std::string& site, const DesignOf& design_of,
                      std::vector<Page>* pages, size_t filler = 0) {
    for (int i = 0; i < kProducts; ++i) {
      const std::optional<Design> design = design_of(i);
      if (!design.has_value()) continue;
      pages->push_back({Url(site, i), ProductHtml(*design, i, filler)});
      pages->push_back({StrCat("http://", site, "/a/", i), ArticleHtml(i)});
    }
  }

  // Clusters of the first day of some sites, and rules/ with a rule for the
  // products of each, watched by its first pages.
  void MakeRules(const std::vector<std::string>& sites) {
    std::vector<Page> pages;
    for (const std::string& site : sites) {
      AddSite(
          site, [](int) { return Design(); }, &pages);
    }
    WriteCrawl(temp_ / "day1", pages);
    const CommandResult result =
        RunTrommel({"cluster", Flag("crawl", "day1"), Flag("out", "clusters")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    ASSERT_TRUE(AddClusterRules(
                    *io::ResolvePath(temp_ / "clusters/clusters"), schema_,
                    {{"name", {"//h1[@class='name']/text()"}},
                     {"price", {"//em[@class='price']/text()"}}},
                    [](const jobs::tables::ClusterRow& cluster) {
                      return cluster.url_regex.find("/p/") != std::string::npos;
                    },
                    &rules_)
                    .ok());
    ASSERT_EQ(static_cast<size_t>(rules_.rule_size()), sites.size());
    rule::SortRules(&rules_);
    for (proto::Rule& rule : *rules_.mutable_rule()) {
      for (int i = 0; i < kBellwethers; ++i) {
        proto::PageRecords* const bellwether = rule.add_bellwether();
        bellwether->set_url(Url(rule.site(), i));
        AddGolden("name", StrCat("Gadget ", i), bellwether);
        AddGolden("price", StrCat("$", 100 + i, ".50"), bellwether);
      }
    }
    WriteRules();
  }
  void WriteRules() const {
    WriteWholeFile(temp_ / "rules/rules.binpb", rule::EncodeRules(rules_));
  }
  static void AddGolden(const std::string& attribute, const std::string& value,
                        proto::PageRecords* bellwether) {
    proto::Record* const record = bellwether->record_size() == 0
                                      ? bellwether->add_record()
                                      : bellwether->mutable_record(0);
    proto::AttributeValues* const values = record->add_attribute();
    values->set_name(attribute);
    values->add_value(value);
  }

  json Monitor(std::vector<std::string> flags, int exit_code = 0) const {
    flags.insert(flags.begin(), {"monitor", "--json", Flag("rules", "rules")});
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return result.exit_code == exit_code ? json::parse(result.out) : json();
  }
  json Monitor(const std::string& crawl, const std::string& out) const {
    return Monitor({Flag("crawl", crawl), Flag("out", out)});
  }
  std::string Failure(std::vector<std::string> flags, int exit_code = 1) const {
    flags.insert(flags.begin(), "monitor");
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, exit_code) << result.out;
    return result.err;
  }

  // Rows by site.
  std::map<std::string, TextRow> Rules(const std::string& out) const {
    std::map<std::string, TextRow> rows;
    for (TextRow& row : ReadTable(temp_ / (out + "/rules"), RuleColumns())) {
      const std::string site = row["site"];
      rows[site] = std::move(row);
    }
    return rows;
  }
  std::map<std::string, TextRow> Sites(const std::string& out) const {
    std::map<std::string, TextRow> rows;
    for (TextRow& row : ReadTable(temp_ / (out + "/sites"),
                                  {{"site", io::ColumnType::kBytes},
                                   {"verdict", io::ColumnType::kBytes},
                                   {"reasons", io::ColumnType::kBytesList}})) {
      const std::string site = row["site"];
      rows[site] = std::move(row);
    }
    return rows;
  }
  std::vector<TextRow> Bellwethers(const std::string& out) const {
    return ReadTable(temp_ / (out + "/bellwethers"), BellwetherColumns());
  }
  TextRow BellwetherOf(const std::string& out, const std::string& url) const {
    for (const TextRow& row : Bellwethers(out)) {
      if (row.at("url") == url) return row;
    }
    ADD_FAILURE() << url << " is not in " << out;
    return {};
  }
  std::vector<TextRow> Drift(const std::string& out) const {
    return ReadTable(temp_ / (out + "/drift"), DriftColumns());
  }

  proto::Schema schema_;
  proto::RuleSet rules_;
  TempDir temp_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_JOBS_MONITOR_MONITOR_WEB_H_
