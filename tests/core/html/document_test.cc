#include "core/html/document.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

TEST(DocumentTest, EmptyDocumentHasItsRootOnly) {
  Document document;
  EXPECT_EQ(document.num_nodes(), 1u);
  EXPECT_EQ(document.FirstChild(0), kNoNode);
  EXPECT_EQ(document.NextSibling(0), kNoNode);
  EXPECT_EQ(document.Text(0), "");
  EXPECT_TRUE(document.Attributes(0).empty());
  EXPECT_EQ(testing_support::DocumentProblem(document, 512), "");
}

// <html><body><p class="a" data-x="1">one <b>two</b></p><!--c--></body></html>
Document Sample() {
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(names::k_html);
  builder.OpenElement(names::k_body);
  builder.OpenElement(names::k_p);
  builder.AddAttribute(names::k_class, "a");
  builder.AddAttribute(builder.InternName("data-x"), "1");
  builder.AddText("one ");
  builder.OpenElement(names::k_b);
  builder.AddText("two");
  builder.CloseElement();
  builder.CloseElement();
  builder.AddText(" \n");
  builder.AddComment("c");
  builder.Finish();
  return document;
}

TEST(DocumentTest, HoldsWhatWasPutIn) {
  const Document document = Sample();
  EXPECT_EQ(testing_support::DocumentProblem(document, 512), "");
  EXPECT_EQ(testing_support::Dump(document),
            "1 0 8 0 html\n"
            "1 1 8 0 body\n"
            "1 2 7 0 p class=[a] data-x=[1]\n"
            "2 3 5 0 [one ]\n"
            "1 3 7 0 b\n"
            "2 5 7 0 [two]\n"
            "3 2 8 1 [c]\n");
  EXPECT_EQ(document.Value(3, names::k_class), "a");
  EXPECT_EQ(document.Value(3, document.FindName("data-x")), "1");
  EXPECT_EQ(document.Value(3, names::k_id).data(), nullptr);
  EXPECT_EQ(document.TagOf(3), "p");
  EXPECT_EQ(document.FindName("data-y"), NameId{names::kNone});
  EXPECT_EQ(document.FindName("href"), NameId{names::k_href});
  EXPECT_GT(document.MemoryUsage(), 0u);
}

TEST(DocumentTest, AnEmptyValueIsNotAMissingOne) {
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(names::k_p);
  builder.AddAttribute(names::k_id, "");
  builder.Finish();
  EXPECT_NE(document.Value(1, names::k_id).data(), nullptr);
  EXPECT_EQ(document.Value(1, names::k_class).data(), nullptr);
}

TEST(DocumentTest, MovesWithItsNames) {
  Document first = Sample();
  const Document second = std::move(first);
  EXPECT_EQ(second.Value(3, second.FindName("data-x")), "1");
  EXPECT_EQ(testing_support::Dump(second), testing_support::Dump(Sample()));
}

TEST(DocumentTest, BlankTextIsAGapOnly) {
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(names::k_p);
  builder.AddText("");
  builder.OpenElement(names::k_b);
  builder.CloseElement();
  builder.AddText(" ");
  builder.AddText("");
  builder.OpenElement(names::k_i);
  builder.AddText("\n");
  builder.CloseElement();
  builder.AddText("x");
  builder.Finish();
  EXPECT_EQ(testing_support::Dump(document),
            "1 0 5 0 p\n"
            "1 1 3 0 b\n"
            "1 1 4 1 i\n"
            "2 1 5 1 [x]\n");
}

TEST(DocumentTest, TextsSideBySideAreOne) {
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(names::k_p);
  builder.AddText("a");
  builder.AddText("b");
  builder.AddText("\n");
  builder.AddText("c");
  builder.OpenElement(names::k_b);
  builder.AddText("d");
  builder.CloseElement();
  builder.AddText("e");
  builder.AddComment("f");
  builder.AddText("g");
  builder.Finish();
  EXPECT_EQ(testing_support::Dump(document),
            "1 0 8 0 p\n"
            "2 1 3 0 [ab c]\n"
            "1 1 5 0 b\n"
            "2 3 5 0 [d]\n"
            "2 1 6 0 [e]\n"
            "3 1 7 0 [f]\n"
            "2 1 8 0 [g]\n");
}

