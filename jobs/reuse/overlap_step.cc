#include "jobs/reuse/overlap_step.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/status.h"
#include "jobs/reuse/names.h"
#include "jobs/reuse/overlap_table.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/signatures_table.h"
#include "mapreduce/io/path.h"

// A page of the new crawl is placed twice by its signature and sketch: among
// the new templates of its site, which gives the cluster it is in, and among
// the old ones. Where, the mappers count. What they send is the cluster that
// each URL is in, once from either day; reducers count the pairs. A URL that
// was crawled several times counts once for each pair of clusters its versions
// are in.

namespace trommel::jobs::reuse_job {
namespace {

constexpr char kName[] = "reuse-overlap";

enum Input { kNewSignatures, kOldAssignments };

// What a sort key begins with; the cluster follows.
constexpr char kOld = 0;
constexpr char kNew = 1;

constexpr size_t kMaxCounts = 65536;

class OverlapMapper final : public mr::Mapper {
 public:
  OverlapMapper(tables::ClusterIndex old_clusters,
                tables::ClusterIndex new_clusters, tables::WantedSites sites)
      : old_clusters_(std::move(old_clusters)),
        new_clusters_(std::move(new_clusters)),
        sites_(std::move(sites)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    if (input == kNewSignatures) return MapNew(row, out);
    if (row.is_null(2) || !sites_.Contains(row.bytes(1)))
      return absl::OkStatus();
    return out->Emit(row.bytes(0), StrCat(std::string(1, kOld), row.bytes(2)),
                     row.bytes(1));
  }

  absl::Status Finish(mr::MapOutput* out) override { return Flush(out); }

  mr::RowName Name(int input, const io::Row& row) const override {
    if (input == kNewSignatures) {
      return {std::string(tables::SignedPageUrl(row)),
              std::string(tables::SignedPageSite(row))};
    }
    return {std::string(row.bytes(0)), std::string(row.bytes(1))};
  }

 private:
  static std::optional<cluster::Placement> Place(
      const tables::ClusterIndex::Site* site, const tables::SignedPage& page) {
    if (site == nullptr || !page.signature.has_value()) return std::nullopt;
    return site->templates.Place(*page.signature);
  }

  absl::Status MapNew(const io::Row& row, mr::MapOutput* out) {
    TROMMEL_ASSIGN_OR_RETURN(const tables::SignedPage page,
                             tables::ReadSignedPage(row));
    if (!sites_.Contains(page.site)) return absl::OkStatus();
    const tables::ClusterIndex::Site* const now = new_clusters_.Find(page.site);
    const tables::ClusterIndex::Site* const before =
        old_clusters_.Find(page.site);
    const std::optional<cluster::Placement> in_new = Place(now, page);
    const std::optional<cluster::Placement> in_old = Place(before, page);
    const std::string cluster_id =
        in_new.has_value() ? now->cluster_ids[in_new->place] : "";
    if (in_old.has_value()) {
      counts_.Add(page.site, cluster_id, before->cluster_ids[in_old->place],
                  in_old->by == cluster::PlacedBy::kSignature ? kBySignature
                                                              : kBySketch);
    } else {
      counts_.Add(page.site, cluster_id, "", kNowhere);
    }
    if (counts_.size() >= kMaxCounts) TROMMEL_RETURN_IF_ERROR(Flush(out));
    // Without old clusters there is nothing to share with.
    if (!in_new.has_value() || before == nullptr) return absl::OkStatus();
    return out->Emit(page.url, StrCat(std::string(1, kNew), cluster_id),
                     page.site);
  }

  absl::Status Flush(mr::MapOutput* out) {
    if (counts_.size() == 0) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    return counts_.Write(table);
  }

  const tables::ClusterIndex old_clusters_;
  const tables::ClusterIndex new_clusters_;
  const tables::WantedSites sites_;
  OverlapWriter counts_;
};

class OverlapReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view /*url*/, mr::Values* values,
                      mr::TaskOutput* out) override {
    // By old cluster and by new cluster: the old ones come first.
    std::set<std::string> before;
    std::string last;
    bool is_shared = false;
    while (values->Next()) {
      const std::string_view key = values->sort_key();
      if (key.empty()) return absl::DataLossError("a cluster without its key");
      const std::string_view cluster_id = key.substr(1);
      if (key[0] == kOld) {
        before.emplace(cluster_id);
        continue;
      }
      if (cluster_id == last) continue;
      last = cluster_id;
      for (const std::string& old_cluster_id : before) {
        counts_.Add(values->value(), cluster_id, old_cluster_id, kShared);
        is_shared = true;
      }
    }
    if (is_shared) out->Count(kUrlsShared);
    return counts_.size() < kMaxCounts ? absl::OkStatus() : Finish(out);
  }

  absl::Status Finish(mr::TaskOutput* out) override {
    if (counts_.size() == 0) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    return counts_.Write(table);
  }

 private:
  OverlapWriter counts_;
};

class OverlapStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{kOverlapTable, OverlapSchema(), {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const ReuseFiles files,
                             ReuseFiles::OfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path old_path,
                             io::ResolvePath(files.old_clusters));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path new_path,
                             io::ResolvePath(files.new_clusters));
    TROMMEL_ASSIGN_OR_RETURN(tables::ClusterIndex old_clusters,
                             tables::ClusterIndex::Read(old_path));
    TROMMEL_ASSIGN_OR_RETURN(tables::ClusterIndex new_clusters,
                             tables::ClusterIndex::Read(new_path));
    return std::make_unique<OverlapMapper>(
        std::move(old_clusters), std::move(new_clusters), files.sites);
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<OverlapReducer>();
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeOverlapStep() {
  return std::make_unique<OverlapStep>();
}

mr::StepSpec OverlapSpec(const ReuseFiles& files,
                         const std::string& new_signatures,
                         const std::string& old_assignments, int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      {{new_signatures}, /*from_output=*/"", tables::SignaturesColumns()},
      {{old_assignments},
       /*from_output=*/"",
       {{"url", io::ColumnType::kBytes},
        {"site", io::ColumnType::kBytes},
        {"cluster_id", io::ColumnType::kBytes}}}};
  files.AddTo(&spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::reuse_job
