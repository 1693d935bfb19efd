#include "synth/plan.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/synth/page_text.h"

namespace trommel::synth {
namespace {

TEST(MakePlan, NamesTheFieldThatIsWrong) {
  struct Case {
    std::string_view label;
    std::string_view spec;
    std::string_view message;
  };
  const std::vector<Case> cases = {
      {"no site", "seed: 1", "site: none given"},
      {"bad date", "start_date: '2026-13-01' site { host: 'a' }",
       "start_date \"2026-13-01\": not a date YYYY-MM-DD"},
      {"short date", "start_date: '2026-1-1' site { host: 'a' }",
       "start_date \"2026-1-1\": not a date YYYY-MM-DD"},
      {"negative days", "days: -1 site { host: 'a' }",
       "days -1: not in 0 to 3660"},
      {"no host", "site { vertical: 'movie' pages: 1 }",
       "site[0].host: missing"},
      {"host in capitals", "site { host: 'A.com' vertical: 'movie' pages: 1 }",
       "site[0].host \"A.com\": not a host name in lower case"},
      {"many sites, one host",
       "site { host: 'a' count: 2 vertical: 'movie' pages: 1 }",
       "site[0].host \"a\": needs \"{n}\" because count is 2"},
      {"negative count",
       "site { host: 'a' count: -2 vertical: 'movie' pages: 1 }",
       "site[0].count -2: not in 0 to 1000000"},
      {"host twice",
       "site { host: 'a{n}' count: 3 vertical: 'movie' pages: 1 }"
       "site { host: 'a2' vertical: 'movie' pages: 1 }",
       "site[1].host \"a2\": given twice"},
      {"unknown vertical",
       "site { host: 'a' vertical: 'movie' pages: 1 }"
       "site { host: 'b' vertical: 'moviee' pages: 1 }",
       "site[1].vertical \"moviee\": unknown; known: movie, book, camera, "
       "auto, job, restaurant, university, nbaplayer"},
      {"no pages", "site { host: 'a' vertical: 'movie' }",
       "site[0].pages 0: not in 1 to 1000000000"},
      {"turnover above one",
       "site { host: 'a' vertical: 'movie' pages: 1 daily_turnover: 1.5 }",
       "site[0].daily_turnover 1.5: not in 0 to 1"},
      {"turnover not a number",
       "site { host: 'a' vertical: 'movie' pages: 1 daily_turnover: nan }",
       "site[0].daily_turnover nan: not in 0 to 1"},
      {"unknown kind",
       "site { host: 'a' vertical: 'movie' pages: 1 template { kind: 'dtl' } }",
       "site[0].template[0].kind \"dtl\": unknown; known: detail, list, "
       "review, seller, help, search, cart, article"},
      {"name twice",
       "site { host: 'a' vertical: 'movie' pages: 1 template { kind: 'list' }"
       " template { kind: 'detail' name: 'list' } }",
       "site[0].template[1].name \"list\": two templates of this site have it"},
      {"bad name",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'list' name: 'x/y' } }",
       "site[0].template[0].name \"x/y\": only a-z, 0-9, '-' and '_'"},
      {"negative weight",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'list' weight: -1 } }",
       "site[0].template[0].weight -1: negative or not a number"},
      {"trap without a name",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'detail' trap: TRAP_UNSPECIFIED } }",
       "site[0].template[0].trap[0]: missing or unknown"},
      {"trap twice",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'detail' trap: LIST_TAIL trap: LIST_TAIL } }",
       "site[0].template[0].trap[1] LIST_TAIL: given twice"},
      {"trap of another kind of page",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'list' trap: LIST_TAIL } }",
       "site[0].template[0].trap[0] LIST_TAIL: only templates of kind detail "
       "have traps"},
      {"trap for which there is no attribute",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " template { kind: 'detail' trap: LINES_WITHOUT_LABELS } }",
       "site[0].template[0].trap: LINES_WITHOUT_LABELS: no attribute of movie "
       "is left for it"},
      {"change without kind",
       "site { host: 'a' vertical: 'movie' pages: 1 change { day: 1 } }",
       "site[0].change[0].kind: missing or unknown"},
      {"change on the first day",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " change { kind: REDESIGN } }",
       "site[0].change[0].day 0: must be 1 or later (day 0 is the first)"},
      {"change of an unknown template",
       "site { host: 'a' vertical: 'movie' pages: 1"
       " change { kind: REDESIGN day: 1 template: 'cart' } }",
       "site[0].change[0].template \"cart\": unknown; known: detail, list, "
       "help"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const absl::StatusOr<WebPlan> plan = MakePlan(ParseSpec(c.spec));
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ToStd(plan.status().message()), c.message);
  }
}

TEST(MakePlan, SharesPagesOutByWeight) {
  struct Case {
    std::string_view label;
    std::string_view templates;
    int pages;
    std::vector<int64_t> counts;
  };
  const std::vector<Case> cases = {
      {"default", "", 100, {80, 10, 10}},
      {"no weight counts one",
       "template { kind: 'cart' } template { kind: "
       "'detail' weight: 3 }",
       8,
       {2, 6}},
      {"remainder to the largest cut",
       "template { kind: 'detail' weight: 2 } "
       "template { kind: 'list' }",
       10,
       {7, 3}},
      {"fewer pages than templates", "", 1, {1, 0, 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const absl::StatusOr<WebPlan> plan = MakePlan(
        ParseSpec(StrCat("site { host: 'a' vertical: 'job' pages: ", c.pages,
                         " ", c.templates, " }")));
    ASSERT_TRUE(plan.ok()) << plan.status();
    std::vector<int64_t> counts;
    int64_t first = 0;
    for (const TemplatePlan& entry : plan->sites[0].templates) {
      EXPECT_EQ(entry.first, first);
      first += entry.count;
      counts.push_back(entry.count);
    }
    EXPECT_EQ(counts, c.counts);
  }
}

}  // namespace
}  // namespace trommel::synth
