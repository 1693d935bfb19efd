// The matcher against pugixml: random expressions on random pages, node for
// node.

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/html/parser.h"
#include "core/xpath/matcher.h"
#include "core/xpath/matcher_set.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/random_xpath.h"
#include "tests/testing/seed.h"
#include "tests/testing/xpath_judge.h"

namespace trommel::xpath {
namespace {

using html::Document;
using html::NodeId;
using testing_support::RandomXPath;
using testing_support::XPathJudge;

constexpr int kExpressionsPerPage = 40;

std::string Describe(const std::vector<Match>& matches) {
  std::string out;
  for (const Match& match : matches) {
    out += std::to_string(match.node);
    if (match.attribute != kNoAttribute) {
      out += "@" + std::to_string(match.attribute);
    }
    out += ' ';
  }
  return out;
}

struct Tally {
  int pairs = 0;
  int selecting = 0;  // pairs where the expression selects something
  int relative = 0;
};

// One expression on one page: printed, read back and run from the document or,
// if relative, from a random node; then nodes are tested one by one.
void Compare(const LocationPath& path, const Document& document,
             const XPathJudge& judge, Random* random, Tally* tally) {
  const std::string text = ToString(path);
  SCOPED_TRACE(text);
  const absl::StatusOr<LocationPath> parsed = Parse(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  ASSERT_TRUE(*parsed == path);
  const absl::StatusOr<Matcher> matcher = Matcher::Compile(path);
  ASSERT_TRUE(matcher.ok()) << matcher.status();

  const NodeId context =
      path.absolute ? 0
                    : static_cast<NodeId>(random->Below(document.num_nodes()));
  const auto expected = judge.Select(text, context);
  ASSERT_TRUE(expected.ok()) << expected.status();
  PageMatcher page(*matcher, document);
  std::vector<Match> matches;
  page.SelectFrom(context, &matches);
  ASSERT_EQ(Describe(matches), Describe(*expected)) << "from " << context;
  ASSERT_TRUE(matches == *expected);

  // Where a path does not lead down, Matches() is as slow as Select().
  const NodeId stride = random->Chance(0.2) ? 1 : 9;
  size_t next = 0;
  for (NodeId id = static_cast<NodeId>(random->Below(stride));
       id < document.num_nodes(); id += stride) {
    while (next < matches.size() && matches[next].node < id) ++next;
    const bool selected = next < matches.size() && matches[next].node == id;
    ASSERT_EQ(page.MatchesFrom(context, id), selected)
        << "node " << id << " from " << context;
  }
  ++tally->pairs;
  tally->selecting += matches.empty() ? 0 : 1;
  tally->relative += path.absolute ? 0 : 1;
}

// All paths in one walk give what each gives on its own.
void CompareSet(const std::vector<LocationPath>& paths,
                const Document& document) {
  MatcherSet set;
  for (size_t i = 0; i < paths.size(); ++i) {
    const absl::StatusOr<size_t> number = set.Add(paths[i]);
    ASSERT_TRUE(number.ok()) << number.status();
    ASSERT_EQ(*number, i);
  }
  std::vector<std::vector<Match>> together = {{Match{}}};  // is replaced
  set.Select(document, &together);
  ASSERT_EQ(together.size(), paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    std::vector<Match> alone;
    Matcher::Compile(paths[i])->Select(document, &alone);
    ASSERT_TRUE(together[i] == alone)
        << ToString(paths[i]) << ": " << Describe(together[i]) << " and alone "
        << Describe(alone);
  }
}

void CompareOnPage(const Document& document, Random* random, Tally* tally) {
  const absl::StatusOr<XPathJudge> judge = XPathJudge::Open(document);
  ASSERT_TRUE(judge.ok()) << judge.status();
  const RandomXPath expressions(document);
  std::vector<LocationPath> paths;
  for (int i = 0; i < kExpressionsPerPage; ++i) {
    paths.push_back(expressions.Path(random));
    Compare(paths.back(), document, *judge, random, tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
  CompareSet(paths, document);
}

void Report(const Tally& tally) {
  std::cout << tally.pairs << " pairs of expression and page agree with "
            << "pugixml; " << tally.selecting << " select something, "
            << tally.relative << " are relative" << std::endl;
  EXPECT_GT(tally.selecting, tally.pairs / 5);
}

TEST(XPathJudgeTest, DensePages) {
  Random random(testing_support::TestSeed(701));
  Tally tally;
  Document document;
  for (int round = 0; round < 4000; ++round) {
    testing_support::MakeDensePage(&random, 5 + random.Below(80), &document);
    CompareOnPage(document, &random, &tally);
    if (HasFatalFailure()) FAIL() << "in round " << round;
  }
  Report(tally);
}

TEST(XPathJudgeTest, ParsedPages) {
  Random random(testing_support::TestSeed(702));
  Tally tally;
  Document document;
  const std::unique_ptr<html::Parser> parser =
      html::MakeParser(html::ParserKind::kLexbor, {});
  for (int round = 0; round < 3000; ++round) {
    std::string page;
    switch (round % 4) {
      case 0:
        page = testing_support::MarkupSoup(&random, random.Below(40));
        break;
      case 1:
        page = testing_support::HostileSoup(&random, random.Below(40));
        break;
      case 2:
        page = testing_support::RandomBytes(&random, random.Below(400));
        break;
      default:
        page = testing_support::RealisticPage(&random, random.Below(12));
    }
    ASSERT_EQ(parser->ParsePage(page, "utf-8", &document),
              html::ParseOutcome::kOk);
    CompareOnPage(document, &random, &tally);
    if (HasFatalFailure()) FAIL() << "in round " << round << " on " << page;
  }
  Report(tally);
}

}  // namespace
}  // namespace trommel::xpath
