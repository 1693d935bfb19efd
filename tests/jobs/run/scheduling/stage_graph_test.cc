#include "jobs/run/scheduling/stage_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trommel::jobs::run::scheduling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Stage Make(const std::string& kind, std::vector<std::string> needs,
           std::vector<std::string> uses, const std::string& output) {
  Stage stage;
  stage.kind = kind;
  stage.date = "d";
  stage.needs = std::move(needs);
  stage.uses = std::move(uses);
  stage.output = output;
  return stage;
}

TEST(StageGraph, OrderAndEdgesComeFromPaths) {
  const auto graph = MakeStageGraph({
      Make("extract", {"rules", "crawl"}, {}, "records"),
      Make("publish", {}, {"learnt", "elsewhere"}, "rules"),
      Make("learn", {"crawl"}, {}, "learnt"),
      Make("crawl", {}, {}, "crawl"),
  });
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::string> order;
  for (const Stage& stage : graph->stages) order.push_back(stage.kind);
  EXPECT_THAT(order, ElementsAre("crawl", "learn", "publish", "extract"));
  EXPECT_THAT(graph->needs[3], ElementsAre(2, 0));
  EXPECT_THAT(graph->uses[2], ElementsAre(1));
  EXPECT_THAT(graph->needs[2], IsEmpty());
}

TEST(StageGraph, KeepsTheOrderOfWhatDoesNotDepend) {
  const auto graph =
      MakeStageGraph({Make("b", {}, {}, "1"), Make("a", {}, {}, "2")});
  EXPECT_EQ(graph->stages[0].kind, "b");
}

TEST(StageGraph, CyclesAndTwoWritersAreErrors) {
  EXPECT_THAT(std::string(MakeStageGraph({Make("a", {"2"}, {}, "1"),
                                          Make("b", {}, {"1"}, "2")})
                              .status()
                              .message()),
              HasSubstr("waits for itself"));
  EXPECT_THAT(std::string(MakeStageGraph(
                              {Make("a", {}, {}, "1"), Make("b", {}, {}, "1")})
                              .status()
                              .message()),
              HasSubstr("both write 1"));
}

}  // namespace
}  // namespace trommel::jobs::run::scheduling
