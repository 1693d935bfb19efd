#include "core/record/comparison.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "tests/testing/records.h"

namespace trommel::record {
namespace {

using testing_support::FieldLists;
using testing_support::RecordOf;

proto::Schema SchemaFromText(const char* text) {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema));
  return schema;
}

constexpr char kWithMandatory[] = R"(
  name: "movie"
  attribute { name: "title" mandatory: true constant: true }
  attribute { name: "price" mandatory: true }
  attribute { name: "genre" repeated: true constant: true }
  attribute { name: "rating" })";
constexpr char kWithoutMandatory[] = R"(
  name: "loose"
  attribute { name: "title" constant: true }
  attribute { name: "price" }
  attribute { name: "genre" repeated: true }
  attribute { name: "rating" })";

using Names = std::vector<std::string>;

struct Case {
  const char* label;
  // title, price, genre, rating
  FieldLists golden;
  FieldLists fresh;
  FieldResult result;
  Names missing;
  Names wrong;
};

void Check(const char* schema, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const FieldOutcome outcome = CompareRecord(
        SchemaFromText(schema), RecordOf(c.golden), RecordOf(c.fresh));
    EXPECT_EQ(outcome.result, c.result) << FieldResultName(outcome.result)
                                        << " for " << FieldResultName(c.result);
    EXPECT_EQ(outcome.missing, c.missing);
    EXPECT_EQ(outcome.wrong, c.wrong);
  }
}

constexpr FieldResult kPass = FieldResult::kPass;
constexpr FieldResult kNull = FieldResult::kNull;
constexpr FieldResult kWrong = FieldResult::kWrong;

TEST(FieldTest, SchemaWithMandatoryAttributes) {
  const FieldLists golden = {{"Alien"}, {"$5"}, {"Horror", "SF"}, {"8"}};
  Check(kWithMandatory,
        {
            {"the same", golden, golden, kPass, {}, {}},
            {"what is not constant may differ",
             golden,
             {{"Alien"}, {"$7"}, {"Horror", "SF"}, {"2"}},
             kPass,
             {},
             {}},
            {"what is neither mandatory nor constant may be missing",
             golden,
             {{"Alien"}, {"$7"}, {"Horror", "SF"}, {}},
             kPass,
             {},
             {}},
            {"a mandatory attribute is missing",
             golden,
             {{"Alien"}, {}, {"Horror", "SF"}, {"8"}},
             kNull,
             {"price"},
             {}},
            {"a constant attribute is missing: null, not wrong",
             golden,
             {{"Alien"}, {"$5"}, {}, {"8"}},
             kNull,
             {"genre"},
             {}},
            {"nothing comes out",
             golden,
             {{}, {}, {}, {}},
             kNull,
             {"title", "price", "genre"},
             {}},
            {"a constant attribute differs",
             golden,
             {{"Aliens"}, {"$5"}, {"Horror", "SF"}, {"8"}},
             kWrong,
             {},
             {"title"}},
            {"a page without a record is null, whatever else is wrong",
             golden,
             {{"Aliens"}, {}, {"Horror", "SF"}, {"8"}},
             kNull,
             {"price"},
             {"title"}},
            {"a record with a wrong value is wrong, whatever else is missing",
             golden,
             {{"Aliens"}, {"$5"}, {}, {"8"}},
             kWrong,
             {"genre"},
             {"title"}},
            {"the order of repeated values does not matter",
             golden,
             {{"Alien"}, {"$5"}, {"SF", "Horror"}, {"8"}},
             kPass,
             {},
             {}},
            {"nor do repetitions",
             golden,
             {{"Alien"}, {"$5"}, {"SF", "Horror", "SF"}, {"8"}},
             kPass,
             {},
             {}},
            {"a repeated constant attribute with fewer values",
             golden,
             {{"Alien"}, {"$5"}, {"SF"}, {"8"}},
             kWrong,
             {},
             {"genre"}},
            {"white space is normalised, no-break space too",
             {{"The  Alien"}, {"$5"}, {"Horror", "SF"}, {"8"}},
             {{"\nThe\u00a0Alien"}, {"$5"}, {" SF", "Horror "}, {"8"}},
             kPass,
             {},
             {}},
            {"white space is no value",
             golden,
             {{" \n"}, {"$5"}, {"Horror", "SF"}, {"8"}},
             kNull,
             {"title"},
             {}},
            {"a constant attribute comes out that did not before",
             {{"Alien"}, {"$5"}, {}, {}},
             {{"Alien"}, {"$5"}, {"SF"}, {"8"}},
             kPass,
             {},
             {}},
            {"nothing came out before; the mandatory ones must now",
             {{}, {}, {}, {}},
             {{"Alien"}, {}, {}, {}},
             kNull,
             {"price"},
             {}},
            {"nothing came out before, all does now",
             {{}, {}, {}, {}},
             {{"Alien"}, {"$5"}, {}, {}},
             kPass,
             {},
             {}},
            {"values of fewer attributes than the schema has: the others have "
             "none",
             {{"Alien"}, {"$5"}},
             {{"Alien"}, {"$5"}},
             kPass,
             {},
             {}},
        });
}

