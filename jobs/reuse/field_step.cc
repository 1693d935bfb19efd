#include "jobs/reuse/field_step.h"

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/extract/extractor.h"
#include "core/html/parser.h"
#include "core/monitor/field_test.h"
#include "core/rule/rule_index.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/page/page_version.h"
#include "jobs/reuse/fields_table.h"
#include "jobs/reuse/names.h"
#include "jobs/reuse/overlap_table.h"
#include "jobs/reuse/repairs_table.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// Which pages are looked at, and what travels.
//
// A page of the new crawl is placed among the new clusters and goes through the
// rules that its cluster may get; one of the old crawl is placed among the old
// clusters and goes through its own rule, if its cluster has URLs in common
// with a new cluster that has a rule to test. What travels, by URL, is what was
// extracted. The reducer of a URL compares the latest old version with the
// latest new one and counts; a few pages of each test are kept, chosen by the
// hash of the URL: what passed, as bellwethers, and what was extracted before,
// should the rule have to be repaired.
//
// The content of a page is not read where its URL does not match the pattern of
// any cluster that has something to test. Costs a page its signature and, in
// such a cluster, its parsing and one run of each rule, of which there are
// mostly one and never more than kMaxCandidates.

namespace trommel {
namespace {

constexpr char kName[] = "reuse-fields";
constexpr char kOverlapSideData[] = "overlap";
constexpr char kRepairsSideData[] = "repairs";

// Which rules are tested.
struct FieldRound {
  bool is_of_repaired = false;

  void Define(cli::Flags* flags) {
    flags->Bool("repaired", &is_of_repaired, "repaired rules, not candidates");
  }
};

enum Input { kNewCrawl, kOldCrawl };

// What a sort key begins with.
constexpr char kOld = 0;
constexpr char kNew = 1;

constexpr uint64_t kPagesSeed = 0x62656C6C77657468;  // differs from other uses
// Held by a reducer before they are written: a test has up to a hundred pages,
// that is some tens of kilobytes.
constexpr size_t kMaxTests = 1024;

// A rule to be tested on a new cluster.
struct TestedRule {
  std::string old_cluster_id;
  const proto::Rule* rule = nullptr;
};

// What is tested in this round. Refers to itself; stays where it was made.
struct TestPlan {
  std::unique_ptr<ReusePlan> plan;
  std::map<std::string, Repair> repairs;
  std::map<std::string, std::vector<TestedRule>> tests;  // by new cluster
  // Old clusters with URLs in common with these.
  std::set<std::string> old_clusters;

  static absl::StatusOr<std::unique_ptr<TestPlan>> OfTask(
      const mr::TaskContext& context);
};

absl::StatusOr<std::unique_ptr<TestPlan>> TestPlan::OfTask(
    const mr::TaskContext& context) {
  auto tested = std::make_unique<TestPlan>();
  TROMMEL_ASSIGN_OR_RETURN(const ReuseFiles files, ReuseFiles::OfTask(context));
  TROMMEL_ASSIGN_OR_RETURN(const std::string overlap_path,
                           context.SideDataPath(kOverlapSideData));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path overlap,
                           io::ResolvePath(overlap_path));
  TROMMEL_ASSIGN_OR_RETURN(tested->plan, ReusePlan::Read(files, overlap));
  TROMMEL_ASSIGN_OR_RETURN(const auto round,
                           cli::ReadSettings<FieldRound>(context));
  if (round.is_of_repaired) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string repairs_path,
                             context.SideDataPath(kRepairsSideData));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path repairs,
                             io::ResolvePath(repairs_path));
    TROMMEL_ASSIGN_OR_RETURN(tested->repairs, ReadRepairs(repairs));
    for (const auto& [cluster_id, repair] : tested->repairs) {
      if (!repair.rule.has_value()) continue;
      tested->tests[cluster_id].push_back(
          {repair.old_cluster_id, &*repair.rule});
    }
  } else {
    for (const auto& [cluster_id, cluster] : tested->plan->clusters()) {
      for (const Candidate& candidate : cluster.candidates) {
        const std::string& old_cluster_id =
            cluster.old[candidate.old_cluster].cluster_id;
        tested->tests[cluster_id].push_back(
            {old_cluster_id, tested->plan->RuleOf(old_cluster_id)});
      }
    }
  }
  for (const auto& [cluster_id, tests] : tested->tests) {
    for (const OldCluster& old : tested->plan->clusters().at(cluster_id).old) {
      if (old.shared_urls > 0) tested->old_clusters.insert(old.cluster_id);
    }
  }
  return tested;
}

