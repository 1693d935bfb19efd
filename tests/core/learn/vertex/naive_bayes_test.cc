#include "core/learn/vertex/naive_bayes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/html/parser.h"

namespace trommel::learn::vertex {
namespace {

// Level 0 is asked of the node, 1 of its parent, 2 and above of any ancestor.
TEST(NaiveBayesPaper, LevelsBecomeAxes) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  parser->ParseUtf8(
      "<section data-a=1><p data-b=1><img border=0></p></section>"
      "<section><p><img></p></section>",
      &document);
  std::vector<PageFacts> pages;
  pages.emplace_back(document);
  std::vector<PageNode> images;
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) == "img") images.push_back({0, id});
  }
  ASSERT_EQ(images.size(), 2u);
  const proto::Classifier classifier =
      TrainClassifier(pages, {images[0]}, {images[1]});
  std::vector<std::string> xpaths;
  for (const auto& feature : classifier.feature()) {
    xpaths.push_back(feature.xpath());
    EXPECT_GT(feature.log_odds_present(), feature.log_odds_absent());
  }
  EXPECT_THAT(xpaths,
              testing::IsSupersetOf(
                  {"self::*[@border=\"0\"]", "self::*[@border]",
                   "parent::*[@data-b=\"1\"]", "ancestor::*[@data-a=\"1\"]"}));
  // What both have tells nothing.
  EXPECT_THAT(xpaths, testing::Not(testing::Contains("self::img")));
  EXPECT_DOUBLE_EQ(classifier.prior_log_odds(), 0);
}

// One positive and three negative examples; a feature of the positive alone,
// add one half: (1.5 / 2) / (0.5 / 4) and (0.5 / 2) / (3.5 / 4).
TEST(NaiveBayes, SmoothedByHand) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  parser->ParseUtf8("<img alt=y><img><img><img>", &document);
  std::vector<PageFacts> pages;
  pages.emplace_back(document);
  std::vector<PageNode> positive, negative;
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) != "img") continue;
    (positive.empty() ? positive : negative).push_back({0, id});
  }
  const proto::Classifier classifier =
      TrainClassifier(pages, positive, negative);
  ASSERT_EQ(classifier.feature_size(), 2);  // @alt and @alt="y"
  for (const auto& feature : classifier.feature()) {
    EXPECT_NEAR(feature.log_odds_present(), std::log(0.75 / 0.125), 1e-12);
    EXPECT_NEAR(feature.log_odds_absent(), std::log(0.25 / 0.875), 1e-12);
  }
  EXPECT_NEAR(classifier.prior_log_odds(), std::log(1.5 / 3.5), 1e-12);
}

}  // namespace
}  // namespace trommel::learn::vertex
