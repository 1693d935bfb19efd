#include "core/annotation/placed_values.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"

namespace trommel::annotation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using Kind = Annotation::Kind;

// Places are told by the id of the element they are in.
class PlacedValuesTest : public testing::Test {
 protected:
  PlacedValuesTest() {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "name: 's' attribute { name: 'title' } attribute { name: 'price' } "
        "attribute { name: 'genre' repeated: true }",
        &schema_));
  }

  std::string Page(const std::string& html) {
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    html::Document& document = documents_.emplace_back();
    EXPECT_EQ(parser->ParseUtf8(html, &document), html::ParseOutcome::kOk);
    texts_.emplace_back(document);
    const std::string& url =
        urls_.emplace_back(StrCat("http://a/", documents_.size()));
    pages_.push_back({&texts_.back(), url});
    return url;
  }

  Annotation& Add(Kind kind, const std::string& url,
                  const std::string& attribute, const std::string& value,
                  std::optional<int64_t> record = std::nullopt) {
    Annotation& annotation = annotations_.emplace_back();
    annotation.line = static_cast<int64_t>(annotations_.size());
    annotation.kind = kind;
    annotation.url = url;
    annotation.attribute = attribute;
    annotation.value = value;
    annotation.record = record;
    return annotation;
  }
  void Value(const std::string& url, const std::string& attribute,
             const std::string& value,
             std::optional<int64_t> record = std::nullopt) {
    Add(Kind::kValue, url, attribute, value, record);
  }

  PlacedAnnotations Place() const {
    return PlaceAnnotations(schema_, annotations_, pages_);
  }

  // "0:id" by record and id, sorted.
  std::vector<std::string> Where(const std::vector<PlacedValue>& values) const {
    std::vector<std::string> where;
    for (const PlacedValue& value : values) {
      const html::Document& document = documents_[value.page];
      const html::NodeId element = document.IsText(value.place.node)
                                       ? document.node(value.place.node).parent
                                       : value.place.node;
      where.push_back(
          StrCat(value.record.has_value() ? StrCat(*value.record, ":") : "",
                 document.Value(element, html::names::k_id)));
    }
    std::sort(where.begin(), where.end());
    return where;
  }
  std::vector<std::string> Titles(const PlacedAnnotations& placed) const {
    return Where(placed.attributes[0].values);
  }
  std::vector<std::string> Prices(const PlacedAnnotations& placed) const {
    return Where(placed.attributes[1].values);
  }
  std::vector<std::string> Genres(const PlacedAnnotations& placed) const {
    return Where(placed.attributes[2].values);
  }

  proto::Schema schema_;
  std::deque<html::Document> documents_;
  std::deque<PageText> texts_;
  std::deque<std::string> urls_;
  std::vector<ResolvePage> pages_;
  std::vector<Annotation> annotations_;
};

TEST_F(PlacedValuesTest, OneRecordAPage) {
  const std::string a = Page("<h1 id=t>Dune</h1><b id=p>$5</b><i id=q>$9</i>");
  const std::string b = Page("<h1 id=t>Solaris</h1><b id=p>$9</b>");
  const std::string c = Page("<h1 id=t>Stalker</h1>");
  Value(a, "title", "Dune");
  Value(a, "price", "$5");
  Value(b, "price", "$9");
  Add(Kind::kNegative, a, "price", "$9");
  Add(Kind::kAbsent, c, "price", "");
  Value("http://elsewhere", "title", "Dune");
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Titles(placed), ElementsAre("t"));
  EXPECT_THAT(Prices(placed), ElementsAre("p", "p"));
  EXPECT_THAT(Where(placed.attributes[1].negatives), ElementsAre("q"));
  EXPECT_THAT(placed.attributes[1].absent_pages, ElementsAre(2));
  EXPECT_TRUE(placed.attributes[1].is_annotated);
  EXPECT_FALSE(placed.attributes[2].is_annotated);
  EXPECT_THAT(placed.complete_pages, IsEmpty());
  EXPECT_THAT(placed.warnings, IsEmpty());
}

TEST_F(PlacedValuesTest, WarningsNameTheLine) {
  const std::string a = Page("<h1>Dune</h1><b>$5 for all</b>");
  Value(a, "title", "Dune");
  Value(a, "title", "Arrakis");
  Add(Kind::kValue, a, "price", "$5").xpath = "//i";
  const PlacedAnnotations placed = Place();
  EXPECT_TRUE(placed.attributes[1].has_xpath);
  std::vector<std::string> warnings;
  for (const AnnotationProblem& warning : placed.warnings) {
    warnings.push_back(StrCat(warning.line, " ", warning.message));
  }
  EXPECT_THAT(
      warnings,
      ElementsAre("2 title of http://a/1: \"Arrakis\", and \"Dune\" as well, "
                  "although the attribute is not repeated; both are taken as "
                  "right",
                  HasSubstr("2 title of http://a/1: \"Arrakis\" is not on the "
                            "page"),
                  "3 price of http://a/1: the XPath is not used: it selects 0 "
                  "nodes"));
}