// What a rule extracts, as it travels: the values, and the names of attributes
// that not their first alternative found.
void AppendValues(const proto::Schema& schema, const PageRecord& record,
                  std::string* out) {
  proto::Bellwether page, unsure;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const auto& values = record.attributes[static_cast<size_t>(i)].values;
    if (values.empty()) continue;
    proto::Values* const golden = page.add_golden();
    golden->set_attribute(schema.attribute(i).name());
    for (const std::string& value : values) golden->add_value(value);
    if (record.attributes[static_cast<size_t>(i)].alternative > 0) {
      unsure.add_golden()->set_attribute(schema.attribute(i).name());
    }
  }
  mr::AppendOrderedBytes(page.SerializeAsString(), out);
  mr::AppendOrderedBytes(unsure.SerializeAsString(), out);
}

struct TravelledValues {
  proto::Bellwether page;
  std::set<std::string> unsure;
};

bool ConsumeValues(std::string_view* in, TravelledValues* values) {
  std::string page, names;
  proto::Bellwether unsure;
  if (!mr::ConsumeOrderedBytes(in, &page) ||
      !mr::ConsumeOrderedBytes(in, &names) ||
      !values->page.ParseFromString(page) || !unsure.ParseFromString(names)) {
    return false;
  }
  for (const proto::Values& attribute : unsure.golden()) {
    values->unsure.insert(attribute.attribute());
  }
  return true;
}

