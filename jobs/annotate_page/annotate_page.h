#ifndef TROMMEL_JOBS_ANNOTATE_PAGE_ANNOTATE_PAGE_H_
#define TROMMEL_JOBS_ANNOTATE_PAGE_ANNOTATE_PAGE_H_

// The pages on which an editor annotates samples: one HTML file per site, and
// an index of them. Each is one file in UTF-8 that needs nothing else and works
// from a local disk; the state is kept in the browser and leaves it as JSONL.
//
// Sites, URLs and patterns may be any bytes, as crawled. Nothing of a sampled
// page is markup here: its tree (page_tree.h) is data from which the script
// builds inert elements in a sandboxed frame that may load nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proto/schema.pb.h"

namespace trommel::jobs::annotate_page {

struct AnnotatePage {
  int64_t rank = 0;
  std::string url;
  std::string tree;  // EncodePageTree()
};

struct AnnotateCluster {
  std::string cluster_id;
  int64_t size = 0;  // pages of the cluster, sampled or not
  std::string url_regex;
  std::vector<AnnotatePage> pages;  // in the order in which they are shown
};

struct AnnotateSite {
  std::string site;
  std::vector<AnnotateCluster> clusters;
};

// `schema` may be null: the editor then names attributes on the page.
std::string AnnotatePageHtml(const AnnotateSite& site,
                             const proto::Schema* schema);

// Identifies the sample of a site: what the browser keeps belongs to it,
// whatever the schema.
std::string AnnotateDigest(const AnnotateSite& site);

struct AnnotateIndexRow {
  std::string site;
  std::string file;    // relative to the index, as AnnotateFileName() gives it
  std::string digest;  // AnnotateDigest()
  int64_t clusters = 0;
  int64_t pages = 0;
};

// `schema_name` is empty where there is no schema. The index also shows how far
// each site is, where the browser lets it see what the sites' pages keep.
std::string AnnotateIndexHtml(const std::vector<AnnotateIndexRow>& rows,
                              std::string_view schema_name);

// A file name for a site: the host itself where it is plain, otherwise escaped
// so that different sites have different names, also where case does not
// count, and no name is special to a file system. It ends in ".html" and has
// at most 200 bytes.
std::string AnnotateFileName(std::string_view site);

}  // namespace trommel::jobs::annotate_page

#endif  // TROMMEL_JOBS_ANNOTATE_PAGE_ANNOTATE_PAGE_H_