// Two pages of three films, which cost the same, as the postage does.
TEST_F(PlacedValuesTest, EqualValuesOfRecordsAreTheirOwn) {
  for (int i = 0; i < 2; ++i) {
    const std::string url = Page(
        "<p>Postage: <b id=postage>$5</b></p><ul>"
        "<li><h2 id=t0>Dune</h2><p>long</p><b class=price id=p0>$5</b></li>"
        "<li><h2 id=t1>Solaris</h2><p>slow</p><b class=price id=p1>$5</b></li>"
        "<li><h2 id=t2>Dune</h2><p>again</p><b class=price id=p2>$5</b></li>"
        "</ul>");
    for (int record = 0; record < 3; ++record) {
      Value(url, "title", record == 1 ? "Solaris" : "Dune", record);
      Value(url, "price", "$5", record);
    }
    Add(Kind::kComplete, url, "", "");
  }
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Titles(placed),
              ElementsAre("0:t0", "0:t0", "1:t1", "1:t1", "2:t2", "2:t2"));
  EXPECT_THAT(Prices(placed),
              ElementsAre("0:p0", "0:p0", "1:p1", "1:p1", "2:p2", "2:p2"));
  EXPECT_THAT(placed.complete_pages, ElementsAre(0, 1));
  EXPECT_THAT(placed.attributes[1].absent_pages, IsEmpty());
  EXPECT_THAT(placed.warnings, IsEmpty());

  // In any order.
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    std::shuffle(annotations_.begin(), annotations_.end(), random);
    EXPECT_EQ(Prices(Place()), Prices(placed));
    EXPECT_EQ(Titles(Place()), Titles(placed));
  }
}

// The record's other values tell which of the equal ones is missing: the second
// film has no price, or nobody says so.
TEST_F(PlacedValuesTest, TheNearestPlaceIsTheRecords) {
  const std::string url = Page(
      "<ul><li><h2 id=t0>Dune</h2><b class=price id=p0>$5</b></li>"
      "<li><h2 id=t1>Solaris</h2><b class=price id=p1>$5</b></li>"
      "<li><h2 id=t2>Stalker</h2><b class=price id=p2>$5</b></li></ul>");
  Value(url, "title", "Dune", 0);
  Value(url, "title", "Solaris", 1);
  Value(url, "title", "Stalker", 2);
  Value(url, "price", "$5", 2);
  EXPECT_THAT(Prices(Place()), ElementsAre("2:p2"));
  Value(url, "price", "$5", 0);
  EXPECT_THAT(Prices(Place()), ElementsAre("0:p0", "2:p2"));
  Add(Kind::kAbsent, url, "price", "", 1);
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Prices(placed), ElementsAre("0:p0", "2:p2"));
  EXPECT_THAT(placed.attributes[1].absent_pages, IsEmpty());
  EXPECT_THAT(placed.attributes[1].absent_records, ElementsAre(Pair(0, 1)));
}

// Records without an element of their own, and records in columns.
TEST_F(PlacedValuesTest, FlatAndInterleavedRecords) {
  const std::string flat = Page(
      "<dl><dt id=t0>Dune<dd id=p0>$5<dt id=t1>Solaris<dd id=p1>$5"
      "<dt id=t2>Stalker<dd id=p2>$7</dl>");
  const std::string columns = Page(
      "<table><tr><td id=t0>Dune<td id=t1>Solaris<td id=t2>Stalker"
      "<tr><td id=p0>$5<td id=p1>$5<td id=p2>$5</table>");
  const char* const kTitles[] = {"Dune", "Solaris", "Stalker"};
  for (int record = 0; record < 3; ++record) {
    Value(flat, "title", kTitles[record], record);
    Value(flat, "price", record == 2 ? "$7" : "$5", record);
    Value(columns, "title", kTitles[record], record);
    Value(columns, "price", "$5", record);
  }
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Titles(placed),
              ElementsAre("0:t0", "0:t0", "1:t1", "1:t1", "2:t2", "2:t2"));
  EXPECT_THAT(Prices(placed),
              ElementsAre("0:p0", "0:p0", "1:p1", "1:p1", "2:p2", "2:p2"));
}

// One of the equal values is marked up unlike the others.
TEST_F(PlacedValuesTest, AnotherKindOfPlaceWhereThereIsNoneAlike) {
  const std::string url = Page(
      "<ul><li><h2 id=t0>Dune</h2><b class=price id=p0>$5</b></li>"
      "<li><h2 id=t1>Solaris</h2><i class=sale id=p1>$5</i></li>"
      "<li><h2 id=t2>Stalker</h2><b class=price id=p2>$7</b></li></ul>");
  Value(url, "title", "Dune", 0);
  Value(url, "title", "Solaris", 1);
  Value(url, "title", "Stalker", 2);
  Value(url, "price", "$5", 0);
  Value(url, "price", "$5", 1);
  Value(url, "price", "$7", 2);
  EXPECT_THAT(Prices(Place()), ElementsAre("0:p0", "1:p1", "2:p2"));
}

