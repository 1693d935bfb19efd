#include "core/learn/vertex/vertex_learner.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/rule/program_registry.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class VertexLearnerTest : public testing::Test {
 protected:
  void Schema(const std::string& text) {
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema_));
  }

  std::string Page(const std::string& html) {
    LearnPage& page = pages_.emplace_back();
    page.url = StrCat("http://a.example/", pages_.size());
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    EXPECT_EQ(parser->ParseUtf8(html, &page.document), html::ParseOutcome::kOk);
    return page.url;
  }

  void Value(const std::string& url, const std::string& attribute,
             const std::string& value) {
    annotation::Annotation& a = annotations_.emplace_back();
    a.line = static_cast<int64_t>(annotations_.size());
    a.url = url;
    a.attribute = attribute;
    a.value = value;
  }
  void Absent(const std::string& url, const std::string& attribute) {
    Value(url, attribute, "");
    annotations_.back().kind = annotation::Annotation::Kind::kAbsent;
  }

  LearnOutput Learn() {
    LearnInput input;
    input.schema = &schema_;
    input.pages = &pages_;
    input.annotations = annotations_;
    input.budget = budget_;
    auto output = (*MakeVertexLearner({}))->Learn(input);
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? *std::move(output) : LearnOutput();
  }

  // The XPaths of the first attribute's rule.
  std::vector<std::string> XPaths(const LearnOutput& output) {
    std::vector<std::string> xpaths;
    if (output.program.fields().attribute().empty()) return xpaths;
    for (const auto& alternative :
         output.program.fields().attribute(0).alternative()) {
      xpaths.push_back(alternative.xpath());
    }
    return xpaths;
  }

  // What the learnt rule extracts from a page, of the first attribute.
  std::vector<std::string> Extracted(const LearnOutput& output,
                                     const std::string& html) {
    proto::Rule rule;
    *rule.mutable_schema() = schema_;
    *rule.mutable_program() = output.program;
    rule.mutable_program()->mutable_fields();
    const auto extractor = rule::CompileRule(rule);
    EXPECT_TRUE(extractor.ok()) << extractor.status();
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    html::Document document;
    parser->ParseUtf8(html, &document);
    return (*extractor)->Extract(document, "http://a.example/x")[0].values(0);
  }

  // Whether two expressions select the same nodes on all pages.
  void ExpectSame(const std::string& a, const std::string& b) {
    for (const LearnPage& page : pages_) {
      std::vector<xpath::Match> matches_a, matches_b;
      xpath::Matcher::Compile(*xpath::Parse(a))
          ->Select(page.document, &matches_a);
      xpath::Matcher::Compile(*xpath::Parse(b))
          ->Select(page.document, &matches_b);
      EXPECT_EQ(matches_a, matches_b)
          << a << " and " << b << " on " << page.url;
    }
  }

  proto::Schema schema_;
  std::vector<LearnPage> pages_;
  std::vector<annotation::Annotation> annotations_;
  absl::Duration budget_ = absl::Seconds(30);
};

// Table II, www.amazon.com. The paper's //node()[@class="listprice"]/node() is,
// for texts, this one.
TEST_F(VertexLearnerTest, TableIIPrice) {
  Schema("name: 's' attribute { name: 'price' }");
  for (int i = 0; i < 6; ++i) {
    Page(StrCat("<h1>Item ", i, "</h1><p>from ", i,
                " sellers</p><b "
                "class=listprice>$",
                i, "9.99</b><i>", i, " left</i>"));
  }
  Value(pages_[0].url, "price", "$09.99");
  const std::vector<std::string> xpaths = XPaths(Learn());
  ASSERT_THAT(xpaths, testing::Not(IsEmpty()));
  EXPECT_EQ(xpaths[0], "//*[@class=\"listprice\"]/text()");
  ExpectSame(xpaths[0], "//node()[@class=\"listprice\"]/node()");
}

