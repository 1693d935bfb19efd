#include "jobs/reuse/plan.h"

#include <utility>

#include "core/base/status.h"
#include "jobs/cli/settings.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::reuse_job {
namespace {

constexpr char kRulesSideData[] = "rules";
constexpr char kOldClustersSideData[] = "old_clusters";
constexpr char kNewClustersSideData[] = "new_clusters";
}  // namespace

void FieldTestSettings::Define(cli::Flags* flags) {
  flags
      ->Number("min-pass", &min_pass,
               "share of the pages that must pass the field test")
      .Between(0.5, 1)
      .Recorded();
  flags
      ->Number("max-lost", &max_lost,
               "share of the pages from which an attribute may be gone that "
               "is neither mandatory nor constant")
      .Between(0, 1)
      .Recorded();
}

void ReuseFiles::Define(cli::Flags* flags) {
  sites.Define(flags);
  flags->Texts("ignored", &ignored, "old clusters that the editor skipped");
  thresholds.Define(flags);
}

void ReuseFiles::AddTo(mr::StepSpec* spec) const {
  spec->side_data.push_back({kRulesSideData, rules, /*from_output=*/""});
  spec->side_data.push_back(
      {kOldClustersSideData, old_clusters, /*from_output=*/""});
  spec->side_data.push_back(
      {kNewClustersSideData, new_clusters, /*from_output=*/""});
  cli::AddSettings(*this, spec);
}

absl::StatusOr<ReuseFiles> ReuseFiles::OfTask(const mr::TaskContext& context) {
  TROMMEL_ASSIGN_OR_RETURN(auto files, cli::ReadSettings<ReuseFiles>(context));
  TROMMEL_ASSIGN_OR_RETURN(files.rules, context.SideDataPath(kRulesSideData));
  TROMMEL_ASSIGN_OR_RETURN(files.old_clusters,
                           context.SideDataPath(kOldClustersSideData));
  TROMMEL_ASSIGN_OR_RETURN(files.new_clusters,
                           context.SideDataPath(kNewClustersSideData));
  return files;
}

absl::StatusOr<std::unique_ptr<ReusePlan>> ReusePlan::Read(
    const ReuseFiles& files, const io::Path& overlap) {
  std::unique_ptr<ReusePlan> plan(new ReusePlan());
  plan->files_ = files;
  TROMMEL_RETURN_IF_ERROR(plan->ReadRules());
  TROMMEL_RETURN_IF_ERROR(
      plan->ReadClusters(files.old_clusters, /*is_new=*/false));
  TROMMEL_RETURN_IF_ERROR(
      plan->ReadClusters(files.new_clusters, /*is_new=*/true));
  TROMMEL_ASSIGN_OR_RETURN(plan->overlap_, OverlapTotals::Read(overlap));
  plan->FindOldClusters();
  return plan;
}

absl::Status ReusePlan::ReadRules() {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(files_.rules));
  TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules, tables::ReadRuleFiles({path}));
  for (proto::Rule& rule : *rules.mutable_rule()) {
    if (!files_.IsWanted(rule.site())) continue;
    std::string cluster_id = rule.cluster_id();
    rules_.emplace(std::move(cluster_id), std::move(rule));
  }
  return absl::OkStatus();
}

absl::Status ReusePlan::ReadClusters(const std::string& table, bool is_new) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(table));
  return tables::VisitClusters(
      path, [&](tables::ClusterRow cluster) -> absl::Status {
        TROMMEL_ASSIGN_OR_RETURN(
            const tables::SiteRule site_rule,
            tables::SiteRule::FromTable(cluster.site_key, cluster.site));
        if (!has_settings_) {
          site_rule_ = site_rule;
          shingle_length_ = static_cast<int>(cluster.shingle_length);
          has_settings_ = true;
        } else if (site_rule != site_rule_ ||
                   cluster.shingle_length != shingle_length_) {
          return absl::InvalidArgumentError(StrCat(
              path.name,
              ": old and new clusters were made with different settings: ",
              cluster.cluster_id, " has site_key ", cluster.site_key,
              ", shingle_length ", cluster.shingle_length,
              "; cluster the new crawl as the old one was"));
        }
        if (!files_.IsWanted(cluster.site)) return absl::OkStatus();
        std::string cluster_id = cluster.cluster_id;
        if (is_new) {
          clusters_[std::move(cluster_id)].row = std::move(cluster);
        } else {
          old_clusters_.emplace(std::move(cluster_id), std::move(cluster));
        }
        return absl::OkStatus();
      });
}

