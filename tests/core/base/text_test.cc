#include "core/base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.h"
#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

TEST(TextTest, HtmlSpaceIsExactlyFiveCharacters) {
  std::string found;
  for (int c = 0; c < 256; ++c) {
    if (IsHtmlSpace(static_cast<char>(c))) found += static_cast<char>(c);
  }
  EXPECT_EQ(found, "\t\n\f\r ");
}

TEST(TextTest, AsciiLowerTouchesLettersOnly) {
  for (int c = 0; c < 256; ++c) {
    const int expected = c >= 'A' && c <= 'Z' ? c + 32 : c;
    EXPECT_EQ(AsciiLower(static_cast<char>(c)), static_cast<char>(expected));
  }
}

TEST(TextTest, IsBlank) {
  EXPECT_TRUE(IsBlank(""));
  EXPECT_TRUE(IsBlank(" \t\r\n\f"));
  EXPECT_FALSE(IsBlank("  x"));
  EXPECT_FALSE(IsBlank("\xC2\xA0"));  // a no-break space is content
  EXPECT_FALSE(IsBlank(std::string_view("\0", 1)));
}

TEST(NormalizeSpaceTest, Table) {
  struct Case {
    const char* label;
    std::string_view in, out;
  };
  const Case kCases[] = {
      {"empty", "", ""},
      {"only space", " \n\t ", ""},
      {"trimmed", "  a  ", "a"},
      {"collapsed", "a \n\t b", "a b"},
      {"form feed and carriage return", "a\f\rb", "a b"},
      {"no-break space", "a\xC2\xA0\xC2\xA0 b\xC2\xA0", "a b"},
      {"half a no-break space", "a\xC2", "a\xC2"},
      {"other characters of the same lead byte", "\xC2\xA9 x", "\xC2\xA9 x"},
      {"vertical tab is no white space", "a\vb", "a\vb"},
      {"em space is kept",
       "a\xE2\x80\x83"
       "b",
       "a\xE2\x80\x83"
       "b"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(NormalizeSpace(c.in), c.out) << c.label;
}

TEST(AppendNormalizedTest, PiecesGiveTheSameAsTheWhole) {
  const uint64_t seed = testing_support::TestSeed(101);
  Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> pieces(random.Below(5));
    std::string whole;
    for (std::string& piece : pieces) {
      const uint64_t length = random.Below(6);
      for (uint64_t i = 0; i < length; ++i) {
        constexpr std::string_view kParts[] = {"a", "b", " ", "\n", "\xC2\xA0"};
        piece += kParts[random.Below(5)];
      }
      whole += piece;
    }
    std::string out;
    bool space = false;
    for (const std::string& piece : pieces) {
      space = AppendNormalized(piece, space, &out);
    }
    EXPECT_EQ(out, NormalizeSpace(whole));
  }
}

TEST(AppendNormalizedTest, ReportsPendingSpace) {
  std::string out;
  EXPECT_FALSE(AppendNormalized("a", false, &out));
  EXPECT_TRUE(AppendNormalized(" ", false, &out));
  EXPECT_TRUE(AppendNormalized("", true, &out));
  EXPECT_EQ(out, "a");
  EXPECT_FALSE(AppendNormalized("b", true, &out));
  EXPECT_EQ(out, "a b");
}

// The slow, obvious decoder: numbers, ranges and shortest forms.
bool IsValidSequence(std::string_view bytes) {
  if (bytes.empty()) return false;
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  size_t length;
  uint32_t value;
  if (byte(0) < 0x80) {
    length = 1;
    value = byte(0);
  } else if (byte(0) >> 5 == 6) {
    length = 2;
    value = byte(0) & 0x1F;
  } else if (byte(0) >> 4 == 14) {
    length = 3;
    value = byte(0) & 0x0F;
  } else if (byte(0) >> 3 == 30) {
    length = 4;
    value = byte(0) & 0x07;
  } else {
    return false;
  }
  if (bytes.size() != length) return false;
  for (size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return false;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= kLeast[length] && value <= 0x10FFFF &&
         !(value >= 0xD800 && value <= 0xDFFF);
}

size_t SlowValidPrefix(std::string_view bytes) {
  size_t i = 0;
  while (i < bytes.size()) {
    size_t length = 1;
    while (length <= 4 && !IsValidSequence(bytes.substr(i, length))) ++length;
    if (length > 4 || i + length > bytes.size()) break;
    i += length;
  }
  return i;
}

TEST(Utf8Test, EverySequenceOfTwoBytesAndEveryCodePoint) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(ValidUtf8Prefix(bytes), SlowValidPrefix(bytes))
          << a << " " << b;
    }
  }
  for (uint32_t c = 0x10000; c < 0x120000; c += 7) {
    const std::string bytes = {static_cast<char>(0xF0 | c >> 18),
                               static_cast<char>(0x80 | (c >> 12 & 0x3F)),
                               static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                               static_cast<char>(0x80 | (c & 0x3F))};
    ASSERT_EQ(ValidUtf8Prefix(bytes), SlowValidPrefix(bytes)) << c;
  }
}

TEST(Utf8Test, AgreesWithTheOracleOnRandomBytes) {
  Random random(testing_support::TestSeed(102));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    const uint64_t length = random.Below(40);
    for (uint64_t i = 0; i < length; ++i) {
      // Half ASCII, so that long runs occur; half from the interesting bytes.
      constexpr unsigned char kBytes[] = {
          0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0,
          0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF, 0xBD};
      bytes += random.Chance(0.5)
                   ? static_cast<char>(random.Below(128))
                   : static_cast<char>(kBytes[random.Below(sizeof(kBytes))]);
    }
    ASSERT_EQ(ValidUtf8Prefix(bytes), SlowValidPrefix(bytes));
    std::string lossy;
    AppendUtf8Lossy(bytes, &lossy);
    ASSERT_EQ(SlowValidPrefix(lossy), lossy.size());
    if (SlowValidPrefix(bytes) == bytes.size()) {
      ASSERT_EQ(lossy, bytes);
    }
  }
}

