#include "synth/vertical.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "synth/entity.h"

namespace trommel::synth {
namespace {

TEST(MakeSchema, EqualsTheFileInSchemas) {
  for (const Vertical& vertical : Verticals()) {
    SCOPED_TRACE(vertical.name);
    const std::string path = std::string(TROMMEL_SOURCE_DIR) + "/schemas/" +
                             std::string(vertical.name) + ".textproto";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    proto::Schema stored;
    ASSERT_TRUE(
        google::protobuf::TextFormat::ParseFromString(text.str(), &stored));
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(
        stored, MakeSchema(vertical)))
        << "expected:\n"
        << MakeSchema(vertical).DebugString();
  }
}

TEST(Verticals, StartWithTheirMandatoryHeadline) {
  for (const Vertical& vertical : Verticals()) {
    SCOPED_TRACE(vertical.name);
    const proto::Schema schema = MakeSchema(vertical);
    ASSERT_GE(schema.attribute_size(), 3);
    EXPECT_TRUE(schema.attribute(0).mandatory());
    EXPECT_FALSE(schema.attribute(0).repeated());
    std::set<std::string> names;
    for (const proto::Attribute& attribute : schema.attribute()) {
      names.insert(attribute.name());
    }
    EXPECT_EQ(names.size(), static_cast<size_t>(schema.attribute_size()));
  }
}

TEST(Verticals, HaveDistinctLabels) {
  for (const Vertical& vertical : Verticals()) {
    for (const AttributeInfo& attribute : vertical.attributes) {
      SCOPED_TRACE(attribute.name);
      const std::set<std::string_view> labels(std::begin(attribute.labels),
                                              std::end(attribute.labels));
      EXPECT_EQ(labels.size(), 4u);
    }
  }
}

TEST(MakeEntity, FillsEveryAttribute) {
  for (const Vertical& vertical : Verticals()) {
    SCOPED_TRACE(vertical.name);
    for (uint64_t id = 1; id <= 300; ++id) {
      const SiteTraits traits = MakeTraits(id * 7);
      const Entity entity = MakeEntity(vertical, traits, id);
      ASSERT_EQ(entity.values.size(), vertical.attributes.size());
      EXPECT_EQ(entity.headline(), MakeHeadline(vertical, traits, id));
      for (size_t i = 0; i < entity.values.size(); ++i) {
        const auto& values = entity.values[i];
        ASSERT_FALSE(values.empty());
        if (!vertical.attributes[i].repeated) {
          EXPECT_EQ(values.size(), 1u);
        }
        for (const std::string& value : values) {
          EXPECT_FALSE(value.empty());
          EXPECT_EQ(value.find("  "), std::string::npos) << value;
          EXPECT_NE(value.front(), ' ');
          EXPECT_NE(value.back(), ' ');
        }
        const std::set<std::string> distinct(values.begin(), values.end());
        EXPECT_EQ(distinct.size(), values.size());
      }
    }
  }
}

TEST(AppendIsbn13, EndsInTheCheckDigit) {
  SiteTraits traits = MakeTraits(1);
  struct Case {
    int format;
    std::string_view text;
  };
  // The example of the ISBN Users' Manual.
  for (const Case& c : {Case{0, "9780306406157"}, Case{1, "978-0306406157"},
                        Case{2, "978-0-3064-0615-7"}}) {
    traits.isbn_format = c.format;
    std::string isbn;
    AppendIsbn13(traits, 30640615, &isbn);
    EXPECT_EQ(isbn, c.text);
  }
}

}  // namespace
}  // namespace trommel::synth