// Table II, www.city-data.com: //td[@class="navbar"]/*/text(). The titles have
// no word in common, since what all values begin with would tell them, too.
TEST_F(VertexLearnerTest, TableIIForumTitle) {
  Schema("name: 's' attribute { name: 'title' }");
  const char* const kTitles[] = {"Moving to Austin", "Is Reno safe?",
                                 "Best schools",     "Rain again",
                                 "House prices",     "Snow in May"};
  for (const char* const title : kTitles) {
    Page(StrCat("<table><tr><td class=navbar><strong>", title,
                "</strong></td><th class=navbar><em>Reply to ", title,
                "</em></th></tr><tr><td><strong>Post on ", title,
                "</strong></td></tr></table>"));
  }
  Value(pages_[0].url, "title", kTitles[0]);
  Value(pages_[1].url, "title", kTitles[1]);
  const std::vector<std::string> xpaths = XPaths(Learn());
  ASSERT_THAT(xpaths, testing::Not(IsEmpty()));
  ExpectSame(xpaths[0], "//td[@class=\"navbar\"]/*/text()");
  EXPECT_THAT(xpaths[0],
              testing::AnyOf("//td[@class=\"navbar\"]/*/text()",
                             "//*[@class=\"navbar\"]/strong/text()"));
}

// Table II, www.alibaba.com: a disjunction of two classes.
TEST_F(VertexLearnerTest, TableIIImage) {
  Schema("name: 's' attribute { name: 'image' type: IMAGE }");
  for (int i = 0; i < 8; ++i) {
    Page(StrCat("<div class=logo><a><img src=/logo", i,
                ".png></a></div><div "
                "class='",
                i % 2 == 0 ? "detailImage" : "detailMain hackborder",
                "'><a><img src=/i/", i, ".png></a></div>"));
  }
  Value(pages_[0].url, "image", "/i/0.png");
  Value(pages_[1].url, "image", "http://a.example/i/1.png");
  const std::vector<std::string> xpaths = XPaths(Learn());
  ASSERT_THAT(xpaths, testing::Not(IsEmpty()));
  ExpectSame(xpaths[0],
             "//node()[@class=\"detailImage\" or @class=\"detailMain "
             "hackborder\"]/*/img/@src");
  EXPECT_THAT(xpaths[0],
              HasSubstr("@class=\"detailImage\" or @class=\"detailMain "
                        "hackborder\""));
}

// Table II, www.cduniverse.com: //td/img is not precise, and weak features
// choose: an ancestor's @padding, the image's @border.
TEST_F(VertexLearnerTest, TableIIRatingImageByClassifier) {
  Schema("name: 's' attribute { name: 'rating' type: IMAGE }");
  const auto page = [](int i) {
    // The rating is at another place among the images on each page.
    std::string html = "<table><tr>";
    for (int k = 0; k < 5; ++k) {
      if (k == (i * 2) % 5) {
        StrAppend(&html, "<td padding=10px><img border=0 src=/r", i, ".gif>");
      } else {
        StrAppend(&html, "<td><img src=/x", i, "-", k, ".gif>");
      }
    }
    return html + "</table>";
  };
  for (int i = 0; i < 6; ++i) Page(page(i));
  for (int i = 0; i < 3; ++i) {
    Value(pages_[static_cast<size_t>(i)].url, "rating",
          StrCat("http://a.example/r", i, ".gif"));
  }
  const LearnOutput output = Learn();
  ASSERT_EQ(output.program.fields().attribute_size(), 1);
  ASSERT_TRUE(
      output.program.fields().attribute(0).alternative(0).has_classifier());
  std::vector<std::string> features;
  for (const auto& feature : output.program.fields()
                                 .attribute(0)
                                 .alternative(0)
                                 .classifier()
                                 .feature()) {
    features.push_back(feature.xpath());
  }
  EXPECT_THAT(features, testing::IsSupersetOf(
                            {"self::*[@border]", "parent::*[@padding]"}));
  for (int i = 0; i < 12; ++i) {
    EXPECT_THAT(Extracted(output, page(i)),
                ElementsAre(StrCat("http://a.example/r", i, ".gif")));
  }
  // No candidate above one half: nothing.
  EXPECT_THAT(Extracted(output,
                        "<table><tr><td><img src=/a><td><img src=/b>"
                        "<td><img src=/c></table>"),
              IsEmpty());
}

