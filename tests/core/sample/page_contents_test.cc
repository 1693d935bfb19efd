#include "core/sample/page_contents.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"

namespace trommel::sample {
namespace {

std::vector<PathContent> ContentsOf(const std::string& html) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  EXPECT_EQ(parser->ParseUtf8(html, &document), html::ParseOutcome::kOk);
  std::vector<PathContent> contents;
  ContentCollector().Collect(document, &contents);
  return contents;
}

// Two contents, each in one piece of markup.
struct PairCase {
  const char* label;
  const char* first;
  const char* second;
  bool same_path;
  bool same_content;
};

class PathTest : public testing::TestWithParam<PairCase> {};

TEST_P(PathTest, PathsAndContents) {
  const std::vector<PathContent> first = ContentsOf(GetParam().first);
  const std::vector<PathContent> second = ContentsOf(GetParam().second);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0].path == second[0].path, GetParam().same_path);
  EXPECT_EQ(first[0].content == second[0].content, GetParam().same_content);
}

INSTANTIATE_TEST_SUITE_P(
    All, PathTest,
    testing::Values(
        PairCase{"Text", "<p>a", "<p>b", true, false},
        PairCase{"SpaceAround", "<p>a b", "<p>\n a b ", true, true},
        PairCase{"Tag", "<p>a", "<div>a", false, true},
        PairCase{"Id", "<p id=x>a", "<p id=y>a", false, true},
        PairCase{"IdAgainstNone", "<p id=x>a", "<p>a", false, true},
        PairCase{"Class", "<p class=x>a", "<p class=y>a", false, true},
        PairCase{"IdIsNotClass", "<p class=x>a", "<p id=x>a", false, true},
        PairCase{"ClassOfAncestor", "<div class=x><p>a", "<div><p>a", false,
                 true},
        PairCase{"DigitsAreOne", "<p id=item-4711>a", "<p id=item-8>a", true,
                 true},
        PairCase{"DigitsAgainstNone", "<p id=item-4711>a", "<p id=item->a",
                 false, true},
        PairCase{"OtherAttributes", "<p style=x lang=de>a", "<p>a", true, true},
        PairCase{"Position", "<p>a", "<p><br></p><p>a", true, true},
        PairCase{"UnknownTag", "<x-price>a", "<x-cost>a", false, true},
        PairCase{"ImageSource", "<img src=a.png>", "<img src=b.png>", true,
                 false},
        PairCase{"TextIsNotSource", "<p>a", "<p><img src=a>", false, true}),
    [](const auto& info) { return std::string(info.param.label); });

TEST(ContentCollector, WhatReadersDoNotSeeIsLeftOut) {
  EXPECT_TRUE(ContentsOf("<body><script>a</script><style>b</style>"
                         "<noscript>c</noscript><template>d</template>"
                         "<!-- e --><img alt=f><img src=''>   ")
                  .empty());
  EXPECT_TRUE(ContentsOf("").empty());
  EXPECT_EQ(ContentsOf("<title>a</title>").size(), 1u);
}

TEST(ContentCollector, NothingIsKeptOfThePageBefore) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  ContentCollector collector;
  std::vector<PathContent> contents;
  parser->ParseUtf8("<div><div class=a><p>x", &document);
  collector.Collect(document, &contents);
  parser->ParseUtf8("<p>x", &document);
  collector.Collect(document, &contents);
  ASSERT_EQ(contents.size(), 1u);
  EXPECT_EQ(contents[0].path, ContentsOf("<p>x")[0].path);
}

TEST(ContentCollector, HugePagesCountUpToALimit) {
  std::string html;
  for (size_t i = 0; i < kMaxPageContents + 500; ++i) {
    StrAppend(&html, "<p>", i, "</p>");
  }
  EXPECT_EQ(ContentsOf(html).size(), kMaxPageContents);
}

}  // namespace
}  // namespace trommel::sample
