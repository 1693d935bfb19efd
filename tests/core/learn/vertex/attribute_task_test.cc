#include "core/learn/vertex/attribute_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/learn/vertex/annotated_sample.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing_support::AnnotatedSample;

// The tags around the values of a task: "h1 h1".
std::string TagsOf(const AttributeTask& task) {
  std::string tags;
  for (const annotation::PlacedValue& value : task.values) {
    const html::Document& document = (*task.pages)[value.page].document();
    const html::NodeId element = document.IsText(value.place.node)
                                     ? document.node(value.place.node).parent
                                     : value.place.node;
    StrAppend(&tags, tags.empty() ? "" : " ", document.TagOf(element));
  }
  return tags;
}

std::vector<std::string> TagsOf(const std::vector<AttributeTask>& ways) {
  std::vector<std::string> tags;
  for (const AttributeTask& way : ways) tags.push_back(TagsOf(way));
  return tags;
}

constexpr char kDune[] = "<h1>Dune</h1><p>by Ann</p><b>Dune</b>";
constexpr char kRan[] = "<h1>Ran</h1><p>by Bo</p><b>Ran</b>";

TEST(SampleTasksTest, EachPlaceThatSaysAllValuesIsAWay) {
  AnnotatedSample sample;
  sample.Page(kDune, {"Dune"});
  sample.Page(kRan, {"Ran"});
  sample.Page("<h1>Solaris</h1><p>by Cy</p>");
  sample.AbsentPage("<p>nothing</p>");
  const std::vector<AttributeTask> ways = sample.Ways();
  EXPECT_THAT(TagsOf(ways), UnorderedElementsAre("h1 h1", "b b"));
  // The first is the one that annotations are placed by.
  EXPECT_EQ(ways[0].values[0].place,
            sample.Tasks().placed().attributes[0].values[0].place);
  for (const AttributeTask& way : ways) {
    EXPECT_THAT(way.absent_pages, ElementsAre(3));
    EXPECT_EQ(way.sample->size(), 4u);
    EXPECT_EQ(way.attribute->name(), "a");
  }
}

TEST(SampleTasksTest, APlaceThatDoesNotSayAllIsNone) {
  AnnotatedSample sample;
  sample.Page(kDune, {"Dune"});
  sample.Page("<h1>Ran</h1><p>by Bo</p><b>another</b>", {"Ran"});
  EXPECT_THAT(TagsOf(sample.Ways()), ElementsAre("h1 h1"));
}

TEST(SampleTasksTest, AnXPathLeavesOneWay) {
  for (const std::string tag : {"h1", "b"}) {
    AnnotatedSample sample;
    sample.Page(kDune, {"Dune"});
    sample.annotations()[0].xpath = StrCat("//", tag, "/text()");
    EXPECT_THAT(TagsOf(sample.Ways()), ElementsAre(tag));
  }
}

TEST(SampleTasksTest, ADeniedNodeIsNoWay) {
  AnnotatedSample sample;
  sample.Page(kDune, {"Dune"});
  sample.annotations().push_back(sample.annotations()[0]);
  sample.annotations()[1].kind = annotation::Annotation::Kind::kNegative;
  sample.annotations()[1].xpath = "//b/text()";
  EXPECT_THAT(TagsOf(sample.Ways()), ElementsAre("h1"));
}

TEST(SampleTasksTest, WithoutAnnotationsThereIsNothingToDo) {
  AnnotatedSample sample;
  sample.Page(kDune);
  EXPECT_THAT(sample.Ways(), IsEmpty());
}

TEST(SampleTasksTest, SeveralRecords) {
  AnnotatedSample sample("repeated: true");
  sample.Page("<b>x</b><b>y</b>", {"x", "y"});
  EXPECT_FALSE(sample.Tasks().HasSeveralRecords());
  sample.annotations()[0].record = 0;
  sample.annotations()[1].record = 1;
  EXPECT_TRUE(sample.Tasks().HasSeveralRecords());
}

}  // namespace
}  // namespace trommel::learn::vertex
