#include "jobs/reuse/repair_step.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/parser.h"
#include "core/learn/learner.h"
#include "core/record/record.h"
#include "core/reuse/repair.h"
#include "jobs/cli/settings.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/page/page_version.h"
#include "jobs/reuse/fields_table.h"
#include "jobs/reuse/names.h"
#include "jobs/reuse/repairs_table.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// The field test has kept, of each rule and cluster, a few URLs with what was
// extracted from their old versions. Where no rule passed, the new versions of
// these pages travel to the reducer of the cluster, which looks for the old
// values on them and learns. Of all other pages only the URL is read.

namespace trommel::jobs::reuse_job {
namespace {

constexpr char kName[] = "reuse-repair";
constexpr char kOverlapSideData[] = "overlap";
constexpr char kFieldsSideData[] = "fields";
constexpr char kPagesSideData[] = "pages";

// A rule to be repaired for a new cluster.
struct Broken {
  const ReusePlan::Cluster* cluster = nullptr;
  reuse::Trial trial;
  std::string old_cluster_id;
  std::map<std::string, proto::PageRecords> golden;  // by URL
};

struct RepairPlan {
  std::unique_ptr<ReusePlan> plan;
  std::map<std::string, Broken> broken;                  // by new cluster
  std::map<std::string, std::string, std::less<>> urls;  // to the cluster

  static absl::StatusOr<std::unique_ptr<RepairPlan>> OfTask(
      const mr::TaskContext& context);
};

absl::StatusOr<io::Path> SideTable(const mr::TaskContext& context,
                                   const char* name) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string path, context.SideDataPath(name));
  return io::ResolvePath(path);
}

absl::StatusOr<std::unique_ptr<RepairPlan>> RepairPlan::OfTask(
    const mr::TaskContext& context) {
  auto repair = std::make_unique<RepairPlan>();
  TROMMEL_ASSIGN_OR_RETURN(const ReuseFiles files, ReuseFiles::OfTask(context));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path overlap,
                           SideTable(context, kOverlapSideData));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path fields,
                           SideTable(context, kFieldsSideData));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path pages,
                           SideTable(context, kPagesSideData));
  TROMMEL_ASSIGN_OR_RETURN(repair->plan, ReusePlan::Read(files, overlap));
  TROMMEL_ASSIGN_OR_RETURN(
      FieldTests tests,
      FieldTests::Read(fields, pages, FieldTests::Pages::kGolden));
  for (const auto& [cluster_id, cluster] : repair->plan->clusters()) {
    const reuse::ReuseDecision decision = repair->plan->Decide(cluster, tests);
    if (decision.repair < 0) continue;
    Broken& broken = repair->broken[cluster_id];
    broken.cluster = &cluster;
    broken.trial = repair->plan->TrialsOf(
        cluster, tests)[static_cast<size_t>(decision.repair)];
    broken.old_cluster_id =
        cluster.old[broken.trial.candidate.old_cluster].cluster_id;
    for (proto::PageRecords& page :
         tests.golden[{cluster_id, broken.old_cluster_id}].Pages()) {
      std::string url = page.url();
      repair->urls.emplace(url, cluster_id);
      broken.golden.emplace(std::move(url), std::move(page));
    }
  }
  return repair;
}

class RepairMapper final : public mr::Mapper {
 public:
  RepairMapper(std::unique_ptr<RepairPlan> repair,
               page::AdmissionFlags admission)
      : repair_(std::move(repair)), admission_(std::move(admission)) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    const std::string* const cluster_id = ClusterOf(page.url);
    if (cluster_id == nullptr ||
        page::WhyRejected(page, admission_).has_value()) {
      return absl::OkStatus();
    }
    std::string key;
    mr::AppendOrderedBytes(url_, &key);
    page::PageVersion::Of(page).AppendTo(&key);
    std::string value;
    mr::AppendOrderedBytes(page.charset, &value);
    value += page.content;
    return out->Emit(*cluster_id, key, value);
  }

  bool NeedsDeferred(int /*input*/, const io::Row& row) override {
    return ClusterOf(layout_.Page(row).url) != nullptr;
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), repair_->plan->site_rule().SiteOf(url)};
  }

 private:
  // Null: the page is not wanted. Leaves the URL as text in url_.
  const std::string* ClusterOf(std::string_view url) {
    url_.clear();
    AppendUtf8Lossy(url, &url_);
    const auto found = repair_->urls.find(url_);
    return found == repair_->urls.end() ? nullptr : &found->second;
  }

  const std::unique_ptr<RepairPlan> repair_;
  const page::AdmissionFlags admission_;
  io::CrawlLayout layout_;
  std::string url_;
};

class RepairReducer final : public mr::Reducer {
 public:
  RepairReducer(std::unique_ptr<RepairPlan> repair,
                learner::LearnerFlags learner, const page::PageFlags& page)
      : repair_(std::move(repair)),
        learner_(std::move(learner)),
        parser_(page.MakeParser()),
        budget_(absl::Seconds(learner_.budget_s)) {}