// Table II, www.hotels.com: an element, whose text is in several nodes.
TEST_F(VertexLearnerTest, TableIIAddress) {
  Schema("name: 's' attribute { name: 'address' }");
  for (int i = 0; i < 5; ++i) {
    Page(StrCat("<h1>Hotel ", i, "</h1><div class=adr><span>", i,
                " Main St</span> <span>Town ", i,
                "</span></div><div class=tel><i>Tel</i> <b>", i, "</b></div>"));
  }
  Value(pages_[0].url, "address", "0 Main St Town 0");
  const LearnOutput output = Learn();
  EXPECT_EQ(XPaths(output)[0], "//*[@class=\"adr\"]");
  EXPECT_THAT(Extracted(output,
                        "<div class=adr><span>7 Elm St</span> "
                        "<span>Ville</span></div>"),
              ElementsAre("7 Elm St Ville"));
}

TEST_F(VertexLearnerTest, TextInsideANode) {
  Schema("name: 's' attribute { name: 'price' }");
  for (int i = 0; i < 5; ++i) {
    Page(StrCat("<p>Our Price: $2", i, ".99</p><p>List Price: $3", i,
                ".99</p>"));
  }
  Value(pages_[0].url, "price", "$20.99");
  Value(pages_[1].url, "price", "$21.99");
  const LearnOutput output = Learn();
  EXPECT_THAT(Extracted(output, "<p>List Price: $1</p><p>Our Price: $0.50</p>"),
              ElementsAre("$0.50"));
}

// Rows come and go: the label tells.
TEST_F(VertexLearnerTest, OptionalRows) {
  Schema("name: 's' attribute { name: 'height' }");
  const auto page = [](int i) {
    std::string html = "<table>";
    if (i % 2 == 0) StrAppend(&html, "<tr><td>Born<td>", 1900 + i);
    if (i % 3 != 1) StrAppend(&html, "<tr><td>Height<td>", 150 + i);
    StrAppend(&html, "<tr><td>Weight<td>", 60 + i, "</table>");
    return html;
  };
  for (int i = 0; i < 10; ++i) Page(page(i));
  Value(pages_[0].url, "height", "150");
  Absent(pages_[1].url, "height");
  const LearnOutput output = Learn();
  for (int i = 10; i < 20; ++i) {
    const auto values = Extracted(output, page(i));
    if (i % 3 == 1) {
      EXPECT_THAT(values, IsEmpty()) << i;
    } else {
      EXPECT_THAT(values, ElementsAre(StrCat(150 + i))) << i;
    }
  }
}

// Pages that say "n/a" where there is no value.
TEST_F(VertexLearnerTest, TextsThatAreNoValues) {
  Schema("name: 's' attribute { name: 'type' }");
  const auto page = [](int i) {
    return StrCat("<p>Type - <b class=t>", i % 4 == 3 ? "n/a" : StrCat("T", i),
                  "</b></p><p>Size - <b>S", i, "</b></p>");
  };
  for (int i = 0; i < 10; ++i) Page(page(i));
  Value(pages_[0].url, "type", "T0");
  Value(pages_[1].url, "type", "T1");
  Absent(pages_[3].url, "type");
  const LearnOutput output = Learn();
  EXPECT_THAT(Extracted(output, page(20)), ElementsAre("T20"));
  EXPECT_THAT(Extracted(output, page(23)), IsEmpty());
}

// A list of which the annotated page has one member only.
TEST_F(VertexLearnerTest, RepeatedAttributes) {
  Schema("name: 's' attribute { name: 'genre' repeated: true }");
  const auto page = [](int n) {
    std::string html = "<ul><li>Director: <a>Ann</a></li><li>Genres: ";
    for (int i = 0; i < n; ++i) {
      StrAppend(&html, i == 0 ? "" : ", ", "<a>G", n, i, "</a>");
    }
    return html + "</li></ul>";
  };
  for (int n = 1; n <= 5; ++n) Page(page(n));
  Value(pages_[0].url, "genre", "G10");
  const LearnOutput output = Learn();
  EXPECT_THAT(Extracted(output, page(3)), ElementsAre("G30", "G31", "G32"))
      << output.program.fields().attribute(0).DebugString();
}