TEST_F(PlacedValuesTest, RepeatedAttributesOfRecords) {
  const std::string url = Page(
      "<ul><li><h2 id=t0>Dune</h2><i id=d0>Drama</i><i id=c0>Comedy</i></li>"
      "<li><h2 id=t1>Solaris</h2><i id=c1>Comedy</i><i id=d1>Drama</i></li>"
      "<li><h2 id=t2>Stalker</h2><i id=d2>Drama</i></li></ul>");
  Value(url, "genre", "Drama", 0);
  Value(url, "genre", "Comedy", 0);
  Value(url, "genre", "Drama", 1);
  Value(url, "genre", "Comedy", 1);
  EXPECT_THAT(Genres(Place()), ElementsAre("0:c0", "0:d0", "1:c1", "1:d1"));
  // With a title, also where the records before have none.
  annotations_.clear();
  Value(url, "title", "Dune", 0);
  Value(url, "title", "Stalker", 2);
  Value(url, "genre", "Drama", 2);
  EXPECT_THAT(Genres(Place()), ElementsAre("2:d2"));
}

TEST_F(PlacedValuesTest, MoreValuesThanPlaces) {
  const std::string url = Page("<ul><li id=p0>$5</li><li id=p1>$5</li></ul>");
  for (int record = 0; record < 3; ++record) Value(url, "price", "$5", record);
  const PlacedAnnotations placed = Place();
  EXPECT_EQ(placed.attributes[1].values.size(), 2u);
  ASSERT_EQ(placed.warnings.size(), 1u);
  EXPECT_THAT(placed.warnings[0].message,
              testing::AllOf(HasSubstr("price of record "),
                             HasSubstr("between the records")));
}

// However many they are, as parts of texts and as links.
TEST_F(PlacedValuesTest, MoreEqualValuesThanOneValueHasPlaces) {
  schema_.mutable_attribute(0)->set_type(proto::Attribute::IMAGE);
  constexpr int kRecords = 300;
  std::string html = "<ul>";
  for (int i = 0; i < kRecords; ++i) {
    StrAppend(&html, "<li><img id=i", i, " src=new.png><b id=p", i,
              ">Only $5!</b></li>");
  }
  const std::string url = Page(html);
  std::vector<std::string> images, prices;
  for (int record = 0; record < kRecords; ++record) {
    Value(url, "title", "new.png", record);
    Value(url, "price", "$5", record);
    images.push_back(StrCat(record, ":i", record));
    prices.push_back(StrCat(record, ":p", record));
  }
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Titles(placed), testing::UnorderedElementsAreArray(images));
  EXPECT_THAT(Prices(placed), testing::UnorderedElementsAreArray(prices));
  EXPECT_THAT(placed.warnings, IsEmpty());
}

// An XPath says which place is the record's; the places are alike all the same.
TEST_F(PlacedValuesTest, EqualValuesWithXPaths) {
  const std::string url = Page(
      "<ul><li><b id=p0>$5</b></li><li><b id=p1>$5</b></li>"
      "<li><b id=p2>$5</b></li></ul>");
  for (int record = 0; record < 3; ++record) {
    Add(Kind::kValue, url, "price", "$5", record).xpath =
        StrCat("//b[@id='p", record, "']/text()");
  }
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Prices(placed), ElementsAre("0:p0", "1:p1", "2:p2"));
  for (const PlacedValue& value : placed.attributes[1].values) {
    EXPECT_EQ(value.group, 0);
  }
}

// What is not one record's may be another's.
TEST_F(PlacedValuesTest, NegativesOfRecords) {
  const std::string url = Page(
      "<ul><li><h2>Dune</h2><s id=old>$9</s><b id=p0>$5</b></li>"
      "<li><h2>Solaris</h2><b id=p1>$9</b></li></ul>");
  Value(url, "price", "$5", 0);
  Value(url, "price", "$9", 1);
  Add(Kind::kNegative, url, "price", "$9", 0);
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(Prices(placed), ElementsAre("0:p0", "1:p1"));
  EXPECT_THAT(Where(placed.attributes[1].negatives), ElementsAre("0:old"));
}

// "Complete" alone: the page has no record.
TEST_F(PlacedValuesTest, PagesWithoutRecords) {
  Page("<h1>Nothing found</h1>");
  const std::string full = Page("<h1 id=t>Dune</h1>");
  Add(Kind::kComplete, urls_[0], "", "");
  Add(Kind::kComplete, full, "", "");
  Value(full, "title", "Dune");
  const PlacedAnnotations placed = Place();
  EXPECT_THAT(placed.complete_pages, ElementsAre(0, 1));
  for (const PlacedAttribute& attribute : placed.attributes) {
    EXPECT_THAT(attribute.absent_pages, ElementsAre(0));
  }
}

// Short values are everywhere on a hostile page.
TEST_F(PlacedValuesTest, ManyEqualNodes) {
  std::string html = "<ul>";
  for (int i = 0; i < 10000; ++i) html += "<li>$5</li>";
  const std::string url = Page(html);
  for (int record = 0; record < 20; ++record) Value(url, "price", "$5", record);
  EXPECT_EQ(Place().attributes[1].values.size(), 20u);
}

}  // namespace
}  // namespace trommel::annotation
