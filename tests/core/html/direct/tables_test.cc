// The tables of the direct parser are whole: whatever lexbor knows of an
// element or of a character reference, it knows too.

#include <gtest/gtest.h>
#include <lexbor/html/tag.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/direct/direct_parser.h"
#include "core/html/direct/elements.h"
#include "core/html/direct/entity_tree.h"
#include "core/html/parser.h"
#include "tests/testing/html_checks.h"

namespace trommel::html::direct {
namespace {

// An element that means something to tree construction must have an entry of
// its own; those without are ordinary.
TEST(Elements, EverySpecialElementIsAFrequentName) {
  constexpr lxb_html_tag_category_t kCategories[] = {
      LXB_HTML_TAG_CATEGORY_SPECIAL,         LXB_HTML_TAG_CATEGORY_FORMATTING,
      LXB_HTML_TAG_CATEGORY_SCOPE,           LXB_HTML_TAG_CATEGORY_SCOPE_BUTTON,
      LXB_HTML_TAG_CATEGORY_SCOPE_LIST_ITEM, LXB_HTML_TAG_CATEGORY_SCOPE_TABLE};
  int num_special = 0;
  for (lxb_tag_id_t tag = LXB_TAG_A; tag < LXB_TAG__LAST_ENTRY; ++tag) {
    size_t length = 0;
    const lxb_char_t* const text = lxb_tag_name_by_id(tag, &length);
    const std::string name(reinterpret_cast<const char*>(text), length);
    for (const lxb_html_tag_category_t category : kCategories) {
      for (const lxb_ns_id_t space : {LXB_NS_HTML, LXB_NS_SVG}) {
        if (!lxb_html_tag_is_category(tag, space, category)) continue;
        EXPECT_NE(FrequentName(name), names::kNone) << name;
        ++num_special;
      }
    }
  }
  EXPECT_GT(num_special, 80);
}

// All names of the tree, without '&'.
std::vector<std::string> EntityNames() {
  const lexbor_sbst_entry_static_t* const tree = TrommelEntityTree();
  std::vector<std::string> names;
  std::string prefix;
  const std::function<void(size_t)> visit = [&](size_t at) {
    if (at == 0) return;
    visit(tree[at].left);
    visit(tree[at].right);
    prefix.push_back(static_cast<char>(tree[at].key));
    if (tree[at].value != nullptr) names.push_back(prefix);
    visit(tree[at].next);
    prefix.pop_back();
  };
  visit(1);
  return names;
}

TEST(CharacterReferences, EveryNameMeansWhatItMeansToLexbor) {
  const std::vector<std::string> names = EntityNames();
  EXPECT_EQ(names.size(), 2231u);
  DirectParser direct({});
  const std::unique_ptr<Parser> lexbor = MakeParser(ParserKind::kLexbor, {});
  Document actual, expected;
  for (const std::string& name : names) {
    const std::string page =
        StrCat("<p title='&", name, "' lang='&", name, "=' id=&", name, "x>&",
               name, " &", name, "x&", name, "; ");
    ASSERT_EQ(direct.ParseUtf8(page, &actual), ParseOutcome::kOk);
    ASSERT_EQ(lexbor->ParseUtf8(page, &expected), ParseOutcome::kOk);
    EXPECT_EQ(testing_support::Dump(actual), testing_support::Dump(expected));
  }
  EXPECT_EQ(direct.give_ups()[0], names.size());
}

// A page of nothing but the references that grow most fits its buffer.
TEST(CharacterReferences, MayBeLongerThanTheirSource) {
  std::string page;
  for (int i = 0; i < 100000; ++i) page += "&nGt;";
  page += ' ';
  DirectParser direct({});
  Document document;
  ASSERT_EQ(direct.ParseUtf8(page, &document), ParseOutcome::kOk);
  EXPECT_EQ(document.Text(document.num_nodes() - 1).size(), 600001u);
  EXPECT_EQ(direct.last_give_up(), GiveUp::kNone);
}

}  // namespace
}  // namespace trommel::html::direct
