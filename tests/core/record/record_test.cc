#include "core/record/record.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "proto/rule.pb.h"
#include "tests/testing/records.h"

namespace trommel::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::FieldLists;
using testing_support::ListsOf;
using testing_support::RecordOf;

proto::Schema SchemaOf(const char* text) {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema));
  return schema;
}

constexpr char kStrict[] =
    "name: 's' attribute { name: 'a' mandatory: true } attribute { name: 'b' }";
constexpr char kLoose[] =
    "name: 's' attribute { name: 'a' } attribute { name: 'b' }";

TEST(CheckComplete, WhatARecordMustHave) {
  const struct {
    const char* label;
    const char* schema;
    FieldLists values;
    std::vector<bool> expected;
    bool is_record;
    const char* missing;  // null for none
  } cases[] = {
      {"all of it", kStrict, {{"1"}, {"2"}}, {}, true, nullptr},
      {"what is mandatory", kStrict, {{"1"}, {}}, {}, true, nullptr},
      {"without it", kStrict, {{}, {"2"}}, {}, false, "a"},
      {"without anything", kStrict, {{}, {}}, {}, false, "a"},
      {"a record that ends early", kStrict, {{"1"}}, {}, true, nullptr},
      {"one value is enough", kLoose, {{}, {"2"}}, {}, true, nullptr},
      {"none is not", kLoose, {{}, {}}, {}, false, nullptr},
      {"no record at all", kLoose, {}, {}, false, nullptr},
      {"what is expected", kLoose, {{}, {"2"}}, {true, true}, false, "a"},
      {"and no more", kLoose, {{}, {"2"}}, {false, true}, true, nullptr},
      {"mandatory ones come before expectations",
       kStrict,
       {{"1"}, {}},
       {true, true},
       true,
       nullptr},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const proto::Schema schema = SchemaOf(c.schema);
    const Completeness found =
        CheckComplete(schema, RecordOf(c.values), c.expected);
    EXPECT_EQ(found.IsRecord(), c.is_record);
    ASSERT_EQ(found.missing == nullptr, c.missing == nullptr);
    if (c.missing != nullptr) {
      EXPECT_EQ(found.missing->name(), c.missing);
    }
  }
}

TEST(Record, ConfidenceIsThatOfTheLeastSure) {
  Record record = RecordOf({{"1"}, {"2"}, {}});
  EXPECT_EQ(Record().Confidence(), 0);
  record.attributes[0].confidence = 0.9;
  record.attributes[1].confidence = 0.75;
  EXPECT_EQ(record.Confidence(), 0.75);
}

TEST(Record, RoundTrip) {
  const proto::Schema schema = SchemaOf(kStrict);
  Record record = RecordOf({{"1"}, {"2", "3"}});
  record.attributes[0].confidence = 0.5;
  record.attributes[1].is_weak = true;
  const proto::PageRecords stored =
      ToProto(schema, "http://a/1", {record, RecordOf({{}, {"4"}})});
  EXPECT_EQ(stored.url(), "http://a/1");
  const std::vector<Record> read = FromProto(schema, stored);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0], record);
  EXPECT_THAT(ListsOf(read[1]), ElementsAre(IsEmpty(), ElementsAre("4")));
}

TEST(Record, StoredAttributesStandByName) {
  proto::Record stored;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "attribute { name: 'b' value: '2' value: '3' } "
      "attribute { name: 'dropped from the schema' value: 'x' } "
      "attribute { name: 'a' value: '1' }",
      &stored));
  EXPECT_THAT(ListsOf(FromProto(SchemaOf(kStrict), stored)),
              ElementsAre(ElementsAre("1"), ElementsAre("2", "3")));
}

TEST(LeaveOut, AttributesByName) {
  const proto::Schema schema = SchemaOf(kLoose);
  std::vector<Record> records = {RecordOf({{"1"}, {"2"}}), RecordOf({{"1"}})};
  proto::Rule rule;
  LeaveOut(schema, rule.switched_off(), &records);
  EXPECT_THAT(ListsOf(records[0]),
              ElementsAre(ElementsAre("1"), ElementsAre("2")));
  rule.add_switched_off("b");
  rule.add_switched_off("none of the schema");
  LeaveOut(schema, rule.switched_off(), &records);
  EXPECT_THAT(ListsOf(records[0]), ElementsAre(ElementsAre("1"), IsEmpty()));
  EXPECT_THAT(ListsOf(records[1]), ElementsAre(ElementsAre("1")));
}

TEST(CompleteRecords, KeepsOrder) {
  const proto::Schema schema = SchemaOf(kStrict);
  const std::vector<Record> complete = CompleteRecords(
      schema, {RecordOf({{"1"}}), RecordOf({{}, {"x"}}), RecordOf({{"2"}})});
  EXPECT_THAT(AllValues(complete, 0), ElementsAre("1", "2"));
  EXPECT_TRUE(HasRecord(schema, complete));
  EXPECT_FALSE(HasRecord(schema, {}));
}

}  // namespace
}  // namespace trommel::record
