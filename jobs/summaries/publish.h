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

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("rule_id", &rule_id);
      fields->Visit("reason", &reason);
    }
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

  void VisitFields(JsonFields* fields) {
    fields->Visit("store", &store);
    fields->Visit("date", &date);
    fields->Visit("version", &version);
    fields->Visit("base", &base);
    fields->Visit("rules", &rules);
    fields->Visit("learnt", &learnt);
    fields->Visit("reused", &reused);
    fields->Visit("withheld", &withheld);
    fields->Visit("withdrawn", &withdrawn);
  }
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_PUBLISH_H_
