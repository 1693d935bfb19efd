#include "synth/changes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "gtest/gtest.h"
#include "synth/generator.h"
#include "tests/synth/page_text.h"

namespace trommel::synth {
namespace {

constexpr int kSites = 12;
constexpr int kPages = 16;

// Sites with four templates; `change` happens on day 1, to "detail" only.
WebGenerator MakeWeb(std::string_view change) {
  const std::string spec =
      StrCat("seed: 99 days: 3 site { host: 'c{n}.example' count: ", kSites,
             " vertical: 'movie' pages: ", kPages,
             " template { kind: 'detail' } template { kind: 'list' }"
             " template { kind: 'review' } template { kind: 'help' } ",
             change, " }");
  absl::StatusOr<WebGenerator> web = WebGenerator::Create(ParseSpec(spec));
  EXPECT_TRUE(web.ok()) << web.status();
  return *std::move(web);
}

// Calls `visit(before, after)` for every page with its state on two days.
template <typename Visit>
void ForEachPage(const WebGenerator& web, int before, int after,
                 const Visit& visit) {
  GeneratedPage old_page, new_page;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(before, i, &old_page);
    web.Generate(after, i, &new_page);
    SCOPED_TRACE(old_page.url);
    visit(old_page, new_page);
  }
}

std::vector<std::string> Names(const GeneratedPage& page) {
  std::vector<std::string> names = AttributeValues(page.html, "class");
  const std::vector<std::string> ids = AttributeValues(page.html, "id");
  names.insert(names.end(), ids.begin(), ids.end());
  return names;
}

bool SameStructure(const GeneratedPage& a, const GeneratedPage& b) {
  return TagSequence(a.html) == TagSequence(b.html) && Names(a) == Names(b);
}

std::string DetailChange(std::string_view kind) {
  return StrCat("change { kind: ", kind, " day: 1 template: 'detail' }");
}

TEST(Changes, WithoutThemOnlyVolatileBitsVary) {
  const WebGenerator web = MakeWeb("");
  ForEachPage(web, 0, 2, [](const GeneratedPage& a, const GeneratedPage& b) {
    EXPECT_EQ(a.url, b.url);
    EXPECT_EQ(TruthJsonLines(a), TruthJsonLines(b));
    EXPECT_TRUE(SameStructure(a, b));
    EXPECT_NE(a.html, b.html);
    // Few bytes differ: digits of counters, tokens and campaigns.
    const size_t longer = std::max(a.html.size(), b.html.size());
    const size_t shorter = std::min(a.html.size(), b.html.size());
    EXPECT_LT(longer - shorter, 100u);
  });
}

TEST(Changes, TouchTheNamedTemplateFromTheirDayOn) {
  for (const std::string_view kind :
       {"CLASS_RENAME", "WRAPPER_ADDED", "SECTION_MOVED", "LABEL_CHANGED",
        "ATTRIBUTE_REMOVED", "REDESIGN"}) {
    SCOPED_TRACE(kind);
    const WebGenerator web = MakeWeb(DetailChange(kind));
    const WebGenerator unchanged = MakeWeb("");
    int touched = 0;
    for (int64_t i = 0; i < web.NumPages(0); ++i) {
      GeneratedPage page, reference;
      web.Generate(0, i, &page);
      unchanged.Generate(0, i, &reference);
      ASSERT_EQ(page.html, reference.html);
      for (const int day : {1, 2}) {
        web.Generate(day, i, &page);
        unchanged.Generate(day, i, &reference);
        // The entity and its values stay; a redesign may print fewer or other
        // forms of repeated ones, but the headline is the same.
        ASSERT_EQ(page.url, reference.url);
        if (page.template_name != "detail") {
          ASSERT_EQ(page.html, reference.html);
          continue;
        }
        ASSERT_EQ(page.records[0].values(0), reference.records[0].values(0));
        touched += page.html != reference.html ? 1 : 0;
      }
    }
    const int details = 2 * kSites * kPages / 4;
    // Designs without ids have none to lose, and a page may lack every
    // attribute with a label.
    EXPECT_GE(touched, details * 9 / 10) << "of " << details;
  }
}

TEST(Changes, ClassRenameKeepsTagsIdsAndChrome) {
  const WebGenerator web = MakeWeb(DetailChange("CLASS_RENAME"));
  ForEachPage(web, 0, 1, [](const GeneratedPage& a, const GeneratedPage& b) {
    if (a.template_name != "detail") return;
    EXPECT_EQ(TagSequence(a.html), TagSequence(b.html));
    EXPECT_EQ(AttributeValues(a.html, "id"), AttributeValues(b.html, "id"));
    EXPECT_EQ(AttributeValues(Chrome(a.html), "class"),
              AttributeValues(Chrome(b.html), "class"));
    const auto before = AttributeValues(ContentArea(a.html), "class");
    const auto after = AttributeValues(ContentArea(b.html), "class");
    ASSERT_EQ(before.size(), after.size());
    ASSERT_FALSE(before.empty());
    for (size_t i = 0; i < before.size(); ++i) EXPECT_NE(before[i], after[i]);
    EXPECT_EQ(TruthJsonLines(a), TruthJsonLines(b));
  });
}

TEST(Changes, WrapperAddsOneDivPerChange) {
  const WebGenerator web = MakeWeb(
      "change { kind: WRAPPER_ADDED day: 1 template: 'detail' }"
      "change { kind: WRAPPER_ADDED day: 2 template: 'detail' }");
  for (const int day : {1, 2}) {
    ForEachPage(
        web, 0, day, [&](const GeneratedPage& a, const GeneratedPage& b) {
          const auto before = TagSequence(a.html);
          const auto after = TagSequence(b.html);
          const size_t added = a.template_name == "detail" ? 2 * day : 0;
          EXPECT_EQ(before.size() + added, after.size());
          EXPECT_EQ(std::count(before.begin(), before.end(), "div") +
                        static_cast<int64_t>(added / 2),
                    std::count(after.begin(), after.end(), "div"));
          EXPECT_EQ(TruthJsonLines(a), TruthJsonLines(b));
        });
  }
}

TEST(Changes, SectionMovedReordersTheSameTags) {
  const WebGenerator web = MakeWeb(DetailChange("SECTION_MOVED"));
  ForEachPage(web, 0, 1, [](const GeneratedPage& a, const GeneratedPage& b) {
    if (a.template_name != "detail") return;
    auto before = TagSequence(a.html);
    auto after = TagSequence(b.html);
    EXPECT_NE(before, after);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(before, after);
    EXPECT_EQ(TruthJsonLines(a), TruthJsonLines(b));
  });
}

TEST(Changes, LabelChangedKeepsMarkupAndValues) {
  const WebGenerator web = MakeWeb(DetailChange("LABEL_CHANGED"));
  ForEachPage(web, 0, 1, [](const GeneratedPage& a, const GeneratedPage& b) {
    EXPECT_TRUE(SameStructure(a, b));
    EXPECT_EQ(TruthJsonLines(a), TruthJsonLines(b));
  });
}

TEST(Changes, AttributeRemovedTakesTheContentsIds) {
  const WebGenerator web = MakeWeb(DetailChange("ATTRIBUTE_REMOVED"));
  int removed = 0;
  ForEachPage(web, 0, 1, [&](const GeneratedPage& a, const GeneratedPage& b) {
    EXPECT_EQ(TagSequence(a.html), TagSequence(b.html));
    EXPECT_EQ(AttributeValues(a.html, "class"),
              AttributeValues(b.html, "class"));
    EXPECT_EQ(AttributeValues(Chrome(a.html), "id"),
              AttributeValues(Chrome(b.html), "id"));
    if (a.template_name != "detail") return;
    EXPECT_TRUE(AttributeValues(ContentArea(b.html), "id").empty());
    removed += !AttributeValues(ContentArea(a.html), "id").empty();
  });
  EXPECT_GT(removed, kSites * kPages / 4 / 2);
}

TEST(Changes, RedesignLeavesLittleOfTheMarkup) {
  const WebGenerator web = MakeWeb(DetailChange("REDESIGN"));
  ForEachPage(web, 0, 1, [](const GeneratedPage& a, const GeneratedPage& b) {
    if (a.template_name != "detail") return;
    EXPECT_LT(Jaccard(TagShingles(a.html), TagShingles(b.html)), 0.3);
  });
}

TEST(StateOn, CountsChangesPerTemplateAndDay) {
  const proto::WebSpec spec = ParseSpec(
      "site { change { kind: CLASS_RENAME day: 1 }"
      " change { kind: CLASS_RENAME day: 3 template: 'a' }"
      " change { kind: REDESIGN day: 2 template: 'b' template: 'a' }"
      " change { kind: ATTRIBUTE_REMOVED day: 4 } }");
  struct Case {
    std::string_view label;
    std::string_view name;
    int day;
    int renames;
    int redesigns;
    bool ids_removed;
  };
  const Case cases[] = {
      {"before any", "a", 0, 0, 0, false},
      {"first", "a", 1, 1, 0, false},
      {"named", "a", 2, 1, 1, false},
      {"second rename", "a", 3, 2, 1, false},
      {"other template", "b", 3, 1, 1, false},
      {"neither", "c", 3, 1, 0, false},
      {"last", "c", 4, 1, 0, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const TemplateState state = StateOn(spec.site(0), c.name, c.day);
    EXPECT_EQ(state.renames, c.renames);
    EXPECT_EQ(state.redesigns, c.redesigns);
    EXPECT_EQ(state.ids_removed, c.ids_removed);
  }
}

}  // namespace
}  // namespace trommel::synth
