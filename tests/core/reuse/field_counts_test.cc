#include "core/reuse/field_counts.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/testing/records.h"

namespace trommel::reuse {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

proto::Schema MovieSchema() {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 'movie' "
      "attribute { name: 'title' mandatory: true constant: true } "
      "attribute { name: 'genre' repeated: true constant: true } "
      "attribute { name: 'price' }",
      &schema));
  return schema;
}

constexpr size_t kTitle = 0;
constexpr size_t kGenre = 1;
constexpr size_t kPrice = 2;

using Records = std::vector<record::Record>;

Records Page(const std::string& title, const std::vector<std::string>& genres,
             const std::string& price) {
  testing_support::FieldLists values(3);
  if (!title.empty()) values[0] = {title};
  values[1] = genres;
  if (!price.empty()) values[2] = {price};
  return {testing_support::RecordOf(values)};
}

// The page with the values of some attributes weak.
Records Golden(Records page, const std::set<size_t>& weak = {}) {
  for (const size_t attribute : weak) {
    page[0].attributes[attribute].is_weak = true;
  }
  return page;
}

class FieldCountsTest : public testing::Test {
 protected:
  // Adds pages that were `before` and are `now`.
  void Add(int pages, const Records& before, const Records& now,
           const std::set<size_t>& weak = {}) {
    for (int i = 0; i < pages; ++i) {
      counts_.AddShared(schema_, Golden(before, weak), now);
    }
  }
  FieldVerdict Judge(HowMatched how = HowMatched::kCluster) const {
    return JudgeFields(schema_, counts_, how, thresholds_);
  }

  const proto::Schema schema_ = MovieSchema();
  const Records good_ = Page("Dune", {"War"}, "$9");
  const Records no_title_ = Page("", {"War"}, "$9");
  FieldCounts counts_;
  FieldThresholds thresholds_;
};

TEST_F(FieldCountsTest, AllAsBefore) {
  Add(20, good_, good_);
  EXPECT_TRUE(counts_.IsAsBefore());
  EXPECT_TRUE(Judge().passes);
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_THAT(Judge().reason, HasSubstr("20 of 20 pages pass"));
}

TEST_F(FieldCountsTest, OneOddPageInTwentyIsBorneAndTwoAreNot) {
  Add(19, good_, good_);
  Add(1, good_, no_title_);
  EXPECT_TRUE(Judge().passes);
  Add(1, good_, no_title_);
  EXPECT_FALSE(Judge().passes);
  EXPECT_EQ(counts_.null, 2);
  EXPECT_THAT(Judge().reason,
              HasSubstr("title is missing on 2 of 21 pages that had it"));
}

TEST_F(FieldCountsTest, AConstantAttributeThatIsAnother) {
  Add(18, good_, good_);
  Add(2, good_, Page("Tenet", {"War"}, "$9"));
  EXPECT_FALSE(Judge().passes);
  EXPECT_EQ(counts_.wrong, 2);
  EXPECT_THAT(Judge().reason, HasSubstr("title is another on 2 of 20 pages"));
}

TEST_F(FieldCountsTest, AnOptionalAttributeThatIsGone) {
  Add(20, good_, Page("Dune", {"War"}, ""));
  EXPECT_EQ(counts_.passed, 20);  // as the paper has it
  EXPECT_FALSE(counts_.IsAsBefore());
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("price is missing on 20 of 20"));
}

TEST_F(FieldCountsTest, AnOptionalAttributeMayBeGoneFromSome) {
  Add(16, good_, good_);
  Add(4, good_, Page("Dune", {"War"}, ""));
  EXPECT_TRUE(Judge().passes);
  Add(1, good_, Page("Dune", {"War"}, ""));
  EXPECT_FALSE(Judge().passes);
}

TEST_F(FieldCountsTest, PricesChange) {
  Add(20, good_, Page("Dune", {"War"}, "$7"));
  EXPECT_TRUE(Judge(HowMatched::kPage).passes);
  // But where the pages are built differently it may be another price.
  EXPECT_FALSE(Judge(HowMatched::kFieldTest).passes);
  EXPECT_THAT(Judge(HowMatched::kFieldTest).reason,
              HasSubstr("no shingle test vouches for it"));
}

TEST_F(FieldCountsTest, PricesDoNotBecomeWords) {
  Add(20, good_, Page("Dune", {"War"}, "in stock"));
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("price looks different"));
}

TEST_F(FieldCountsTest, ValuesOutOfNowhere) {
  Add(10, good_, good_);
  Add(10, Page("Dune", {}, "$9"), Page("Dune", {"Frank Herbert"}, "$9"));
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason,
              HasSubstr("genre turns up on 10 of 10 pages that did not"));
}

TEST_F(FieldCountsTest, RecordsOutOfNowhere) {
  Add(18, good_, good_);
  for (int i = 0; i < 2; ++i) {
    counts_.AddShared(schema_, {}, good_);
  }
  EXPECT_EQ(counts_.appeared, 2);
  EXPECT_FALSE(Judge().passes);
}

TEST_F(FieldCountsTest, PagesWithoutARecordSayNothingButMustNotBeMost) {
  Add(20, good_, good_);
  Add(20, no_title_, no_title_);
  EXPECT_EQ(counts_.silent, 20);
  EXPECT_TRUE(Judge().passes);
  Add(1, no_title_, no_title_);
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("only 20 of 41 pages"));
}

TEST_F(FieldCountsTest, FewPagesNeedTheOthers) {
  Add(3, good_, good_);
  for (int i = 0; i < 10; ++i) counts_.AddUnshared(schema_, no_title_);
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("of the others 0 of 10"));
  Add(7, good_, good_);
  EXPECT_TRUE(Judge().passes);
}

TEST_F(FieldCountsTest, WithoutSharedUrlsRecordsDecide) {
  EXPECT_FALSE(Judge().passes);
  for (int i = 0; i < 20; ++i) counts_.AddUnshared(schema_, good_);
  EXPECT_TRUE(Judge(HowMatched::kCluster).passes);
  EXPECT_FALSE(Judge(HowMatched::kFieldTest).passes);
  for (int i = 0; i < 2; ++i) counts_.AddUnshared(schema_, no_title_);
  EXPECT_FALSE(Judge(HowMatched::kCluster).passes);
}

TEST_F(FieldCountsTest, ListsMayBeCutButNotJoined) {
  Add(20, Page("Dune", {"War, Drama"}, "$9"),
      Page("Dune", {"Drama", "War"}, "$9"));
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_TRUE(Judge().passes);
  Add(20, Page("Dune", {"Drama", "War"}, "$9"),
      Page("Dune", {"Drama, War"}, "$9"));
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_FALSE(Judge().passes);
}

TEST_F(FieldCountsTest, PlaceholdersAreNoValues) {
  Add(10, good_, good_);
  Add(10, Page("Dune", {"n/a"}, "-"), Page("Dune", {}, ""));
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_TRUE(Judge().passes);
}

TEST_F(FieldCountsTest, ButTheyMustNotTurnUp) {
  Add(10, good_, good_);
  Add(10, Page("Dune", {}, "$9"), Page("Dune", {"n/a"}, "$9"));
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("genre turns up on 10 of 10"));
}

TEST_F(FieldCountsTest, OnePageIsNoise) {
  Add(19, Page("Dune", {"War"}, ""), Page("Dune", {"War"}, ""));
  Add(1, good_, Page("Dune", {"War"}, ""));
  EXPECT_TRUE(Judge().passes) << Judge().reason;
}

TEST_F(FieldCountsTest, WeakValuesSayNothingWhereTheyAreFew) {
  Add(10, good_, good_);
  Add(9, good_, Page("Dune", {}, "$9"), {kGenre});
  EXPECT_TRUE(Judge().passes) << Judge().reason;
  Add(2, good_, Page("Dune", {}, "$9"), {kGenre});
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("genre is missing on 11 of 21"));
}

// Counts travel as events, which leave out what is zero.
TEST_F(FieldCountsTest, ValuesThatAreAllWeakAreMissedInEvents) {
  Add(20, good_, Page("Dune", {}, "$9"), {kGenre});
  FieldCounts arrived;
  counts_.VisitEvents([&](const std::string& event, int64_t count) {
    EXPECT_TRUE(arrived.AddEvent(event, count)) << event;
  });
  counts_ = arrived;
  EXPECT_FALSE(Judge().passes);
  EXPECT_THAT(Judge().reason, HasSubstr("genre is missing on 20 of 20"));
}

TEST_F(FieldCountsTest, MandatoryValuesAreNeverWeak) {
  Add(20, good_, Page("Tenet", {"War"}, "$9"), {kTitle});
  EXPECT_EQ(counts_.wrong, 20);
}

TEST_F(FieldCountsTest, EventsAddUp) {
  Add(5, good_, Page("Dune", {}, "$7"));
  Add(3, good_, Page("Tenet", {"War"}, ""), {kPrice});
  counts_.AddUnshared(schema_, good_);
  FieldCounts again;
  for (int i = 0; i < 2; ++i) {
    counts_.VisitEvents([&](const std::string& event, int64_t count) {
      EXPECT_TRUE(again.AddEvent(event, count)) << event;
    });
  }
  Add(5, good_, Page("Dune", {}, "$7"));
  Add(3, good_, Page("Tenet", {"War"}, ""), {kPrice});
  counts_.AddUnshared(schema_, good_);
  EXPECT_EQ(again, counts_);
  EXPECT_FALSE(again.AddEvent("nonsense", 1));
  EXPECT_FALSE(again.AddEvent("nonsense.title", 1));
}

TEST_F(FieldCountsTest, VerdictsAreTheSameAfterEvents) {
  // All old values of the attribute are weak, and all are gone.
  Add(20, good_, Page("Dune", {}, "$9"), {kGenre});
  FieldCounts again;
  counts_.VisitEvents([&](const std::string& event, int64_t count) {
    EXPECT_TRUE(again.AddEvent(event, count)) << event;
  });
  EXPECT_EQ(again, counts_);
  const FieldVerdict verdict =
      JudgeFields(schema_, again, HowMatched::kCluster, thresholds_);
  EXPECT_FALSE(verdict.passes);
  EXPECT_EQ(verdict.reason, Judge().reason);
  EXPECT_THAT(verdict.reason, HasSubstr("genre is missing on 20 of 20 pages"));
}

TEST_F(FieldCountsTest, SeveralRecordsAPage) {
  const Records two = {good_[0], Page("Tenet", {"SF"}, "$8")[0]};
  Add(10, two, two);
  EXPECT_EQ(counts_.passed, 10);
  EXPECT_EQ(counts_.records, 20);
  EXPECT_EQ(counts_.attributes["title"].same, 20);
  // One record in front of the others shifts none of them.
  Add(10, two, {Page("New", {"War"}, "$1")[0], two[0], two[1]});
  EXPECT_EQ(counts_.passed, 20);
  EXPECT_TRUE(Judge().passes);
  // One that has gone is missed.
  Add(2, two, {two[1]});
  EXPECT_EQ(counts_.null, 2);
  EXPECT_EQ(counts_.attributes["title"].lost, 2);
  EXPECT_FALSE(Judge().passes);
}

// A program may give more or fewer attributes than its schema has.
TEST(CutLists, AttributesAreThoseOfTheSchema) {
  proto::Schema schema;
  schema.add_attribute()->set_name("title");
  proto::Attribute* const genre = schema.add_attribute();
  genre->set_name("genre");
  genre->set_repeated(true);
  record::Record record;
  for (const size_t size : {0u, 1u, 2u, 3u, 9u}) {
    record.attributes.assign(size, {.values = {"Drama, War"}});
    const record::Record cut = CutLists(schema, record);
    EXPECT_EQ(cut.attributes.size(), 2u) << size;
    EXPECT_EQ(cut.values(0).size(), size > 0 ? 1u : 0u) << size;
    EXPECT_EQ(cut.values(1).size(), size > 1 ? 2u : 0u) << size;
  }
}

TEST(SplitList, AtCommasAndTheLike) {
  EXPECT_THAT(SplitList("A, B;C / D"), ElementsAre("A", "B", "C", "D"));
  EXPECT_THAT(SplitList(" , "), testing::IsEmpty());
}

}  // namespace
}  // namespace trommel::reuse