// Lines of an address in places of their own.
TEST_F(VertexLearnerTest, RepeatedValuesInDifferentPlaces) {
  Schema("name: 's' attribute { name: 'address' repeated: true }");
  const auto page = [](int i) {
    return StrCat("<h1 class=name>N", i, "</h1><p class=street>", i,
                  " Elm St</p><div><b class=city>Town ", i,
                  "</b></div><ul><li class=zip>1000", i,
                  "</li><li class=tel>555-", i, "</li></ul>");
  };
  for (int i = 0; i < 6; ++i) Page(page(i));
  for (int i = 0; i < 2; ++i) {
    const std::string& url = pages_[static_cast<size_t>(i)].url;
    Value(url, "address", StrCat(i, " Elm St"));
    Value(url, "address", StrCat("Town ", i));
    Value(url, "address", StrCat("1000", i));
  }
  EXPECT_THAT(Extracted(Learn(), page(9)),
              ElementsAre("9 Elm St", "Town 9", "10009"));
}

TEST_F(VertexLearnerTest, WhatStaysPutIsPreferred) {
  Schema("name: 's' attribute { name: 'price' }");
  for (int i = 0; i < 5; ++i) {
    Page(StrCat("<p>", i, "</p><b id=ctl00_77 class=price>$", i, "</b>"));
  }
  Value(pages_[0].url, "price", "$0");
  EXPECT_EQ(XPaths(Learn())[0], "//*[@class=\"price\"]/text()");
}

TEST_F(VertexLearnerTest, TheSameRuleInAnyOrder) {
  Schema(
      "name: 's' attribute { name: 'title' } attribute { name: 'genre' "
      "repeated: true }");
  for (int i = 0; i < 6; ++i) {
    Page(StrCat("<h1>T", i, "</h1><p>T", i, "</p><ul><li>A", i, "</li><li>B", i,
                "</li></ul><p>x</p>"));
  }
  for (int i = 0; i < 3; ++i) {
    const std::string& url = pages_[static_cast<size_t>(i)].url;
    Value(url, "title", StrCat("T", i));
    Value(url, "genre", StrCat("A", i));
    Value(url, "genre", StrCat("B", i));
  }
  const auto as_text = [](const LearnOutput& output) {
    std::string text;
    for (const auto& attribute : output.program.fields().attribute()) {
      text += attribute.DebugString();
    }
    return text;
  };
  const std::string first = as_text(Learn());
  EXPECT_FALSE(first.empty());
  std::reverse(annotations_.begin(), annotations_.end());
  EXPECT_EQ(as_text(Learn()), first);
  std::swap(annotations_[0], annotations_[4]);
  EXPECT_EQ(as_text(Learn()), first);
}

// "Not this node": of two places that say the value, the other one is meant.
TEST_F(VertexLearnerTest, NegativeMarks) {
  Schema("name: 's' attribute { name: 'author' }");
  for (int i = 0; i < 6; ++i) {
    Page(StrCat("<b class=first>Ann ", i, "</b><i class=second>Ann ", i,
                "</i>"));
  }
  Value(pages_[0].url, "author", "Ann 0");
  for (const char* const wrong : {"//b/text()", "//i/text()"}) {
    SCOPED_TRACE(wrong);
    annotations_.resize(1);
    Value(pages_[0].url, "author", "Ann 0");
    annotations_.back().kind = annotation::Annotation::Kind::kNegative;
    annotations_.back().xpath = wrong;
    const std::vector<std::string> xpaths = XPaths(Learn());
    ASSERT_THAT(xpaths, testing::Not(IsEmpty()));
    for (const std::string& xpath : xpaths) {
      EXPECT_THAT(
          xpath, testing::Not(HasSubstr(wrong[2] == 'b' ? "first" : "second")));
    }
  }
}

