#include "jobs/reuse/field_step.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/record/record.h"
#include "core/rule/rule_index.h"
#include "jobs/cli/settings.h"
#include "jobs/page/crawl_input.h"
#include "jobs/page/page_version.h"
#include "jobs/reuse/fields_table.h"
#include "jobs/reuse/names.h"
#include "jobs/reuse/overlap_table.h"
#include "jobs/reuse/repairs_table.h"
#include "jobs/rule_runner/rule_runner.h"
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

namespace trommel::jobs::reuse_job {
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
      for (const reuse::Candidate& candidate : cluster.candidates) {
        const std::string& old_cluster_id =
            cluster.old[candidate.old_cluster].cluster_id;
        tested->tests[cluster_id].push_back(
            {old_cluster_id, tested->plan->RuleOf(old_cluster_id)});
      }
    }
  }
  for (const auto& [cluster_id, tests] : tested->tests) {
    for (const reuse::OldCluster& old :
         tested->plan->clusters().at(cluster_id).old) {
      if (old.shared_urls > 0) tested->old_clusters.insert(old.cluster_id);
    }
  }
  return tested;
}

class FieldMapper final : public mr::Mapper {
 public:
  FieldMapper(std::unique_ptr<TestPlan> tested,
              rule_runner::RuleRunner new_clusters,
              rule_runner::RuleRunner old_clusters)
      : tested_(std::move(tested)),
        runners_{std::move(new_clusters), std::move(old_clusters)} {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    TROMMEL_ASSIGN_OR_RETURN(const std::string cluster_id,
                             ClusterOf(input, page));
    if (cluster_id.empty()) return absl::OkStatus();
    std::string value;
    mr::AppendOrderedBytes(cluster_id, &value);
    if (input == kNewCrawl) {
      if (!Parse(input, page, out)) return absl::OkStatus();
      for (const TestedRule& test : tested_->tests.at(cluster_id)) {
        mr::AppendOrderedBytes(test.old_cluster_id, &value);
        TROMMEL_RETURN_IF_ERROR(Extract(input, *test.rule, page, &value));
      }
      out->Count(kPagesTested);
    } else if (const proto::Rule* const rule =
                   tested_->plan->RuleOf(cluster_id)) {
      if (!Parse(input, page, out)) return absl::OkStatus();
      TROMMEL_RETURN_IF_ERROR(Extract(input, *rule, page, &value));
    }
    std::string key(1, input == kNewCrawl ? kNew : kOld);
    page::PageVersion::Of(page).AppendTo(&key);
    return out->Emit(page.url, key, value);
  }

  bool NeedsDeferred(int input, const io::Row& row) override {
    const absl::StatusOr<bool> may_be_tested =
        MayBeTested(input, layout_.Page(row).url);
    return !may_be_tested.ok() || *may_be_tested;  // Map() reports it
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), tested_->plan->site_rule().SiteOf(url)};
  }

 private:
  bool IsTested(int input, size_t place) const {
    const std::string& id = runners_[input].rule(place).cluster_id();
    return input == kNewCrawl ? tested_->tests.count(id) > 0
                              : tested_->old_clusters.count(id) > 0;
  }

  // Whether one of the clusters that may take the URL has something to test.
  absl::StatusOr<bool> MayBeTested(int input, std::string_view url) {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<size_t>* const candidates,
                             runners_[input].MatchUrl(url));
    return std::any_of(candidates->begin(), candidates->end(),
                       [&](size_t place) { return IsTested(input, place); });
  }

  // The cluster of a page, if there is something to test in it; else empty.
  absl::StatusOr<std::string> ClusterOf(int input, const io::CrawlPage& page) {
    TROMMEL_ASSIGN_OR_RETURN(const bool may_be_tested,
                             MayBeTested(input, page.url));
    if (!may_be_tested) return std::string();
    TROMMEL_ASSIGN_OR_RETURN(const rule_runner::RuleEncounter met,
                             runners_[input].Meet(page));
    if (met.kind != rule_runner::RuleEncounter::Kind::kMet ||
        !IsTested(input, met.match.rule)) {
      return std::string();
    }
    return runners_[input].rule(met.match.rule).cluster_id();
  }

  bool Parse(int input, const io::CrawlPage& page, mr::MapOutput* out) {
    if (runners_[input].Parse(page) == html::ParseOutcome::kOk) return true;
    out->Count(kPagesUnparsed);
    return false;
  }

  // Appends what a rule extracts from the page that was parsed.
  absl::Status Extract(int input, const proto::Rule& rule,
                       const io::CrawlPage& page, std::string* value) {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
                             runners_[input].ExtractAll(rule, page.url));
    mr::AppendOrderedBytes(
        record::ToProto(rule.schema(), "", records).SerializeAsString(), value);
    return absl::OkStatus();
  }

  const std::unique_ptr<TestPlan> tested_;
  rule_runner::RuleRunner
      runners_[2];  // by input: the clusters as rules without programs
  io::CrawlLayout layout_;
};

