#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "jobs/annotate_page/style_sheet_internal.h"
#include "tests/testing/seed.h"

namespace trommel::jobs::annotate_page {
namespace {

TEST(WithoutAddressesTest, AddressesAreGone) {
  struct Case {
    const char* label;
    std::string_view css;
    const char* expected;
  };
  const Case kCases[] = {
      {"plain", "a{background:url(u)}", "a{background:none}"},
      {"quoted", "a{background:url( 'u' )}", "a{background:none}"},
      {"capitals", "a{background:URL(u)}", "a{background:none}"},
      {"a bracket in quotes", "url('a)b') x", "none x"},
      {"an escaped bracket", "url(a\\)b) x", "none x"},
      {"escaped quote", "url('a\\'b)') x", "none x"},
      {"line end in a string", "url('a\nb) x", "none x"},
      {"escaped line end in a string", "url('a\\\nb') x", "none x"},
      {"not closed", "a{b:url(u", "a{b:none"},
      {"not closed, quoted", "a{b:url('u", "a{b:none"},
      {"bad", "url(a b'c\"d(e) x", "none x"},
      {"hexadecimal escape", "u\\72l(u)", "none"},
      {"escape with a space", "u\\72 l(u)", "none"},
      {"escape with a line end", "u\\72\r\nl(u)", "none"},
      {"escape of six digits", "u\\000072l(u)", "none"},
      {"escape of a capital", "\\55 RL(u)", "none"},
      {"every letter escaped", "\\75\\72\\6c(u)", "none"},
      {"escape without digits", "u\\rl(u)", "none"},
      {"escaped and quoted", "\\75rl('u')", "none"},
      {"comment in a name is its end", "u/**/rl(u)", "u/**/rl(u)"},
      {"comment in the brackets", "url(/*)*/u)", "none*/u)"},
      {"image-set", "image-set('u' 1x, url(v) 2x) x", "none x"},
      {"image-set of a vendor", "-webkit-image-set(url(u) 1x)", "none"},
      {"escaped image-set", "im\\61ge-set('u' 1x)", "none"},
      {"escaped dash", "image\\2dset('u' 1x)", "none"},
      {"nested brackets", "image-set(calc((1)) 'u)' [)] url(a(b) {}) x",
       "none x"},
      {"image", "image(ltr 'u', red)", "none"},
      {"src", "src('u')", "none"},
      {"src of a variable", "src(var(--u))", "none"},
      {"inside another function", "cross-fade(url(u), red 5%)",
       "cross-fade(none, red 5%)"},
      {"variable", "--x:url(u);color:red", "--x:none;color:red"},
      {"font", "@font-face{font-family:f;src:url(u)format('woff')}",
       "@font-face{font-family:f;src:noneformat('woff')}"},
      {"import", "@import 'u';a{}", "/**/a{}"},
      {"import of a URL", "@IMPORT url(u) screen;a{}", "/**/a{}"},
      {"escaped import", "@\\69mport 'u';a{}", "/**/a{}"},
      {"import with a semicolon in its string", "@import 'u;v';a{}", "/**/a{}"},
      {"import with a semicolon in brackets", "@import 'u' supports(a:b;c);a{}",
       "/**/a{}"},
      {"import at the end", "a{}@import 'u'", "a{}/**/"},
      {"import with a block", "@import 'u' {b:c} a{}", "/**/ a{}"},
      {"import in a block", "@media x{@import 'u'} a{}", "@media x{/**/} a{}"},
      {"import behind a comment mark", "<!--@import 'u';-->a{}",
       "<!--/**/-->a{}"},
      {"URL behind a comment mark", "<!--url(u'v) url(w)", "<!--none none"},
      {"what stood around an import does not meet",
       "u\\72@import 'a';l(http://x)", "u\\72/**/l(http://x)"},
      {"what stood around a URL does not meet", "url(a)url(b)", "nonenone"},
      {"NUL", std::string_view("u\0rl(u)", 7), "u\uFFFDrl(u)"},
      {"behind characters that may belong to the name", "a:\u00A0url(u)",
       "a:none"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(WithoutAddresses(c.css), c.expected) << c.label;
  }
}

TEST(WithoutAddressesTest, TheRestStaysAsItIs) {
  constexpr std::string_view kSheets[] = {
      "",
      "a { color: #fff; margin: -1.5em +.5e-3px 10% }",
      "a::before { content: \"url(u) @import 'v'\" }",
      "a::after { content: '\\201C' }",
      "/* url(u) @import 'v'; */ a { b: c }",
      ".w-1\\/2, .\\31 st, #url, .url { width: calc(100% - (2 * 3px)) }",
      "@media (min-width: 3em) and (x: y) { a > b ~ c + d { e: f !important } "
      "}",
      "a[href^='url(x)'] { background: linear-gradient(to right, red, blue) }",
      "--x: { a: b }; -moz-appearance: none; _height: 1px; *zoom: 1",
      "@supports (display: grid) { a { grid-area: 1 / 2 / 3 } }",
      "@imported x; @import-x y; myurl(u) url-x(u) curl(u) 1url(u)",
      "\u00E9 { content: \"\U0001F600\" } <!-- a { } -->",
      "a { b: 'not closed\n; c: d }",
      "a { b: c } /* not closed url(u)",
      "a\\",
      "a { b: \\\n c }",
  };
  for (const std::string_view sheet : kSheets) {
    EXPECT_EQ(WithoutAddresses(sheet), sheet);
  }
}

// What is left has nothing to take away: dropping an address never makes
// another of what stood around it.
TEST(WithoutAddressesTest, OnceIsEnough) {
  constexpr std::string_view kParts[] = {
      "url(",  "u",  "\\75", "\\72 ", "rl(", "l(",        "@import", "@",
      "image", "-",  "set(", "src(",  "(",   ")",         "{",       "}",
      "[",     "]",  "'",    "\"",    ";",   "/*",        "*/",      "\\",
      "\n",    "\r", " ",    "<!--",  "-->", "1",         "+",       ".",
      "e",     "#",  "/",    "*",     "a",   "\u00A0",    "import",  "x",
      "none",  ":",  "\f",   "\\69",  "%",   "-webkit-i", "mage-",   "!"};
  Random random(testing_support::TestSeed(1811));
  for (int round = 0; round < 20000; ++round) {
    std::string sheet;
    const uint64_t length = random.Below(24);
    for (uint64_t i = 0; i < length; ++i) {
      sheet += kParts[random.Below(std::size(kParts))];
    }
    const std::string once = WithoutAddresses(sheet);
    ASSERT_EQ(WithoutAddresses(once), once) << sheet;
  }
}

TEST(WithoutAddressesTest, LongAndDeepSheetsTakeLinearTime) {
  constexpr size_t kBytes = size_t{4} << 20;
  for (const std::string_view part : {"(", "image-set(", "url(", "@import ",
                                      "\\", "'", "/*", "@import{", "url('"}) {
    std::string sheet;
    while (sheet.size() < kBytes) sheet += part;
    EXPECT_LE(WithoutAddresses(sheet).size(), sheet.size() + 4) << part;
  }
}

}  // namespace
}  // namespace trommel::jobs::annotate_page
