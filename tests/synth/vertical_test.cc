#include "synth/vertical.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "synth/entity.h"

namespace trommel::synth {
namespace {

TEST(Verticals, StartWithTheirMandatoryHeadline) {
  for (const Vertical& vertical : Verticals()) {
    SCOPED_TRACE(vertical.name);
    ASSERT_GE(vertical.schema.attribute_size(), 3);
    EXPECT_TRUE(vertical.schema.attribute(0).mandatory());
    EXPECT_FALSE(vertical.schema.attribute(0).repeated());
    EXPECT_EQ(vertical.attributes[0].placement, AttributePlacement::kHeadline);
    std::set<std::string> names;
    for (const AttributeInfo& attribute : vertical.attributes) {
      names.insert(attribute.name);
    }
    EXPECT_EQ(names.size(), vertical.attributes.size());
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
