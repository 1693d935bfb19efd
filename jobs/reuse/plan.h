#ifndef TROMMEL_JOBS_REUSE_PLAN_H_
#define TROMMEL_JOBS_REUSE_PLAN_H_

// What `trommel reuse` goes by: the rules, both tables of clusters, what they
// have in common. Driver and tasks read the same files and come to the same
// candidates and decisions, so none of these have to travel.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/reuse/candidates.h"
#include "core/reuse/decision.h"
#include "core/rule/rule_index.h"
#include "jobs/reuse/fields_table.h"
#include "jobs/reuse/overlap_table.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/site_rule.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/job/job.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::reuse_job {

// What a rule has to come to on the pages of both crawls.
struct FieldTestSettings : reuse::FieldThresholds {
  void Define(cli::Flags* flags);
};

// From the command line to the tasks.
struct ReuseFiles {
  std::string rules;         // rules.binpb
  std::string old_clusters;  // table
  std::string new_clusters;  // table
  tables::WantedSites sites;
  // Old clusters that the editor skipped.
  std::set<std::string, std::less<>> ignored;
  FieldTestSettings thresholds;

  bool IsWanted(std::string_view site) const { return sites.Contains(site); }
  // The settings among them.
  void Define(cli::Flags* flags);
  // As side data and settings of a step.
  void AddTo(mr::StepSpec* spec) const;
  static absl::StatusOr<ReuseFiles> OfTask(const mr::TaskContext& context);
};

class ReusePlan {
 public:
  // A new cluster.
  struct Cluster {
    tables::ClusterRow row;
    int64_t pages = 0;    // of the new crawl
    int64_t nowhere = 0;  // of these, in no old cluster
    std::vector<reuse::OldCluster>
        old;  // those it has something in common with
    std::vector<reuse::Candidate> candidates;  // among `old`
  };

  static absl::StatusOr<std::unique_ptr<ReusePlan>> Read(
      const ReuseFiles& files, const io::Path& overlap);

  const ReuseFiles& files() const { return files_; }
  const OverlapTotals& overlap() const { return overlap_; }
  // Of the wanted sites, by cluster_id.
  const std::map<std::string, Cluster>& clusters() const { return clusters_; }
  // Of the wanted sites, by old cluster_id.
  const std::map<std::string, proto::Rule>& rules() const { return rules_; }
  bool HasOldCluster(const std::string& old_cluster_id) const {
    return old_clusters_.count(old_cluster_id) > 0;
  }
  // Null: the cluster has none.
  const proto::Rule* RuleOf(const std::string& old_cluster_id) const;
  // Of new and old clusters alike.
  const tables::SiteRule& site_rule() const { return site_rule_; }
  int shingle_length() const { return shingle_length_; }

  // All clusters of the wanted sites, to place pages among them and to tell by
  // a URL which may take it: a rule index whose rules are clusters only.
  absl::StatusOr<rule::RuleIndex> NewIndex() const;
  absl::StatusOr<rule::RuleIndex> OldIndex() const;

  // The candidates of a cluster with their field tests, and the decision.
  std::vector<reuse::Trial> TrialsOf(const Cluster& cluster,
                                     const FieldTests& tests) const;
  reuse::ReuseDecision Decide(const Cluster& cluster,
                              const FieldTests& tests) const;

 private:
  ReusePlan() = default;
  absl::Status ReadRules();
  absl::Status ReadClusters(const std::string& table, bool is_new);
  void FindOldClusters();

  ReuseFiles files_;
  OverlapTotals overlap_;
  tables::SiteRule site_rule_;
  int shingle_length_ = signature::kDefaultShingleLength;
  bool has_settings_ = false;
  std::map<std::string, proto::Rule> rules_;
  std::map<std::string, tables::ClusterRow> old_clusters_;
  std::map<std::string, Cluster> clusters_;
};

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_PLAN_H_