// Number of U+FFFD per ill-formed sequence, from Unicode 15, tables 3-8 to
// 3-11, which is what the WHATWG decoder gives.
TEST(Utf8Test, ReplacesMaximalSubparts) {
  struct Case {
    const char* label;
    std::string_view in;
    std::string_view out;  // '?' stands for U+FFFD
  };
  const Case kCases[] = {
      {"table 3-8, non-shortest", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
       "????????A"},
      {"table 3-9, surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
       "????????A"},
      {"table 3-10, other", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
       "?????A??B"},
      {"table 3-11, truncated", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
       "????A"},
      {"truncated at the end", "a\xE2\x82", "a?"},
      {"four bytes truncated at the end", "\xF0\x9F\x98", "?"},
      {"lead alone", "\xC3", "?"},
      {"lead then ASCII", "\xC3(", "?("},
  };
  for (const Case& c : kCases) {
    std::string expected;
    for (const char ch : c.out) {
      if (ch == '?') {
        expected += kReplacement;
      } else {
        expected += ch;
      }
    }
    std::string out = "kept";
    AppendUtf8Lossy(c.in, &out);
    EXPECT_EQ(out, "kept" + expected) << c.label;
  }
}

TEST(PrintableTest, Table) {
  EXPECT_EQ(Printable("shop.example"), "shop.example");
  EXPECT_EQ(Printable("m\xC3\xBCnchen \xE2\x82\xAC"),
            "m\xC3\xBCnchen \xE2\x82\xAC");
  EXPECT_EQ(Printable("\x1b[31mred\r\n\t\x7f"),
            "\\u001b[31mred\\r\\n\\t\\u007f");
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(Printable("\u009B1m"), "\\u009b1m");  // C1 control
  EXPECT_EQ(Printable("\u202Eexe.fdp\u2069\u2028"),
            "\\u202eexe.fdp\\u2069\\u2028");
  EXPECT_EQ(Printable("\xFF\x9B"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

// No character on which a terminal acts is left, and what is escaped is not
// escaped again.
TEST(PrintableTest, AnyBytes) {
  Random random(testing_support::TestSeed(1812));
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    const uint64_t length = random.Below(40);
    for (uint64_t i = 0; i < length; ++i) {
      if (random.Chance(0.5)) {
        bytes += static_cast<char>(random.Below(256));
      } else {
        AppendCodePoint(static_cast<uint32_t>(random.Below(0x2100)), &bytes);
      }
    }
    const std::string printable = Printable(bytes);
    ASSERT_EQ(ValidUtf8Prefix(printable), printable.size());
    for (std::string_view rest = printable; !rest.empty();) {
      ASSERT_FALSE(IsTerminalControl(TakeCharacter(&rest))) << printable;
    }
    ASSERT_EQ(Printable(printable), printable);
  }
}

TEST(XmlEscapeTest, Table) {
  struct Case {
    const char* label;
    std::string_view in, text, attribute;
  };
  const Case kCases[] = {
      {"plain", "a\xC3\xA9", "a\xC3\xA9", "a\xC3\xA9"},
      {"specials", "<&>\"'", "&lt;&amp;&gt;&quot;&#39;",
       "&lt;&amp;&gt;&quot;&#39;"},
      {"white space", "\t\n\r ", "\t\n&#13; ", "&#9;&#10;&#13; "},
      {"controls",
       "a\x01\x1F"
       "b",
       "a\xEF\xBF\xBD\xEF\xBF\xBD"
       "b",
       "a\xEF\xBF\xBD\xEF\xBF\xBD"
       "b"},
      {"NUL", std::string_view("\0", 1), kReplacement, kReplacement},
      {"noncharacters", "\xEF\xBF\xBE\xEF\xBF\xBF", "\xEF\xBF\xBD\xEF\xBF\xBD",
       "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"U+FFFD and other characters of the same lead byte",
       "\xEF\xBF\xBD\xEF\xBC\x81", "\xEF\xBF\xBD\xEF\xBC\x81",
       "\xEF\xBF\xBD\xEF\xBC\x81"},
      {"delete and C1 are allowed", "\x7F\xC2\x80", "\x7F\xC2\x80",
       "\x7F\xC2\x80"},
      {"end of CDATA", "]]>", "]]&gt;", "]]&gt;"},
  };
  for (const Case& c : kCases) {
    std::string text, attribute;
    AppendXmlText(c.in, &text);
    AppendXmlAttribute(c.in, &attribute);
    EXPECT_EQ(text, c.text) << c.label;
    EXPECT_EQ(attribute, c.attribute) << c.label;
  }
}

TEST(XmlCharactersTest, OnlyForbiddenOnesAreReplaced) {
  std::string out = "kept ";
  AppendXmlCharacters("a<\t\n\r&\xC3\xA9\x01\f\xEF\xBF\xBE\xEF\xBF\xBD", &out);
  EXPECT_EQ(out,
            "kept a<\t\n\r&\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
            "\xEF\xBF\xBD");
}

TEST(Utf8Test, CodePointsAtTheEdges) {
  std::string out;
  for (const uint32_t c :
       {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    AppendCodePoint(c, &out);
  }
  EXPECT_EQ(out,
            "A\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80"
            "\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace trommel
