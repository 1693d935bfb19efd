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

  // A rule that does not serve, or serves again.
  struct RuleMove {
    std::string site;
    std::string rule_id;
    std::string reason;

    TROMMEL_JSON_FIELDS(site, rule_id, reason);
  };
  // An attribute that a rule in service does not give.
  struct Off {
    std::string site;
    std::string rule_id;
    std::string attribute;
    std::string since;
    std::string reason;

    TROMMEL_JSON_FIELDS(site, rule_id, attribute, since, reason);
  };
  // An attribute that a rule gave until tonight, or gives again.
  struct AttributeMove {
    std::string site;
    std::string rule_id;
    std::string attribute;
    bool is_off = false;
    std::string reason;

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("rule_id", &rule_id);
      fields->Visit("attribute", &attribute);
      fields->Visit("off", &is_off);
      fields->Visit("reason", &reason);
    }
  };

  std::string store;
  std::string date;     // of the night; empty: a person publishes
  std::string version;  // in service; empty: there are no rules
  std::string base;     // the version it was made from
  int64_t rules = 0;
  int64_t learnt = 0;               // rules that came by learning
  int64_t reused = 0;               // rules that came by reuse
  int64_t probation = 0;            // rules out of service, tried nightly
  std::vector<RuleMove> missed;     // those with none in their place
  std::vector<RuleMove> withheld;   // never in service
  std::vector<RuleMove> withdrawn;  // no longer in service
  std::vector<RuleMove> restored;   // in service again
  std::vector<RuleMove> pinned;     // in service whatever tests say
  std::vector<AttributeMove> attributes;
  std::vector<Off> switched_off;  // tonight and before

  TROMMEL_JSON_FIELDS(store, date, version, base, rules, learnt, reused,
                      probation, missed, withheld, withdrawn, restored, pinned,
                      attributes, switched_off);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_PUBLISH_H_