  absl::Status Reduce(std::string_view cluster_id, mr::Values* values,
                      mr::TaskOutput* out) override {
    const auto found = repair_->broken.find(std::string(cluster_id));
    if (found == repair_->broken.end()) {
      return absl::InternalError(
          StrCat("cluster ", cluster_id, " is not to be repaired"));
    }
    const Broken& broken = found->second;
    reuse::RepairInput input;
    input.broken = broken.trial.rule;
    input.about = tables::AboutCluster(broken.cluster->row);
    // Attributes are learnt one after the other.
    input.budget =
        budget_ / std::max(1, input.broken->schema().attribute_size());
    FindWorking(broken, &input);
    TROMMEL_RETURN_IF_ERROR(ReadPages(broken, values, &input, out));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<learn::Learner> learner,
                             learner_.MakeFor(*input.broken));
    absl::StatusOr<reuse::RepairOutcome> outcome =
        reuse::RepairRule(*learner, std::move(input));
    if (!outcome.ok()) return Annotate(outcome.status(), cluster_id);
    Repair repair;
    repair.cluster_id = cluster_id;
    repair.old_cluster_id = broken.old_cluster_id;
    repair.rule = std::move(outcome->rule);
    repair.reason = std::move(outcome->reason);
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    return WriteRepair(repair, table);
  }

 private:
  // Attributes that the field test found nothing wrong with. Where it found
  // nothing wrong with any of them, but with the pages as a whole, those that
  // are the same as before on all pages.
  void FindWorking(const Broken& broken, reuse::RepairInput* input) const {
    const reuse::FieldCounts& counts = broken.trial.counts;
    const proto::Schema& schema = broken.trial.rule->schema();
    for (const proto::Attribute& attribute : schema.attribute()) {
      if (!reuse::IsBroken(
              attribute, counts,
              broken.trial.candidate.how != reuse::HowMatched::kFieldTest,
              repair_->plan->files().thresholds)) {
        input->working.insert(attribute.name());
      }
    }
    if (input->working.size() < static_cast<size_t>(schema.attribute_size())) {
      return;
    }
    for (const auto& [name, of] : counts.attributes) {
      if (of.lost + of.gained > 0 || of.same < of.had) {
        input->working.erase(name);
      }
    }
  }

  absl::Status ReadPages(const Broken& broken, mr::Values* values,
                         reuse::RepairInput* input, mr::TaskOutput* out) {
    std::string last;
    while (values->Next()) {
      std::string_view key = values->sort_key();
      std::string_view value = values->value();
      learn::LearnPage page;
      std::string charset;
      if (!mr::ConsumeOrderedBytes(&key, &page.url) ||
          !mr::ConsumeOrderedBytes(&value, &charset)) {
        return absl::DataLossError("a page is cut off");
      }
      const auto golden = broken.golden.find(page.url);
      // The latest version comes first.
      if (page.url == last || golden == broken.golden.end()) continue;
      last = page.url;
      if (parser_->ParsePage(value, charset, &page.document) !=
          html::ParseOutcome::kOk) {
        out->Count(kPagesUnparsed);
        continue;
      }
      page.content_digest = ContentDigest(value);
      out->Count(kPagesRelearnt);
      input->golden.push_back(
          record::FromProto(input->broken->schema(), golden->second));
      input->pages.push_back(std::move(page));
    }
    return absl::OkStatus();
  }

  const std::unique_ptr<RepairPlan> repair_;
  const learner::LearnerFlags learner_;
  const std::unique_ptr<html::Parser> parser_;
  const absl::Duration budget_;
};

class RepairStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {kRepairsTable, RepairsSchema(), {"rule"}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<RepairPlan> repair,
                             RepairPlan::OfTask(context));
    return std::make_unique<RepairMapper>(std::move(repair), page);
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<RepairPlan> repair,
                             RepairPlan::OfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(auto flags,
                             cli::ReadSettings<learner::LearnerFlags>(context));
    return std::make_unique<RepairReducer>(std::move(repair), std::move(flags),
                                           page);
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeRepairStep() {
  return std::make_unique<RepairStep>();
}

mr::StepSpec RepairSpec(const ReuseFiles& files,
                        const std::vector<std::string>& new_crawls,
                        const RepairStepSettings& settings) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      page::CrawlWithDeferredContent(new_crawls, settings.page.max_page_bytes)};
  files.AddTo(&spec);
  spec.side_data.push_back({kOverlapSideData, /*path=*/"", kOverlapTable});
  spec.side_data.push_back({kFieldsSideData, /*path=*/"", kFieldsTable});
  spec.side_data.push_back({kPagesSideData, /*path=*/"", kPagesTable});
  cli::AddSettings(settings.learner, &spec);
  cli::AddSettings(settings.page, &spec);
  spec.num_reducers = settings.num_reducers;
  return spec;
}

}  // namespace trommel::jobs::reuse_job
