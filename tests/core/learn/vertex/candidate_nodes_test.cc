#include "core/learn/vertex/candidate_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/learn/vertex/annotated_sample.h"

namespace trommel::learn::vertex {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing_support::AnnotatedSample;

// The candidates of a sample, each as its element and text: "b Dune".
class CandidateNodesTest : public testing::Test {
 protected:
  void Find(AnnotatedSample* sample) { Find(sample->Task()); }
  void Find(const AttributeTask& task) {
    task_ = task;
    const CandidateNodes found(task_, &reason_);
    target_ = found.target();
    examples_ = found.examples();
    max_per_page_ = found.candidates().max_per_page;
    all_.clear();
    positive_.clear();
    negative_.clear();
    for (size_t i = 0; i < found.nodes().size(); ++i) {
      const std::string name = NameOf(found.nodes()[i]);
      all_.push_back(name);
      if (found.candidates().positive.Get(i)) positive_.push_back(name);
      if (found.candidates().negative.Get(i)) negative_.push_back(name);
    }
  }

  std::string NameOf(const PageNode& where) const {
    const html::Document& document = (*task_.pages)[where.page].document();
    const html::NodeId element = document.IsText(where.node)
                                     ? document.node(where.node).parent
                                     : where.node;
    return StrCat(document.TagOf(element), " ", TextOf(document, where.node));
  }

  AttributeTask task_;
  std::string reason_;
  Target target_;
  std::vector<Example> examples_;
  size_t max_per_page_ = 0;
  std::vector<std::string> all_, positive_, negative_;
};

// What says the same is neither positive nor negative, and on a page that
// nobody annotated nothing is.
TEST_F(CandidateNodesTest, PositiveNegativeAndNeither) {
  AnnotatedSample sample;
  sample.Page(
      "<ul><li>Films<li>Dune</ul><h1>Dune</h1><i>Ran</i>"
      "<script>Dune</script>",
      {"Dune"});
  sample.Page("<h1>Solaris</h1>");
  sample.AbsentPage("<p>none</p>");
  Find(&sample);
  EXPECT_EQ(reason_, "");
  EXPECT_EQ(target_.kind, Target::Kind::kText);
  EXPECT_THAT(all_, UnorderedElementsAre("li Films", "li Dune", "h1 Dune",
                                         "i Ran", "h1 Solaris", "p none"));
  EXPECT_THAT(positive_, ElementsAre("h1 Dune"));
  EXPECT_THAT(negative_, UnorderedElementsAre("li Films", "i Ran", "p none"));
}

// "Not this node" holds for a node that says the same.
TEST_F(CandidateNodesTest, DeniedNodesAreNegative) {
  AnnotatedSample sample;
  sample.Page("<h1>Dune</h1><b>Dune</b><i>Ran</i>", {"Dune"});
  sample.annotations().push_back(sample.annotations()[0]);
  sample.annotations()[1].kind = annotation::Annotation::Kind::kNegative;
  sample.annotations()[1].xpath = "//b/text()";
  Find(&sample);
  EXPECT_THAT(positive_, ElementsAre("h1 Dune"));
  EXPECT_THAT(negative_, UnorderedElementsAre("b Dune", "i Ran"));
}

// What others look after is not negative.
TEST_F(CandidateNodesTest, NeutralNodes) {
  AnnotatedSample sample("repeated: true");
  sample.Page("<b>x</b><i>y</i><u>z</u>", {"x", "y"});
  AttributeTask task = sample.Task();
  task.neutral.push_back(task.values[1]);
  task.values.pop_back();
  Find(task);
  EXPECT_THAT(positive_, ElementsAre("b x"));
  EXPECT_THAT(negative_, ElementsAre("u z"));
}

TEST_F(CandidateNodesTest, PartsOfTexts) {
  AnnotatedSample sample;
  sample.Page("<p>Our Price: $5</p>", {"$5"});
  sample.Page("<p>$7</p>", {"$7"});
  Find(&sample);
  EXPECT_EQ(target_.kind, Target::Kind::kText);
  ASSERT_EQ(examples_.size(), 2u);
  EXPECT_EQ(examples_[0].value, "$5");
  EXPECT_EQ(examples_[1].value, "");  // all of the text
}

TEST_F(CandidateNodesTest, Elements) {
  AnnotatedSample sample;
  sample.Page("<div><p><b>1 Elm St</b> <i>Town</i></p></div>",
              {"1 Elm St Town"});
  sample.Page("<div><p>2 Elm St</p></div>", {"2 Elm St"});
  Find(&sample);
  EXPECT_EQ(target_.kind, Target::Kind::kElement);
  EXPECT_THAT(positive_,
              ElementsAre(HasSubstr("1 Elm St Town"), HasSubstr("2 Elm St")));
  EXPECT_THAT(all_, Contains("i Town"));
}

TEST_F(CandidateNodesTest, AttributesOfElements) {
  AnnotatedSample sample("type: IMAGE");
  sample.Page("<img src=/a.png><img alt=x><a href=/a.png>y</a>", {"/a.png"});
  Find(&sample);
  EXPECT_EQ(target_.kind, Target::Kind::kAttribute);
  EXPECT_EQ(target_.attribute, "src");
  EXPECT_EQ(all_.size(), 1u);
  EXPECT_EQ(positive_.size(), 1u);
}

TEST_F(CandidateNodesTest, NothingInCommon) {
  AnnotatedSample sample;
  sample.Page("<b>Dune</b>", {"Dune"});
  sample.Page("<img alt=Ran>", {"Ran"});
  Find(&sample);
  EXPECT_THAT(reason_, HasSubstr("give XPaths"));
  EXPECT_THAT(examples_, IsEmpty());
}

TEST_F(CandidateNodesTest, HowManyAPageMayHave) {
  AnnotatedSample one;
  one.Page("<b>x</b>", {"x"});
  Find(&one);
  EXPECT_EQ(max_per_page_, 1u);
  AnnotatedSample repeated("repeated: true");
  repeated.Page("<b>x</b><b>y</b>", {"x", "y"});
  Find(&repeated);
  EXPECT_GE(max_per_page_, 10u);
}

}  // namespace
}  // namespace trommel::learn::vertex
