#include "core/monitor/rule_trial.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "tests/testing/records.h"

namespace trommel::monitor {
namespace {

using record::Record;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::RecordOf;

proto::Schema SchemaOf(const std::string& text) {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema));
  return schema;
}

// Title and director are constant, price is not.
proto::Schema Films() {
  return SchemaOf(
      "name: 'film' attribute { name: 'title' mandatory: true constant: true } "
      "attribute { name: 'director' constant: true } "
      "attribute { name: 'price' }");
}

// Pages that had a film each, and what comes out now.
RuleTrial TrialOf(const proto::Schema& schema,
                  const std::vector<std::vector<std::string>>& now) {
  RuleTrial trial;
  for (size_t i = 0; i < now.size(); ++i) {
    std::vector<std::vector<std::string>> values;
    for (const std::string& value : now[i]) {
      values.push_back(value.empty() ? std::vector<std::string>()
                                     : std::vector<std::string>{value});
    }
    trial.Add(schema,
              {RecordOf({{StrCat("Film ", i)}, {StrCat("By ", i)}, {"$1.50"}})},
              {RecordOf(values)});
  }
  return trial;
}

std::vector<std::string> Reasons(const std::vector<WrongAttribute>& wrong) {
  std::vector<std::string> reasons;
  for (const WrongAttribute& attribute : wrong) {
    reasons.push_back(attribute.reason);
  }
  return reasons;
}

TEST(RuleTrialTest, OnlyWrongValuesCount) {
  struct Case {
    const char* label;
    std::vector<std::vector<std::string>> now;
    std::vector<std::string> reasons;
    bool gives_records;
  };
  const Case cases[] = {
      {"as it was",
       {{"Film 0", "By 0", "$1.50"},
        {"Film 1", "By 1", "$1.50"},
        {"Film 2", "By 2", "$1.50"},
        {"Film 3", "By 3", "$1.50"}},
       {},
       true},
      {"an optional attribute is gone",
       {{"Film 0", "", "$1.50"},
        {"Film 1", "", "$1.50"},
        {"Film 2", "", "$1.50"},
        {"Film 3", "", "$1.50"}},
       {},
       true},
      {"nothing comes out",
       {{"", "", ""}, {"", "", ""}, {"", "", ""}},
       {},
       false},
      {"a constant attribute is another",
       {{"Film 0", "Home", "$1.50"},
        {"Film 1", "Home", "$1.50"},
        {"Film 2", "Home", "$1.50"},
        {"Film 3", "By 3", "$1.50"}},
       {"director is another on 3 of 4 pages"},
       true},
      {"of those that come out half are others, which is not most",
       {{"Film 0", "Home", "$1.50"},
        {"Film 1", "Home", "$1.50"},
        {"Film 2", "By 2", "$1.50"},
        {"Film 3", "By 3", "$1.50"},
        {"Film 4", "", "$1.50"}},
       {},
       true},
      {"prices change",
       {{"Film 0", "By 0", "$7.50"},
        {"Film 1", "By 1", "$17.50"},
        {"Film 2", "By 2", "$3.99"}},
       {},
       true},
      {"prices are something else",
       {{"Film 0", "By 0", "sold out"},
        {"Film 1", "By 1", "sold out"},
        {"Film 2", "By 2", "sold out"}},
       {"price looks different on 3 of 3 pages"},
       true},
      {"too few values to say",
       {{"Film 0", "Home", "$1.50"}, {"Film 1", "Home", "$1.50"}},
       {},
       true},
      {"one half gives records, without its mandatory attribute the other",
       {{"Film 0", "By 0", "$1.50"}, {"", "By 1", "$1.50"}},
       {},
       true},
  };
  const proto::Schema schema = Films();
  for (const Case& test : cases) {
    const RuleTrial trial = TrialOf(schema, test.now);
    EXPECT_EQ(Reasons(FindWrongAttributes(schema, trial, {})), test.reasons)
        << test.label;
    EXPECT_EQ(trial.GivesRecords(), test.gives_records) << test.label;
  }
  EXPECT_FALSE(RuleTrial().GivesRecords());
}

TEST(RuleTrialTest, EverythingIsAnother) {
  const proto::Schema schema = SchemaOf(
      "name: 'film' attribute { name: 'title' } "
      "attribute { name: 'director' } attribute { name: 'price' }");
  const std::vector<std::vector<std::string>> slipped = {
      {"Other 7", "To 8", "$2.50"},
      {"Other 8", "To 9", "$3.50"},
      {"Other 9", "To 3", "$4.50"}};
  EXPECT_THAT(
      Reasons(FindWrongAttributes(schema, TrialOf(schema, slipped), {})),
      ElementsAre("title is another on 3 of 3 pages, as everything else is",
                  "director is another on 3 of 3 pages, as everything else is",
                  "price is another on 3 of 3 pages, as everything else is"));
  // One attribute that stays vouches for the others.
  const std::vector<std::vector<std::string>> moved = {
      {"Film 0", "To 8", "$2.50"},
      {"Film 1", "To 9", "$3.50"},
      {"Film 2", "To 3", "$4.50"}};
  EXPECT_THAT(FindWrongAttributes(schema, TrialOf(schema, moved), {}),
              IsEmpty());
}

TEST(RuleTrialTest, RecordsOfAPageAreAligned) {
  const proto::Schema schema = Films();
  const Record a = RecordOf({{"A"}, {"X"}, {"$1"}});
  const Record b = RecordOf({{"B"}, {"Y"}, {"$1"}});
  RuleTrial trial;
  trial.Add(schema, {a, b}, {b});
  EXPECT_EQ(trial.pages, 1);
  EXPECT_EQ(trial.pages_with_record, 1);
  EXPECT_EQ(
      trial.attributes["title"],
      (record::AttributeCounts{.had = 2, .lost = 1, .same = 1, .alike = 1}));
}

}  // namespace
}  // namespace trommel::monitor
