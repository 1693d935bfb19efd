#include "core/record/value_set.h"

#include <gtest/gtest.h>

namespace trommel::record {
namespace {

TEST(NormalizedValues, OfAnAttribute) {
  struct Case {
    const char* label;
    std::vector<std::string> values;
    ValueSet expected;
  };
  const Case cases[] = {
      {"none", {}, {}},
      {"order does not count", {"War", "Drama"}, {"Drama", "War"}},
      {"white space", {" The \n\tKid "}, {"The Kid"}},
      {"no-break space", {"The\u00A0Kid"}, {"The Kid"}},
      {"the same but for white space", {"The Kid", "The  Kid"}, {"The Kid"}},
      {"blank ones are no values",
       {"", " \n", "\u00A0", "\u200B", "\uFEFF\u3000", "War"},
       {"War"}},
      {"case counts", {"war", "War"}, {"War", "war"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(NormalizedValues(c.values), c.expected) << c.label;
  }
}

TEST(NormalizedValues, OfARecordThatIsShorterThanItsSchema) {
  proto::Schema schema;
  for (const char* const name : {"title", "genre", "year"}) {
    schema.add_attribute()->set_name(name);
  }
  Record record;
  record.attributes = {{{" The  Kid"}}, {{"War", "Drama", "War"}}};
  EXPECT_EQ(NormalizedValues(schema, record),
            (RecordValues{{"The Kid"}, {"Drama", "War"}, {}}));
}

}  // namespace
}  // namespace trommel::record