void ReusePlan::FindOldClusters() {
  std::map<std::string_view, std::vector<const tables::ClusterRow*>>
      rows_by_site;
  for (const auto& [id, row] : old_clusters_)
    rows_by_site[row.site].push_back(&row);
  for (auto& [id, cluster] : clusters_) {
    const auto counts = overlap_.clusters.find(id);
    if (counts != overlap_.clusters.end()) {
      cluster.pages = counts->second.pages;
      cluster.nowhere = counts->second.nowhere;
    }
    for (const tables::ClusterRow* const row : rows_by_site[cluster.row.site]) {
      reuse::OldCluster old;
      old.cluster_id = row->cluster_id;
      old.tmpl = &row->tmpl;
      old.has_rule = rules_.count(row->cluster_id) > 0;
      old.is_ignored =
          files_.ignored.find(row->cluster_id) != files_.ignored.end();
      if (counts != overlap_.clusters.end()) {
        const auto with = counts->second.with.find(row->cluster_id);
        if (with != counts->second.with.end()) {
          old.shared_urls = with->second.shared;
          old.placed_by_signature = with->second.by_signature;
          old.placed_by_sketch = with->second.by_sketch;
        }
      }
      const bool has_common =
          old.shared_urls + old.placed_by_signature + old.placed_by_sketch > 0;
      if (has_common || reuse::IsClusterMatch(cluster.row.tmpl, *old.tmpl)) {
        cluster.old.push_back(std::move(old));
      }
    }
    cluster.candidates =
        reuse::FindCandidates(cluster.row.tmpl, cluster.pages, cluster.old);
  }
}

const proto::Rule* ReusePlan::RuleOf(const std::string& old_cluster_id) const {
  const auto found = rules_.find(old_cluster_id);
  return found == rules_.end() ? nullptr : &found->second;
}

absl::StatusOr<rule::RuleIndex> ReusePlan::NewIndex() const {
  proto::RuleSet clusters;
  for (const auto& [id, cluster] : clusters_) {
    *clusters.add_rule() = tables::AboutCluster(cluster.row);
  }
  return rule::RuleIndex::Create(std::move(clusters));
}

absl::StatusOr<rule::RuleIndex> ReusePlan::OldIndex() const {
  proto::RuleSet clusters;
  for (const auto& [id, row] : old_clusters_) {
    *clusters.add_rule() = tables::AboutCluster(row);
  }
  return rule::RuleIndex::Create(std::move(clusters));
}

std::vector<reuse::Trial> ReusePlan::TrialsOf(const Cluster& cluster,
                                              const FieldTests& tests) const {
  std::vector<reuse::Trial> trials;
  for (const reuse::Candidate& candidate : cluster.candidates) {
    const std::string& old_cluster_id =
        cluster.old[candidate.old_cluster].cluster_id;
    reuse::Trial trial;
    trial.candidate = candidate;
    trial.rule = RuleOf(old_cluster_id);
    const auto counts =
        tests.counts.find({cluster.row.cluster_id, old_cluster_id});
    if (counts != tests.counts.end()) trial.counts = counts->second;
    trials.push_back(std::move(trial));
  }
  return trials;
}

reuse::ReuseDecision ReusePlan::Decide(const Cluster& cluster,
                                       const FieldTests& tests) const {
  return reuse::DecideReuse(cluster.old, TrialsOf(cluster, tests),
                            files_.thresholds);
}

}  // namespace trommel::jobs::reuse_job