TEST(FieldTest, SchemaWithoutMandatoryAttributes) {
  const FieldLists golden = {{"Alien"}, {"$5"}, {}, {"8"}};
  Check(kWithoutMandatory, {
                               {"the same", golden, golden, kPass, {}, {}},
                               {"an attribute that golden has is missing",
                                golden,
                                {{"Alien"}, {}, {}, {"8"}},
                                kNull,
                                {"price"},
                                {}},
                               {"one that golden does not have may come out",
                                golden,
                                {{"Alien"}, {"$6"}, {"SF"}, {"9"}},
                                kPass,
                                {},
                                {}},
                               {"nothing comes out",
                                golden,
                                {{}, {}, {}, {}},
                                kNull,
                                {"title", "price", "rating"},
                                {}},
                               {"wrong, and something else is missing",
                                golden,
                                {{"Aliens"}, {}, {}, {"8"}},
                                kWrong,
                                {"price"},
                                {"title"}},
                               {"nothing came out, nothing does",
                                {{}, {}, {}, {}},
                                {{}, {}, {}, {}},
                                kNull,
                                {"title", "price", "genre", "rating"},
                                {}},
                               {"nothing came out, something does",
                                {{}, {}, {}, {}},
                                {{}, {"$5"}, {}, {}},
                                kPass,
                                {},
                                {}},
                           });
}

constexpr char kShop[] = R"(
  name: "shop"
  attribute { name: "title" mandatory: true constant: true }
  attribute { name: "price" })";

TEST(CompareRecords, SeveralRecordsAreAlignedFirst) {
  const auto item = [](const char* title, const char* price) {
    return RecordOf({{title}, {price}});
  };
  const std::vector<Record> golden = {item("A", "1"), item("B", "2"),
                                      item("C", "3")};
  const struct {
    const char* label;
    std::vector<Record> fresh;
    FieldResult result;
    Names missing;
    Names wrong;
  } cases[] = {
      {"the same", golden, kPass, {}, {}},
      {"one more in front",
       {item("New", "9"), golden[0], golden[1], golden[2]},
       kPass,
       {},
       {}},
      {"one has gone", {golden[0], golden[2]}, kNull, {"title"}, {}},
      {"one is another",
       {golden[0], item("X", "2"), golden[2]},
       kWrong,
       {},
       {"title"}},
      {"all have gone", {}, kNull, {"title"}, {}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const FieldOutcome outcome =
        CompareRecords(SchemaFromText(kShop), golden, c.fresh);
    EXPECT_EQ(outcome.result, c.result) << FieldResultName(outcome.result);
    EXPECT_EQ(outcome.missing, c.missing);
    EXPECT_EQ(outcome.wrong, c.wrong);
  }
}

}  // namespace
}  // namespace trommel::record
