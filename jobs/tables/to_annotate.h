#ifndef TROMMEL_JOBS_TABLES_TO_ANNOTATE_H_
#define TROMMEL_JOBS_TABLES_TO_ANNOTATE_H_

#include <cstdint>
#include <string>

#include "core/base/json_fields.h"

namespace trommel::jobs::tables {

// A line of the to_annotate.jsonl of `trommel reuse`: a new cluster that no old
// rule serves, and the page to annotate for it.
struct ToAnnotate {
  std::string site;
  std::string cluster_id;
  int64_t pages = 0;
  std::string next_url;
  std::string reason;

  TROMMEL_JSON_FIELDS(site, cluster_id, pages, next_url, reason);
};

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_TO_ANNOTATE_H_