bool ConsumeRecords(std::string_view* in, proto::PageRecords* records) {
  std::string bytes;
  return mr::ConsumeOrderedBytes(in, &bytes) && records->ParseFromString(bytes);
}

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
    std::optional<proto::PageRecords> golden;
    if (before.has_value()) {
      std::string_view value = *before;
      if (!mr::ConsumeOrderedBytes(&value, &old_cluster_id) ||
          (!value.empty() && !ConsumeRecords(&value, &golden.emplace()))) {
        return absl::DataLossError("an old page is cut off");
      }
    }
    if (!mr::ConsumeOrderedBytes(&now, &cluster_id)) {
      return absl::DataLossError("a new page is cut off");
    }
    std::string text;  // tables and messages hold text only
    AppendUtf8Lossy(url, &text);
    if (golden.has_value()) golden->set_url(text);
    while (!now.empty()) {
      std::string tested_id;
      proto::PageRecords fresh;
      if (!mr::ConsumeOrderedBytes(&now, &tested_id) ||
          !ConsumeRecords(&now, &fresh)) {
        return absl::DataLossError("a new page is cut off");
      }
      const proto::Rule* const rule = tested_->plan->RuleOf(tested_id);
      if (rule == nullptr) {
        return absl::InternalError(StrCat("no rule for cluster ", tested_id));
      }
      fresh.set_url(text);
      const FieldTests::Key key(cluster_id, tested_id);
      if (before.has_value()) {
        AddShared(rule->schema(), key, old_cluster_id, golden, fresh);
      } else {
        AddUnshared(rule->schema(), key, fresh);
      }
    }
    return absl::OkStatus();
  }

  static int64_t HashOf(const proto::PageRecords& page) {
    return static_cast<int64_t>(Hash64(page.url(), kPagesSeed) >> 1);
  }

  void AddShared(const proto::Schema& schema, const FieldTests::Key& key,
                 const std::string& old_cluster_id,
                 const std::optional<proto::PageRecords>& golden,
                 const proto::PageRecords& fresh) {
    std::vector<record::Record> before;
    if (golden.has_value()) before = record::FromProto(schema, *golden);
    if (results_.counts[key].AddShared(schema, before,
                                       record::FromProto(schema, fresh))) {
      results_.passed[key].Add(HashOf(fresh), fresh, kMaxFreshPages);
    }
    // The rule's own pages, should it have to be repaired.
    if (old_cluster_id == key.second && record::HasRecord(schema, before)) {
      results_.golden[key].Add(HashOf(fresh), *golden, kMaxGoldenPages);
    }
  }

  void AddUnshared(const proto::Schema& schema, const FieldTests::Key& key,
                   const proto::PageRecords& fresh) {
    const std::vector<record::Record> now = record::FromProto(schema, fresh);
    results_.counts[key].AddUnshared(schema, now);
    if (record::HasRecord(schema, now)) {
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
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<TestPlan> tested,
                             TestPlan::OfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(rule::RuleIndex new_index,
                             tested->plan->NewIndex());
    TROMMEL_ASSIGN_OR_RETURN(rule::RuleIndex old_index,
                             tested->plan->OldIndex());
    const tables::SiteRule site_rule = tested->plan->site_rule();
    return std::make_unique<FieldMapper>(
        std::move(tested),
        rule_runner::RuleRunner(std::move(new_index), site_rule, page),
        rule_runner::RuleRunner(std::move(old_index), site_rule, page));
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
                       bool is_of_repaired, const page::PageFlags& page,
                       int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      page::CrawlWithDeferredContent(new_crawls, page.max_page_bytes),
      page::CrawlWithDeferredContent(old_crawls, page.max_page_bytes)};
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

}  // namespace trommel::jobs::reuse_job
