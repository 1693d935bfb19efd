#include "jobs/extract/rule_tally.h"

#include <string_view>

#include "core/base/strings.h"

namespace trommel::jobs::extract {

void RuleTally::AddTo(const proto::Rule& rule, tables::Figures* figures) const {
  const auto add = [&](std::string_view event, int64_t count) {
    if (count > 0) figures->Add(rule.site(), rule_id, event, count);
  };
  add(tables::kMatchedEvent, matched);
  add(tables::kExtractedEvent, extracted);
  add(tables::kSkippedEvent, skipped);
  add(tables::kRecordsEvent, records);
  add(tables::kIncompleteRecordsEvent, incomplete);
  add(tables::kDoubtfulRecordsEvent, doubtful);
  for (size_t i = 0; i < filled.size(); ++i) {
    add(StrCat(tables::kFilledEventPrefix,
               rule.schema().attribute(static_cast<int>(i)).name()),
        filled[i]);
  }
}

}  // namespace trommel::jobs::extract