TEST_F(VertexLearnerTest, ValuesThatAreNotThere) {
  Schema("name: 's' attribute { name: 'a' } attribute { name: 'b' }");
  Page("<p class=a>Ann Marie Lee</p><p class=b>x</p>");
  Value(pages_[0].url, "a", "Ann Lee");
  Value(pages_[0].url, "b", "x");
  annotations_[1].xpath = "//nowhere";
  const LearnOutput output = Learn();
  ASSERT_EQ(output.warnings.size(), 2u);
  EXPECT_EQ(output.warnings[0].line, 1);
  EXPECT_THAT(output.warnings[0].message,
              testing::AllOf(HasSubstr("a of http://a.example/1"),
                             HasSubstr("\"Ann Lee\" is not on the page"),
                             HasSubstr("Ann Marie Lee")));
  EXPECT_THAT(output.warnings[1].message,
              HasSubstr("the XPath is not used: it selects 0 nodes"));
  ASSERT_EQ(output.program.fields().attribute_size(), 1);
  EXPECT_EQ(output.program.fields().attribute(0).name(), "b");
  EXPECT_THAT(output.failures, ElementsAre(HasSubstr("a: no annotated value")));
}

TEST_F(VertexLearnerTest, TwoValuesOfAnAttributeThatHasOne) {
  Schema(
      "name: 's' attribute { name: 'a' } attribute { name: 'b' repeated: "
      "true }");
  for (int i = 0; i < 4; ++i) {
    Page(StrCat("<h1>T", i, "</h1><p>z ", i, "</p>"));
  }
  for (const char* const attribute : {"a", "b"}) {
    Value(pages_[0].url, attribute, "T0");
    Value(pages_[0].url, attribute, "z 0");
  }
  const LearnOutput output = Learn();
  ASSERT_EQ(output.warnings.size(), 1u);
  EXPECT_EQ(output.warnings[0].line, 2);
  EXPECT_THAT(output.warnings[0].message,
              testing::AllOf(HasSubstr("a of http://a.example/1"),
                             HasSubstr("\"z 0\""), HasSubstr("\"T0\"")));
}

// Nodes that nothing distinguishes.
TEST_F(VertexLearnerTest, NothingToGoBy) {
  Schema("name: 's' attribute { name: 'a' repeated: true }");
  Page("<p>x</p><p>y</p><p>z</p><p>w</p><p>v</p>");
  Value(pages_[0].url, "a", "y");
  Value(pages_[0].url, "a", "v");
  const LearnOutput output = Learn();
  for (const auto& attribute : output.program.fields().attribute()) {
    // If there is a rule after all, it must be right.
    proto::Rule rule;
    *rule.mutable_schema() = schema_;
    *rule.mutable_program()->mutable_fields()->add_attribute() = attribute;
    const auto extractor = rule::CompileRule(rule);
    ASSERT_TRUE(extractor.ok()) << extractor.status();
    EXPECT_THAT((*extractor)->Extract(pages_[0].document, "u")[0].values(0),
                ElementsAre("y", "v"));
  }
}

// A class of thousands of words does not make learning explode.
TEST_F(VertexLearnerTest, ManyClassTokens) {
  Schema("name: 's' attribute { name: 'a' }");
  std::string css_class;
  for (int i = 0; i < 6000; ++i) StrAppend(&css_class, "t", i, " ");
  std::string html = StrCat("<body class='", css_class, "'>");
  for (int i = 0; i < 200; ++i) {
    StrAppend(&html, "<p", i == 7 ? " class=x" : "", ">v", i, "</p>");
  }
  for (int i = 0; i < 6; ++i) Page(html);
  Value(pages_[0].url, "a", "v7");
  const LearnOutput output = Learn();
  EXPECT_FALSE(output.ran_out_of_time);
  EXPECT_EQ(XPaths(output)[0], "//*[@class=\"x\"]/text()");
}

// A page that would take long: the budget ends it, and it is said.
TEST_F(VertexLearnerTest, TheBudgetEndsLearning) {
  Schema("name: 's' attribute { name: 'a' }");
  std::string html;
  for (int i = 0; i < 30; ++i) {
    StrAppend(&html, "<div class='c", i, " d e f g' id=i", i, ">");
  }
  for (int i = 0; i < 300; ++i) StrAppend(&html, "<b>v", i, "</b>");
  for (int i = 0; i < 3; ++i) Page(html);
  Value(pages_[0].url, "a", "v7");
  budget_ = absl::ZeroDuration();
  EXPECT_TRUE(Learn().ran_out_of_time);
}

}  // namespace
}  // namespace trommel::learn::vertex
