#include "core/monitor/field_test.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace trommel {
namespace {

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
  FieldValues golden;
  FieldValues fresh;
  FieldResult result;
  Names missing;
  Names wrong;
};

void Check(const char* schema, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const FieldOutcome outcome =
        CompareFields(SchemaFromText(schema), c.golden, c.fresh);
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
  const FieldValues golden = {{"Alien"}, {"$5"}, {"Horror", "SF"}, {"8"}};
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
  const FieldValues golden = {{"Alien"}, {"$5"}, {}, {"8"}};
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

TEST(FieldTest, GoldenValuesStandByAttribute) {
  const proto::Schema schema = SchemaFromText(kWithMandatory);
  proto::Bellwether bellwether;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(url: "http://a/1"
         golden { attribute: "genre" value: "SF" value: "Horror" }
         golden { attribute: "dropped from the schema" value: "x" }
         golden { attribute: "title" value: "Alien" })",
      &bellwether));
  const FieldValues wanted = {{"Alien"}, {}, {"SF", "Horror"}, {}};
  EXPECT_EQ(GoldenValues(schema, bellwether), wanted);
}

TEST(FieldTest, ValuesOfRecord) {
  PageRecord record;
  record.attributes.resize(2);
  record.attributes[1].values = {"a", "b"};
  const FieldValues wanted = {{}, {"a", "b"}};
  EXPECT_EQ(FieldValuesOf(record), wanted);
}

}  // namespace
}  // namespace trommel
