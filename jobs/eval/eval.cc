#include "jobs/eval/eval.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/eval/score.h"
#include "core/schema/schema.h"
#include "core/url/url.h"
#include "jobs/eval/inputs.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

constexpr size_t kSitesInText = 200;

nlohmann::ordered_json Number(const std::optional<double>& value) {
  return value.has_value() ? nlohmann::ordered_json(*value)
                           : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json TallyJson(const Tally& tally) {
  return {{"precision", Number(tally.Precision())},
          {"recall", Number(tally.Recall())},
          {"f1", tally.F1()},
          {"right", tally.right},
          {"extracted", tally.extracted},
          {"true", tally.is_true}};
}

nlohmann::ordered_json FigureJson(const MeanFigure& figure) {
  return {{"precision", Number(figure.precision)},
          {"recall", figure.recall},
          {"f1", figure.f1}};
}

void AddMeans(const MeanScore& mean, nlohmann::ordered_json* json) {
  (*json)["strict"] = FigureJson(mean.strict);
  (*json)["page_hit"] = FigureJson(mean.page_hit);
  (*json)["value"] = FigureJson(mean.value);
}

// "0.9876", or a dash.
std::string Cell(const std::optional<double>& value) {
  return value.has_value() ? absl::StrFormat("%.4f", *value) : "-";
}

class EvalVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "eval"; }
  std::string_view summary() const override {
    return "compare records with the truth: precision, recall, F1";
  }
  std::string_view description() const override {
    return "For an attribute, a page has true values (--truth, JSON lines "
           "{\"url\":…,\"values\":\n{\"title\":[\"…\"],…}}; an attribute that "
           "is "
           "not there, or has no values, is absent) and\nextracted ones. White "
           "space is normalised in both; empty values do not count.\n"
           "  strict    a page is right when the extracted values are the true "
           "ones, as sets;\n            where the attribute is not repeated, "
           "when "
           "the one extracted value is among\n            the true ones\n"
           "  page hit  a page is right when any extracted value is true\n"
           "  value     counts values, not pages; a value is right when it is "
           "among the page's\n            true ones\n"
           "precision = right / pages with an extraction, recall = right / "
           "pages "
           "with a true value\n(of values: / extracted values, / true values), "
           "F1 "
           "= 2PR / (P + R). A value extracted\nwhere none is true costs "
           "precision; a page with neither counts nowhere; where nothing\nis "
           "extracted there is no precision (a dash), and F1 is 0.\n\n"
           "A site's figure is the mean over its attributes that have a true "
           "value "
           "on a scored page;\nthe overall figure is the mean over sites, an "
           "attribute's the mean over the sites that\nhave it. Means of "
           "precision "
           "leave out what has none. A site is what the records (and\ntheir "
           "rejects) say, for other pages the URL's host.\n\n"
           "Scored are the pages of the truth, but for those in --exclude. "
           "Records "
           "of other pages\nare counted and left out. On pages with several "
           "records each is scored as a page is\n(\"record\" of the truth "
           "against "
           "record_index). Where a page was extracted several\ntimes its "
           "latest "
           "version counts. Repeated are the attributes whose column is a "
           "list,\n"
           "or which --schema says are.";
  }
  std::string_view example() const override {
    return "trommel eval --records=records --truth=truth.jsonl "
           "--exclude=annotations.jsonl";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("records", &records_, "output of trommel extract").Required();
    flags->Texts("truth", &truth_files_, "true values (JSON lines)").Required();
    flags->Texts("exclude", &exclude_files_,
                 "annotations, whose pages are not scored (JSON lines)");
    flags->Text("schema", &schema_file_,
                "says which attributes are repeated (textproto); without it "
                "the records' columns do");
  }

  absl::StatusOr<cli::Report> Run() override {
    std::optional<proto::Schema> schema;
    if (!schema_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(schema, ReadSchemaFile(schema_file_));
    }
    Truth truth;
    for (const std::string& file : truth_files_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
      TROMMEL_RETURN_IF_ERROR(ReadTruth(path, &truth));
    }
    std::set<std::string> excluded;
    for (const std::string& file : exclude_files_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
      TROMMEL_RETURN_IF_ERROR(ReadAnnotatedUrls(path, &excluded));
    }
    std::set<std::string> attributes = truth.attributes;
    if (schema.has_value()) {
      for (const proto::Attribute& attribute : schema->attribute()) {
        attributes.insert(attribute.name());
      }
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path records, io::ResolvePath(records_));
    TROMMEL_ASSIGN_OR_RETURN(const ExtractedPages extraction,
                             ReadExtractedPages(records, truth, attributes));
    return MakeReport(truth, extraction, excluded, attributes,
                      schema.has_value() ? &*schema : nullptr);
  }

 private:
  struct Pages {
    int64_t scored = 0;
    int64_t excluded = 0;
    int64_t with_record = 0;  // of those scored
    std::map<std::string, int64_t> by_site;
  };

  static Scores Score(const Truth& truth, const ExtractedPages& extraction,
                      const std::set<std::string>& excluded,
                      const std::set<std::string>& attributes,
                      const proto::Schema* schema, Pages* pages) {
    static const PageValues& no_values = *new PageValues();
    static const ExtractedRecord& no_record = *new ExtractedRecord();
    static const ValueSet& no_value = *new ValueSet();
    Scores scores;
    for (const auto& [url, true_records] : truth.pages) {
      if (excluded.count(url) > 0) {
        ++pages->excluded;
        continue;
      }
      const auto known_site = extraction.sites.find(url);
      const std::string site = known_site == extraction.sites.end()
                                   ? SiteOf(url)
                                   : known_site->second;
      ++pages->scored;
      ++pages->by_site[site];
      // All records that are true or extracted.
      std::map<int64_t, std::pair<const PageValues*, const ExtractedRecord*>>
          both;
      for (const auto& [index, values] : true_records) {
        both[index] = {&values, &no_record};
      }
      if (const auto found = extraction.pages.find(url);
          found != extraction.pages.end()) {
        ++pages->with_record;
        for (const auto& [index, record] : found->second) {
          both.try_emplace(index, &no_values, &no_record).first->second.second =
              &record;
        }
      }
      const auto values_of = [](const PageValues& values,
                                const std::string& attribute) {
        const auto found = values.find(attribute);
        return found == values.end() ? &no_value : &found->second;
      };
      for (const auto& [index, pair] : both) {
        for (const std::string& attribute : attributes) {
          const proto::Attribute* const of_schema =
              schema == nullptr ? nullptr : FindAttribute(*schema, attribute);
          const bool is_repeated =
              of_schema != nullptr ? of_schema->repeated()
                                   : pair.second->repeated.count(attribute) > 0;
          const ValueSet& is_true = *values_of(*pair.first, attribute);
          const ValueSet& extracted =
              *values_of(pair.second->values, attribute);
          if (is_true.empty() && extracted.empty()) continue;
          scores.Add(site, attribute, extracted, is_true, is_repeated);
        }
      }
    }
    return scores;
  }

  cli::Report MakeReport(const Truth& truth, const ExtractedPages& extraction,
                         const std::set<std::string>& excluded,
                         const std::set<std::string>& attributes,
                         const proto::Schema* schema) const {
    Pages pages;
    const Scores scores =
        Score(truth, extraction, excluded, attributes, schema, &pages);
    const MeanScore overall = scores.Overall();
    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    json["pages"] = pages.scored;
    json["pages_with_record"] = pages.with_record;
    json["pages_excluded"] = pages.excluded;
    json["records_without_truth"] = extraction.records_without_truth;
    json["overall"] = {{"sites", overall.count}};
    AddMeans(overall, &json["overall"]);
    json["sites"] = nlohmann::ordered_json::array();
    for (const auto& [site, of_site] : scores.sites()) {
      nlohmann::ordered_json row;
      row["site"] = site;
      row["pages"] = pages.by_site[site];
      AddMeans(scores.OfSite(site), &row);
      row["attributes"] = nlohmann::ordered_json::array();
      for (const auto& [attribute, score] : of_site) {
        row["attributes"].push_back({{"attribute", attribute},
                                     {"occurs", score.occurs()},
                                     {"strict", TallyJson(score.strict)},
                                     {"page_hit", TallyJson(score.page_hit)},
                                     {"value", TallyJson(score.value)}});
      }
      json["sites"].push_back(std::move(row));
    }
    json["attributes"] = nlohmann::ordered_json::array();
    for (const std::string& attribute : attributes) {
      const MeanScore mean = scores.OfAttribute(attribute);
      if (mean.count == 0) continue;
      nlohmann::ordered_json row;
      row["attribute"] = attribute;
      row["sites"] = mean.count;
      AddMeans(mean, &row);
      json["attributes"].push_back(std::move(row));
    }
    report.text = Text(scores, attributes, pages, extraction);
    return report;
  }

  static std::string Text(const Scores& scores,
                          const std::set<std::string>& attributes,
                          const Pages& pages,
                          const ExtractedPages& extraction) {
    size_t width = 9;
    for (const auto& [site, of_site] : scores.sites()) {
      width = std::max(width, Printable(site).size());
    }
    size_t attribute_width = 9;
    for (const std::string& attribute : attributes) {
      attribute_width = std::max(attribute_width, attribute.size());
    }
    std::string text = absl::StrFormat(
        "%s scored, %d with a record; %d excluded; %s without truth\n",
        Counted(pages.scored, "page"), pages.with_record, pages.excluded,
        Counted(extraction.records_without_truth, "record"));
    absl::StrAppendFormat(&text, "%-*s %-*s %9s %9s %9s %9s %9s %7s %9s %7s\n",
                          static_cast<int>(width), "",
                          static_cast<int>(attribute_width), "", "strict F1",
                          "precision", "recall", "page hit", "value F1",
                          "right", "extracted", "true");
    const auto means = [&](const std::string& what, const std::string& which,
                           const MeanScore& mean) {
      absl::StrAppendFormat(
          &text, "%-*s %-*s %9.4f %9s %9.4f %9.4f %9.4f\n",
          static_cast<int>(width), what, static_cast<int>(attribute_width),
          which, mean.strict.f1, Cell(mean.strict.precision),
          mean.strict.recall, mean.page_hit.f1, mean.value.f1);
    };
    size_t num_shown = 0;
    for (const auto& [site, of_site] : scores.sites()) {
      if (num_shown++ == kSitesInText) break;
      const std::string shown = Printable(site);
      for (const auto& [attribute, score] : of_site) {
        absl::StrAppendFormat(
            &text, "%-*s %-*s %9.4f %9s %9s %9.4f %9.4f %7d %9d %7d\n",
            static_cast<int>(width), shown, static_cast<int>(attribute_width),
            attribute, score.strict.F1(), Cell(score.strict.Precision()),
            Cell(score.strict.Recall()), score.page_hit.F1(), score.value.F1(),
            score.strict.right, score.strict.extracted, score.strict.is_true);
      }
      means(shown, "(mean)", scores.OfSite(site));
    }
    if (scores.sites().size() > kSitesInText) {
      absl::StrAppendFormat(&text, "... and %d more sites; --json has all\n",
                            scores.sites().size() - kSitesInText);
    }
    for (const std::string& attribute : attributes) {
      const MeanScore mean = scores.OfAttribute(attribute);
      if (mean.count > 0) means("all sites", attribute, mean);
    }
    means("all sites", "(mean)", scores.Overall());
    return text;
  }

  std::string records_;
  std::vector<std::string> truth_files_;
  std::vector<std::string> exclude_files_;
  std::string schema_file_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeEvalVerb() {
  return std::make_unique<EvalVerb>();
}

}  // namespace trommel
