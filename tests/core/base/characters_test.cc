#include "core/base/characters.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace trommel {
namespace {

TEST(CharactersTest, TakesWhatWasAppended) {
  for (const uint32_t c : {0x0u, 0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu,
                           0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    AppendCodePoint(c, &text);
    text += 'x';
    std::string_view rest = text;
    EXPECT_EQ(static_cast<uint32_t>(TakeCharacter(&rest)), c);
    EXPECT_EQ(rest, "x");
  }
}

TEST(CharactersTest, BlankValues) {
  for (const char* const blank :
       {"", " ", "\t\n\v\f\r ", "\u0085", "\u00A0", "\u1680", "\u180E",
        "\u2000\u2001\u2009\u200A", "\u200B", "\u200C\u200D", "\u2028\u2029",
        "\u202F", "\u205F\u2060", "\u3000", "\uFEFF", " \u00A0\u200B "}) {
    EXPECT_TRUE(IsBlankValue(blank)) << blank;
  }
  for (const char* const value :
       {"x", "\u00A0x", "\u200Bx\u200B", "-", "\u00E9", "\u2800", "\uFFFD",
        "\xC2", "\xE2\x80", "\u2010", "\U0001F600"}) {
    EXPECT_FALSE(IsBlankValue(value)) << value;
  }
}

TEST(CharactersTest, PrintableLinesKeepTheirEnds) {
  EXPECT_EQ(PrintableLines("a\tb\nc\r\x1b"), "a\tb\nc\\r\\u001b");
}

}  // namespace
}  // namespace trommel
