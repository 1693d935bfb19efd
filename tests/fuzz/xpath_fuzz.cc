// XPath expressions: any bytes are a path or an error; a path prints as what
// parses as itself, and selects on a page exactly the nodes of which Matches()
// says so.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"
#include "tests/fuzz/require.h"

namespace trommel::fuzz {
namespace {

constexpr std::string_view kPage =
    "<body><div id=d1 class='a b'><p id=p1>one</p><p class=b>two<b>three</b>"
    "</p><!--c--></div><div class=b><p>Price: <b>5</b></p><ul><li>x"
    "<li class=a>y<li>z</ul><a href=h xlink:href=i>it's \"so\"</a></div>";

html::Document MakePage() {
  html::Document document;
  html::MakeParser(html::ParserKind::kLexbor, {})->ParseUtf8(kPage, &document);
  return document;
}

void RunExpression(std::string_view input) {
  static const html::Document* const page =
      new html::Document(MakePage());  // never destroyed
  const absl::StatusOr<xpath::LocationPath> path = xpath::Parse(input);
  if (!path.ok()) {
    Require(path.status().code() == absl::StatusCode::kInvalidArgument,
            "a syntax error of another kind");
    return;
  }
  const std::string printed = xpath::ToString(*path);
  const absl::StatusOr<xpath::LocationPath> again = xpath::Parse(printed);
  Require(again.ok(), "the printed path does not parse");
  Require(*again == *path, "the printed path is another one");
  Require(xpath::ToString(*again) == printed, "printing is not stable");
  const absl::StatusOr<xpath::Matcher> matcher = xpath::Matcher::Compile(*path);
  Require(matcher.ok(), "what parses does not compile");

  xpath::PageMatcher matching(*matcher, *page);
  std::vector<xpath::Match> matches;
  matching.Select(&matches);
  size_t next = 0;
  for (html::NodeId id = 0; id < page->num_nodes(); ++id) {
    const bool selected = next < matches.size() && matches[next].node == id;
    while (next < matches.size() && matches[next].node == id) ++next;
    Require(matching.Matches(id) == selected,
            "Matches() differs from Select()");
  }
  Require(next == matches.size(), "matches out of document order");
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::RunExpression(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