class FieldMapper final : public mr::Mapper {
 public:
  FieldMapper(std::unique_ptr<TestPlan> tested, RuleIndex new_index,
              RuleIndex old_index, const PageFlags& page)
      : tested_(std::move(tested)),
        new_index_(std::move(new_index)),
        old_index_(std::move(old_index)),
        max_page_bytes_(page.max_page_bytes),
        parser_(page.MakeParser()),
        signer_(tested_->plan->shingle_length()) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    TROMMEL_ASSIGN_OR_RETURN(const std::string cluster_id,
                             ClusterOf(input, page));
    if (cluster_id.empty()) return absl::OkStatus();
    std::string value;
    mr::AppendOrderedBytes(cluster_id, &value);
    if (input == kNewCrawl) {
      if (!Parse(page, out)) return absl::OkStatus();
      for (const TestedRule& test : tested_->tests.at(cluster_id)) {
        mr::AppendOrderedBytes(test.old_cluster_id, &value);
        TROMMEL_RETURN_IF_ERROR(Extract(*test.rule, page, &value));
      }
      out->Count(kPagesTested);
    } else if (const proto::Rule* const rule =
                   tested_->plan->RuleOf(cluster_id)) {
      if (!Parse(page, out)) return absl::OkStatus();
      TROMMEL_RETURN_IF_ERROR(Extract(*rule, page, &value));
    }
    std::string key(1, input == kNewCrawl ? kNew : kOld);
    PageVersion::Of(page).AppendTo(&key);
    return out->Emit(page.url, key, value);
  }

  bool NeedsDeferred(int input, const io::Row& row) override {
    const std::string_view url = layout_.Page(row).url;
    const absl::StatusOr<const SiteRules*> site = FindSite(input, url);
    if (!site.ok()) return true;  // Map() reports it
    return *site != nullptr && MayBeTested(input, **site, url);
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), tested_->plan->site_rule().SiteOf(url)};
  }

 private:
  RuleIndex& IndexOf(int input) {
    return input == kNewCrawl ? new_index_ : old_index_;
  }
  absl::StatusOr<const SiteRules*> FindSite(int input, std::string_view url) {
    return IndexOf(input).Find(tested_->plan->site_rule().SiteOf(url));
  }
  bool IsTested(int input, size_t place) {
    const std::string& id =
        IndexOf(input).rules().rule(static_cast<int>(place)).cluster_id();
    return input == kNewCrawl ? tested_->tests.count(id) > 0
                              : tested_->old_clusters.count(id) > 0;
  }
  // Leaves the clusters that may take the URL in urls_match_.
  bool MayBeTested(int input, const SiteRules& site, std::string_view url) {
    site.MatchUrl(url, &url_matches_);
    for (const size_t place : url_matches_) {
      if (IsTested(input, place)) return true;
    }
    return false;
  }

  // The cluster of a page, if there is something to test in it; else empty.
  absl::StatusOr<std::string> ClusterOf(int input, const io::CrawlPage& page) {
    TROMMEL_ASSIGN_OR_RETURN(const SiteRules* const site,
                             FindSite(input, page.url));
    if (site == nullptr || !MayBeTested(input, *site, page.url) ||
        WhyRejected(page, max_page_bytes_).has_value()) {
      return std::string();
    }
    const std::optional<PageSignature> signature =
        signer_.Sign(page.content, page.charset);
    if (!signature.has_value()) return std::string();
    const std::optional<RuleMatch> match =
        site->Match(*signature, url_matches_);
    if (!match.has_value() || !IsTested(input, match->rule)) {
      return std::string();
    }
    return IndexOf(input)
        .rules()
        .rule(static_cast<int>(match->rule))
        .cluster_id();
  }

  bool Parse(const io::CrawlPage& page, mr::MapOutput* out) {
    if (parser_->ParsePage(page.content, page.charset, &document_) ==
        html::ParseOutcome::kOk) {
      return true;
    }
    out->Count(kPagesUnparsed);
    return false;
  }

  absl::Status Extract(const proto::Rule& rule, const io::CrawlPage& page,
                       std::string* value) {
    std::unique_ptr<RuleExtractor>& extractor = extractors_[&rule];
    if (extractor == nullptr) {
      TROMMEL_ASSIGN_OR_RETURN(RuleExtractor compiled,
                               RuleExtractor::Compile(rule));
      extractor = std::make_unique<RuleExtractor>(std::move(compiled));
    }
    AppendValues(rule.schema(), extractor->Extract(document_, page.url), value);
    return absl::OkStatus();
  }

  const std::unique_ptr<TestPlan> tested_;
  RuleIndex new_index_;
  RuleIndex old_index_;
  const int64_t max_page_bytes_;
  const std::unique_ptr<html::Parser> parser_;
  PageSigner signer_;
  io::CrawlLayout layout_;
  std::map<const proto::Rule*, std::unique_ptr<RuleExtractor>> extractors_;

  // Of the page.
  std::vector<size_t> url_matches_;
  html::Document document_;
};

class FieldReducer final : public mr::Reducer {
 public:
  explicit FieldReducer(std::unique_ptr<TestPlan> tested)
      : tested_(std::move(tested)) {}

  absl::Status Reduce(std::string_view url, mr::Values* values,
                      mr::TaskOutput* out) override {
    std::optional<std::string> before, now;  // of the latest versions
    while (values->Next()) {
      const std::string_view key = values->sort_key();
      if (key.empty()) return absl::DataLossError("a page without its key");
      std::optional<std::string>& side = key[0] == kOld ? before : now;
      if (!side.has_value()) side.emplace(values->value());
    }
    if (!now.has_value()) return absl::OkStatus();
    TROMMEL_RETURN_IF_ERROR(Compare(url, before, *now));
    return results_.counts.size() < kMaxTests ? absl::OkStatus() : Finish(out);
  }

