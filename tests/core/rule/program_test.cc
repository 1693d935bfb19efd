#include "core/rule/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trommel::rule {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Gives the same records for every page, and leaves to its base class what it
// can. Extracts the first attributes of a schema of three.
class FixedExtractor final : public PageExtractor {
 public:
  FixedExtractor(size_t num_extracted, std::vector<record::Record> records)
      : PageExtractor(RuleOfThreeAttributes()), records_(std::move(records)) {
    for (size_t i = 0; i < num_extracted; ++i) SetExtracts(i);
  }

  std::vector<record::Record> Extract(const html::Document&,
                                      std::string_view) const override {
    return records_;
  }
  ProgramDescription Describe() const override { return {"fixed", {}}; }
  Explanation Explain(const html::Document&, std::string_view) const override {
    return {records_, {}};
  }

 private:
  static proto::Rule RuleOfThreeAttributes() {
    proto::Rule rule;
    for (const char* const name : {"title", "genre", "year"}) {
      rule.mutable_schema()->add_attribute()->set_name(name);
    }
    return rule;
  }

  const std::vector<record::Record> records_;
};

record::Record MakeRecord(std::vector<std::vector<std::string>> values) {
  record::Record record;
  for (std::vector<std::string>& one : values) {
    record.attributes.emplace_back().values = std::move(one);
  }
  return record;
}

TEST(PageExtractorTest, SaysWhatItExtracts) {
  const FixedExtractor nothing(0, {});
  EXPECT_THAT(nothing.extracts(), ElementsAre(false, false, false));
  EXPECT_FALSE(nothing.ExtractsAny());
  const FixedExtractor two(2, {});
  EXPECT_THAT(two.extracts(), ElementsAre(true, true, false));
  EXPECT_TRUE(two.ExtractsAny());
}

TEST(PageExtractorTest, RecordsAreTheOneVoiceOnWhatIsExtracted) {
  const struct {
    const char* label;
    std::vector<record::Record> records;
    std::vector<std::string> titles;
    std::vector<std::string> genres;
  } cases[] = {
      {"no record: silent", {}, {}, {}},
      {"repetitions are left out, in document order",
       {MakeRecord({{"B"}, {"War", "Drama"}}),
        MakeRecord({{"A"}, {"Drama", "Art"}}), MakeRecord({{"B"}})},
       {"B", "A"},
       {"War", "Drama", "Art"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const auto opinions =
        FixedExtractor(2, c.records).Opinions(html::Document(), "");
    ASSERT_THAT(opinions, ElementsAre(SizeIs(1), SizeIs(1), IsEmpty()));
    EXPECT_EQ(opinions[0][0].values, c.titles);
    EXPECT_EQ(opinions[1][0].values, c.genres);
  }
}

TEST(PageExtractorTest, HasNoStylesheetUnlessItsKindMakesOne) {
  const absl::Status status = FixedExtractor(1, {}).MakeStylesheet().status();
  EXPECT_TRUE(absl::IsUnimplemented(status));
  EXPECT_EQ(status.message(),
            "programs of the kind fixed cannot be said in XSLT");
}

}  // namespace
}  // namespace trommel::rule
