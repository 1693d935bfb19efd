#ifndef TROMMEL_JOBS_SUMMARIES_PUBLISH_H_
#define TROMMEL_JOBS_SUMMARIES_PUBLISH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json_fields.h"

namespace trommel::jobs::summaries {

// What `trommel rules publish --json` prints.
struct Publish {
  static constexpr char kVerb[] = "rules publish";

  // A rule that does not serve.
  struct OutOfService {
    std::string site;
    std::string rule_id;
    std::string reason;

    TROMMEL_JSON_FIELDS(site, rule_id, reason);
  };

  std::string store;
  std::string date;     // of the night; empty: a person publishes
  std::string version;  // in service; empty: there are no rules
  std::string base;     // the version it was made from
  int64_t rules = 0;
  int64_t learnt = 0;                   // rules that came by learning
  int64_t reused = 0;                   // rules that came by reuse
  std::vector<OutOfService> withheld;   // never in service
  std::vector<OutOfService> withdrawn;  // no longer in service

  TROMMEL_JSON_FIELDS(store, date, version, base, rules, learnt, reused,
                      withheld, withdrawn);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_PUBLISH_H_
