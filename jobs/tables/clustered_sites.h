#ifndef TROMMEL_JOBS_TABLES_CLUSTERED_SITES_H_
#define TROMMEL_JOBS_TABLES_CLUSTERED_SITES_H_

// The table sites/ of `trommel cluster`, for those who want to know how a site
// has answered.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::tables {

struct ClusteredSite {
  std::string site;
  int64_t pages = 0;
  // Pages that say nothing of their own; none where the table is from before
  // this was counted.
  std::optional<int64_t> alike;
  std::string alike_text;  // how one of them begins
};

// `clusters` is the output of the verb.
absl::Status VisitClusteredSites(
    const io::Path& clusters,
    const std::function<void(const ClusteredSite& site)>& visit);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_CLUSTERED_SITES_H_
