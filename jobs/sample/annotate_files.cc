#include "jobs/sample/annotate_files.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/annotate_page/annotate_page.h"
#include "jobs/annotate_page/page_tree.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "mapreduce/progress.h"

namespace trommel::jobs::sample_job {
namespace {

// What annotation pages say of a cluster besides its sample.
struct ClusterFacts {
  int64_t size = 0;
  std::string url_regex;
};

class AnnotateFiles {
 public:
  AnnotateFiles(const io::Path& output, const proto::Schema* schema,
                int64_t num_pages, html::Parser* parser)
      : output_(output),
        schema_(schema),
        parser_(parser),
        progress_("annotation pages", "pages", num_pages) {}

  absl::Status Write() {
    TROMMEL_RETURN_IF_ERROR(
        tables::VisitClusters(output_.Child(tables::kSampledClustersFolder),
                              [&](tables::ClusterRow cluster) {
                                facts_[cluster.cluster_id] = {
                                    cluster.size, std::move(cluster.url_regex)};
                                return absl::OkStatus();
                              }));
    TROMMEL_RETURN_IF_ERROR(
        io::MakeDirectories(output_.Child(kAnnotateFolder)));
    // The rows of a site stand together.
    TROMMEL_RETURN_IF_ERROR(tables::VisitSamples(
        output_.Child(tables::kSamplesFolder),
        [&](const tables::SampleRow& sample) { return Add(sample); }));
    TROMMEL_RETURN_IF_ERROR(FinishSite());
    progress_.Finish();
    std::sort(index_.begin(), index_.end(),
              [](const annotate_page::AnnotateIndexRow& a,
                 const annotate_page::AnnotateIndexRow& b) {
                return a.site < b.site;
              });
    return io::WriteFile(
        output_.Child(kAnnotateIndex),
        annotate_page::AnnotateIndexHtml(
            index_, schema_ == nullptr ? "" : schema_->name()));
  }

 private:
  absl::Status Add(const tables::SampleRow& sample) {
    progress_.Show(++num_done_);
    if (sample.site != site_.site) {
      TROMMEL_RETURN_IF_ERROR(FinishSite());
      site_.site = sample.site;
    }
    if (site_.clusters.empty() ||
        site_.clusters.back().cluster_id != sample.cluster_id) {
      annotate_page::AnnotateCluster& cluster = site_.clusters.emplace_back();
      cluster.cluster_id = sample.cluster_id;
      const ClusterFacts& facts = facts_[cluster.cluster_id];
      cluster.size = facts.size;
      cluster.url_regex = facts.url_regex;
    }
    const html::ParseOutcome outcome =
        parser_->ParsePage(sample.content, sample.charset, &document_);
    if (outcome != html::ParseOutcome::kOk) {
      // It was parsed when it was chosen, within the same limits, but for time.
      progress_.Log(StrCat(sample.url, ": ", html::ToString(outcome),
                           ", not on the annotation page; --page-timeout "
                           "gives it more"));
      return absl::OkStatus();
    }
    site_.clusters.back().pages.push_back(
        {sample.rank, std::string(sample.url),
         annotate_page::EncodePageTree(document_)});
    return absl::OkStatus();
  }

  // Clusters that matter most come first.
  absl::Status FinishSite() {
    if (site_.clusters.empty()) return absl::OkStatus();
    std::sort(site_.clusters.begin(), site_.clusters.end(),
              [](const annotate_page::AnnotateCluster& a,
                 const annotate_page::AnnotateCluster& b) {
                return a.size != b.size ? a.size > b.size
                                        : a.cluster_id < b.cluster_id;
              });
    annotate_page::AnnotateIndexRow& row = index_.emplace_back();
    row.site = site_.site;
    const std::string file = annotate_page::AnnotateFileName(site_.site);
    row.file = StrCat(kAnnotateFolder, "/", file);
    row.digest = annotate_page::AnnotateDigest(site_);
    row.clusters = static_cast<int64_t>(site_.clusters.size());
    for (const annotate_page::AnnotateCluster& cluster : site_.clusters) {
      row.pages += static_cast<int64_t>(cluster.pages.size());
    }
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(output_.Child(kAnnotateFolder).Child(file),
                      annotate_page::AnnotatePageHtml(site_, schema_)));
    site_ = annotate_page::AnnotateSite();
    return absl::OkStatus();
  }

  const io::Path output_;
  const proto::Schema* const schema_;
  html::Parser* const parser_;
  Progress progress_;
  int64_t num_done_ = 0;
  html::Document document_;
  std::map<std::string, ClusterFacts> facts_;
  std::vector<annotate_page::AnnotateIndexRow> index_;
  annotate_page::AnnotateSite site_;
};

}  // namespace

absl::Status WriteAnnotateFiles(const io::Path& output,
                                const proto::Schema* schema, int64_t num_pages,
                                html::Parser* parser) {
  return AnnotateFiles(output, schema, num_pages, parser).Write();
}

}  // namespace trommel::jobs::sample_job