TEST(DocumentTest, ABuilderClearsWhatWasThere) {
  Document document = Sample();
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(builder.InternName("x-other"));
  builder.Finish();
  EXPECT_EQ(testing_support::Dump(document), "1 0 2 0 x-other\n");
  EXPECT_EQ(document.FindName("data-x"), NameId{names::kNone});
}

TEST(DocumentBuilderTest, DeepElementsBecomeSiblings) {
  Document document;
  DocumentBuilder builder(&document, 3);
  for (int i = 0; i < 6; ++i) {
    builder.OpenElement(builder.InternName(StrCat("x", i)));
    builder.AddText(StrCat("open", i));
  }
  for (int i = 5; i >= 0; --i) {
    builder.CloseElement();
    builder.AddText(StrCat("closed", i));
  }
  EXPECT_TRUE(builder.flattened());
  builder.Finish();
  EXPECT_EQ(testing_support::DocumentProblem(document, 3), "");
  EXPECT_EQ(testing_support::TagTree(document), "x0(x1(x2()x3()x4()x5()))");
  std::string text;
  for (NodeId id = 0; id < document.num_nodes(); ++id) {
    StrAppend(&text, document.Text(id), " ");
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_NE(text.find(StrCat("open", i)), std::string::npos) << i;
    EXPECT_NE(text.find(StrCat("closed", i)), std::string::npos) << i;
  }
}

TEST(DocumentBuilderTest, DepthIsAtLeastTwo) {
  for (const uint32_t max_depth : {0u, 1u, 2u}) {
    Document document;
    DocumentBuilder builder(&document, max_depth);
    builder.OpenElement(names::k_html);
    builder.OpenElement(names::k_body);
    builder.OpenElement(names::k_p);
    builder.Finish();
    EXPECT_EQ(testing_support::TagTree(document), "html(body()p())")
        << max_depth;
    EXPECT_EQ(testing_support::DocumentProblem(document, 2), "") << max_depth;
  }
}

// Random trees: the family functions against a recomputation from the sequence
// of calls.
TEST(DocumentBuilderTest, FamilyAgreesWithARecomputation) {
  Random random(testing_support::TestSeed(201));
  for (int round = 0; round < 500; ++round) {
    Document document;
    DocumentBuilder builder(&document, 1000);
    struct Expected {
      std::vector<NodeId> children;
    };
    std::vector<Expected> expected(1);
    std::vector<NodeId> open = {0};
    const uint64_t num_calls = random.Below(60);
    for (uint64_t call = 0; call < num_calls; ++call) {
      const uint64_t what = random.Below(4);
      if (what == 0 && open.size() > 1) {
        builder.CloseElement();
        open.pop_back();
        continue;
      }
      const auto id = static_cast<NodeId>(expected.size());
      expected[open.back()].children.push_back(id);
      expected.emplace_back();
      if (what == 1) {
        builder.AddComment("x");
      } else {
        builder.OpenElement(names::k_div);
        open.push_back(id);
      }
    }
    builder.Finish();
    ASSERT_EQ(document.num_nodes(), expected.size());
    ASSERT_EQ(testing_support::DocumentProblem(document, 1000), "");
    for (NodeId id = 0; id < expected.size(); ++id) {
      const std::vector<NodeId>& children = expected[id].children;
      ASSERT_EQ(document.FirstChild(id),
                children.empty() ? kNoNode : children.front());
      for (size_t i = 0; i < children.size(); ++i) {
        ASSERT_EQ(document.node(children[i]).parent, id);
        ASSERT_EQ(document.NextSibling(children[i]),
                  i + 1 < children.size() ? children[i + 1] : kNoNode);
        ASSERT_EQ(document.node(children[i]).previous_sibling,
                  i > 0 ? children[i - 1] : kNoNode);
      }
    }
    for (NodeId a = 0; a < expected.size(); ++a) {
      for (NodeId b = 0; b < expected.size(); ++b) {
        bool is_ancestor = false;
        for (NodeId up = b; up != 0;) {
          up = document.node(up).parent;
          is_ancestor |= up == a;
        }
        ASSERT_EQ(document.IsAncestor(a, b), is_ancestor) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace trommel::html