  absl::Status Finish(mr::TaskOutput* out) override {
    if (results_.counts.empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const fields, out->Table(0));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const pages, out->Table(1));
    return results_.Write(fields, pages);
  }

 private:
  absl::Status Compare(std::string_view url,
                       const std::optional<std::string>& before,
                       std::string_view now) {
    std::string old_cluster_id, cluster_id;
    std::optional<TravelledValues> golden;
    if (before.has_value()) {
      std::string_view value = *before;
      if (!mr::ConsumeOrderedBytes(&value, &old_cluster_id) ||
          (!value.empty() && !ConsumeValues(&value, &golden.emplace()))) {
        return absl::DataLossError("an old page is cut off");
      }
    }
    if (!mr::ConsumeOrderedBytes(&now, &cluster_id)) {
      return absl::DataLossError("a new page is cut off");
    }
    std::string text;  // tables and messages hold text only
    AppendUtf8Lossy(url, &text);
    if (golden.has_value()) golden->page.set_url(text);
    while (!now.empty()) {
      std::string tested_id;
      TravelledValues fresh;
      if (!mr::ConsumeOrderedBytes(&now, &tested_id) ||
          !ConsumeValues(&now, &fresh)) {
        return absl::DataLossError("a new page is cut off");
      }
      const proto::Rule* const rule = tested_->plan->RuleOf(tested_id);
      if (rule == nullptr) {
        return absl::InternalError(StrCat("no rule for cluster ", tested_id));
      }
      fresh.page.set_url(text);
      const FieldTests::Key key(cluster_id, tested_id);
      if (before.has_value()) {
        AddShared(rule->schema(), key, old_cluster_id, golden, fresh.page);
      } else {
        AddUnshared(rule->schema(), key, fresh.page);
      }
    }
    return absl::OkStatus();
  }

  static int64_t HashOf(const proto::Bellwether& page) {
    return static_cast<int64_t>(Hash64(page.url(), kPagesSeed) >> 1);
  }

  void AddShared(const proto::Schema& schema, const FieldTests::Key& key,
                 const std::string& old_cluster_id,
                 const std::optional<TravelledValues>& golden,
                 const proto::Bellwether& fresh) {
    std::optional<GoldenRecord> record;
    if (golden.has_value()) {
      record.emplace();
      record->values = GoldenValues(schema, golden->page);
      record->unsure = golden->unsure;
    }
    if (results_.counts[key].AddShared(schema, record,
                                       GoldenValues(schema, fresh))) {
      results_.passed[key].Add(HashOf(fresh), fresh, kMaxFreshPages);
    }
    // The rule's own pages, should it have to be repaired.
    if (record.has_value() && old_cluster_id == key.second &&
        IsRecord(schema, record->values)) {
      results_.golden[key].Add(HashOf(fresh), golden->page, kMaxGoldenPages);
    }
  }

  void AddUnshared(const proto::Schema& schema, const FieldTests::Key& key,
                   const proto::Bellwether& fresh) {
    const FieldValues values = GoldenValues(schema, fresh);
    results_.counts[key].AddUnshared(schema, values);
    if (IsRecord(schema, values)) {
      results_.complete[key].Add(HashOf(fresh), fresh, kMaxFreshPages);
    }
  }

  const std::unique_ptr<TestPlan> tested_;
  FieldTests results_;
};

class FieldStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto round,
                             cli::ReadSettings<FieldRound>(context));
    const bool is_first = !round.is_of_repaired;
    return std::vector<mr::OutputTable>{
        {is_first ? kFieldsTable : kRepairedFieldsTable, FieldsSchema(), {}},
        {is_first ? kPagesTable : kRepairedPagesTable,
         FieldPagesSchema(),
         {"page"}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<TestPlan> tested,
                             TestPlan::OfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(RuleIndex new_index, tested->plan->NewIndex());
    TROMMEL_ASSIGN_OR_RETURN(RuleIndex old_index, tested->plan->OldIndex());
    return std::make_unique<FieldMapper>(
        std::move(tested), std::move(new_index), std::move(old_index), page);
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<TestPlan> tested,
                             TestPlan::OfTask(context));
    return std::make_unique<FieldReducer>(std::move(tested));
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeFieldStep() {
  return std::make_unique<FieldStep>();
}

mr::StepSpec FieldSpec(const ReuseFiles& files,
                       const std::vector<std::string>& new_crawls,
                       const std::vector<std::string>& old_crawls,
                       bool is_of_repaired, const PageFlags& page,
                       int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {CrawlWithDeferredContent(new_crawls),
                 CrawlWithDeferredContent(old_crawls)};
  files.AddTo(&spec);
  spec.side_data.push_back({kOverlapSideData, /*path=*/"", kOverlapTable});
  cli::AddSettings(FieldRound{is_of_repaired}, &spec);
  if (is_of_repaired) {
    spec.side_data.push_back({kRepairsSideData, /*path=*/"", kRepairsTable});
  }
  cli::AddSettings(page, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel
