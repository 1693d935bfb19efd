#include "core/reuse/repair.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/learn/registry.h"
#include "core/rule/program_registry.h"
#include "tests/testing/records.h"

namespace trommel::reuse {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The old rule found everything by classes that are gone.
constexpr char kBroken[] =
    "site: 's.example' cluster_id: 'old' schema { name: 'movie' "
    "attribute { name: 'title' mandatory: true constant: true } "
    "attribute { name: 'genre' repeated: true constant: true } "
    "attribute { name: 'price' } } "
    "program { fields { attribute { name: 'title' alternative { xpath: "
    "'//b/text()' } } "
    "attribute { name: 'genre' alternative { xpath: '//i/text()' } } "
    "attribute { name: 'price' alternative { xpath: '//u/text()' } } } }";

struct Film {
  std::string title;
  std::vector<std::string> genres;
  std::string price;
};

Film FilmOf(int i) {
  static const char* const kGenres[] = {"War", "Drama", "Comedy", "Noir"};
  Film film;
  film.title = StrCat("Story number ", i * 17 % 101);
  film.genres = {kGenres[i % 4]};
  if (i % 3 == 0) film.genres.push_back(kGenres[(i + 1) % 4]);
  film.price = StrCat("$", i + 3, ".", 10 + i);
  return film;
}

std::string NewPage(const Film& film) {
  std::string html = StrCat(
      "<html><body><ul class=menu><li>Home</li><li>Drama</li></ul>"
      "<h1 class=name>",
      film.title, "</h1><dl><dt>Genre</dt><dd class=genre>");
  for (const std::string& genre : film.genres) {
    StrAppend(&html, "<a href=x>", genre, "</a> ");
  }
  StrAppend(&html, "</dd><dt>Price</dt><dd class=price>", film.price,
            "</dd></dl><p>Imprint</p></body></html>");
  return html;
}

class RepairTest : public testing::Test {
 protected:
  RepairTest() {
    EXPECT_TRUE(
        google::protobuf::TextFormat::ParseFromString(kBroken, &broken_));
    input_.broken = &broken_;
    input_.about.set_cluster_id("new");
  }

  void Add(const std::string& html, const testing_support::FieldLists& golden) {
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    learn::LearnPage& page = input_.pages.emplace_back();
    page.url = StrCat("http://s.example/", input_.pages.size());
    parser->ParseUtf8(html, &page.document);
    input_.golden.push_back({testing_support::RecordOf(golden)});
  }
  void AddFilms(int count) {
    for (int i = 0; i < count; ++i) {
      const Film film = FilmOf(i);
      Add(NewPage(film), {{film.title}, film.genres, {film.price}});
    }
  }
  RepairOutcome Repair() {
    const auto learner = learn::MakeLearner("vertex");
    auto outcome = RepairRule(**learner, std::move(input_));
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? *std::move(outcome) : RepairOutcome();
  }
  // What the repaired rule extracts from a page it has not seen.
  static testing_support::FieldLists Extract(const proto::Rule& rule,
                                             const Film& film) {
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    html::Document document;
    parser->ParseUtf8(NewPage(film), &document);
    const auto extractor = rule::CompileRule(rule);
    EXPECT_TRUE(extractor.ok()) << extractor.status();
    return testing_support::ListsOf(
        (*extractor)->Extract(document, "http://s.example/x")[0]);
  }

  proto::Rule broken_;
  RepairInput input_;
};

TEST_F(RepairTest, LearnsFromWhereTheOldValuesAreNow) {
  AddFilms(12);
  const RepairOutcome outcome = Repair();
  ASSERT_TRUE(outcome.rule.has_value()) << outcome.reason;
  EXPECT_EQ(outcome.rule->cluster_id(), "new");
  EXPECT_EQ(outcome.rule->learner(), "vertex");
  EXPECT_EQ(outcome.rule->sample_page_size(), 12);
  EXPECT_TRUE(outcome.rule->validity().valid());
  EXPECT_THAT(outcome.reason, HasSubstr("title, genre, price learnt again"));
  const Film film = FilmOf(50);
  EXPECT_THAT(Extract(*outcome.rule, film),
              ElementsAre(ElementsAre(film.title), film.genres,
                          ElementsAre(film.price)));
}

TEST_F(RepairTest, KeepsWhatWorks) {
  AddFilms(12);
  input_.working = {"title", "genre"};
  const RepairOutcome outcome = Repair();
  ASSERT_TRUE(outcome.rule.has_value()) << outcome.reason;
  EXPECT_EQ(
      outcome.rule->program().fields().attribute(0).alternative(0).xpath(),
      "//b/text()");
  EXPECT_EQ(
      outcome.rule->program().fields().attribute(1).alternative(0).xpath(),
      "//i/text()");
  EXPECT_NE(
      outcome.rule->program().fields().attribute(2).alternative(0).xpath(),
      "//u/text()");
}

TEST_F(RepairTest, ValuesThatChangedAreNoAnnotations) {
  for (int i = 0; i < 12; ++i) {
    const Film film = FilmOf(i);
    // Every other price changed: too many to trust the rest.
    Add(NewPage(film),
        {{film.title}, film.genres, {i % 2 == 0 ? film.price : "$999.99"}});
  }
  const RepairOutcome outcome = Repair();
  ASSERT_TRUE(outcome.rule.has_value()) << outcome.reason;
  EXPECT_EQ(outcome.rule->program().fields().attribute_size(), 2);
  EXPECT_THAT(outcome.reason, HasSubstr("not found again: price (its values "
                                        "are found on 6 of 12 pages)"));
}

TEST_F(RepairTest, AMandatoryAttributeThatIsGoneNeedsAnEditor) {
  for (int i = 0; i < 12; ++i) {
    Film film = FilmOf(i);
    const std::string title = film.title;
    film.title = "Film";
    Add(NewPage(film), {{title}, film.genres, {film.price}});
  }
  const RepairOutcome outcome = Repair();
  EXPECT_FALSE(outcome.rule.has_value());
  EXPECT_THAT(outcome.reason, HasSubstr("title cannot be learnt again"));
}

TEST_F(RepairTest, AValueThatIsTheSameEverywhereTellsNothing) {
  for (int i = 0; i < 12; ++i) {
    Film film = FilmOf(i);
    film.genres = {"Drama"};  // which the menu has as well
    Add(NewPage(film), {{film.title}, film.genres, {film.price}});
  }
  const RepairOutcome outcome = Repair();
  EXPECT_FALSE(outcome.rule.has_value());
  EXPECT_THAT(outcome.reason, HasSubstr("the same on all pages"));
}

TEST_F(RepairTest, ListsAreCutWhereTheirPartsAreFound) {
  for (int i = 0; i < 12; ++i) {
    const Film film = FilmOf(i);
    std::string list;
    for (const std::string& genre : film.genres) {
      StrAppend(&list, list.empty() ? "" : ", ", genre);
    }
    Add(NewPage(film), {{film.title}, {list}, {film.price}});
  }
  const RepairOutcome outcome = Repair();
  ASSERT_TRUE(outcome.rule.has_value()) << outcome.reason;
  const Film film = FilmOf(33);
  EXPECT_EQ(Extract(*outcome.rule, film)[1], film.genres);
}

TEST_F(RepairTest, AFewWrongOldValuesAreOutvoted) {
  for (int i = 0; i < 20; ++i) {
    const Film film = FilmOf(i);
    // On some pages the old rule took the price for the genre.
    Add(NewPage(film),
        {{film.title},
         i % 7 == 3 ? std::vector<std::string>{film.price} : film.genres,
         {film.price}});
  }
  const RepairOutcome outcome = Repair();
  ASSERT_TRUE(outcome.rule.has_value()) << outcome.reason;
  const Film film = FilmOf(40);
  EXPECT_EQ(Extract(*outcome.rule, film)[1], film.genres);
}

TEST_F(RepairTest, NothingToLearnFrom) {
  const RepairOutcome outcome = Repair();
  EXPECT_FALSE(outcome.rule.has_value());
  EXPECT_THAT(outcome.reason, HasSubstr("no page"));
}

TEST_F(RepairTest, NothingBroken) {
  AddFilms(4);
  input_.working = {"title", "genre", "price"};
  const RepairOutcome outcome = Repair();
  EXPECT_FALSE(outcome.rule.has_value());
  EXPECT_THAT(outcome.reason, HasSubstr("no attribute is broken"));
}

}  // namespace
}  // namespace trommel::reuse
