#include "core/html/encoding.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kEncodings[] = {
    "utf-8",          "ibm866",       "iso-8859-2",     "iso-8859-3",
    "iso-8859-4",     "iso-8859-5",   "iso-8859-6",     "iso-8859-7",
    "iso-8859-8",     "iso-8859-8-i", "iso-8859-10",    "iso-8859-13",
    "iso-8859-14",    "iso-8859-15",  "iso-8859-16",    "koi8-r",
    "koi8-u",         "macintosh",    "windows-874",    "windows-1250",
    "windows-1251",   "windows-1252", "windows-1253",   "windows-1254",
    "windows-1255",   "windows-1256", "windows-1257",   "windows-1258",
    "x-mac-cyrillic", "gbk",          "gb18030",        "big5",
    "euc-jp",         "iso-2022-jp",  "shift_jis",      "euc-kr",
    "utf-16be",       "utf-16le",     "x-user-defined", "replacement"};

std::string Decode(std::string_view bytes, std::string_view charset) {
  std::string buffer;
  return std::string(
      DecodeToUtf8(bytes, Encoding::FromLabel(charset), &buffer));
}

TEST(EncodingTest, LabelsMeanWhatTheyMeanOnTheWeb) {
  struct Case {
    std::string_view label, name;
  };
  const Case kCases[] = {
      {"utf-8", "UTF-8"},
      {"UTF8", "UTF-8"},
      {"unicode-1-1-utf-8", "UTF-8"},
      {"latin1", "windows-1252"},
      {"ISO-8859-1", "windows-1252"},
      {"us-ascii", "windows-1252"},
      {" \t\nLatin1\r\n ", "windows-1252"},
      {"iso-8859-9", "windows-1254"},
      {"gb2312", "GBK"},
      {"x-sjis", "Shift_JIS"},
      {"ks_c_5601-1987", "EUC-KR"},
      {"utf-16", "UTF-16LE"},
      {"utf-16be", "UTF-16BE"},
      {"iso-2022-kr", "replacement"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(ToStd(ToAbsl(Encoding::FromLabel(c.label).name())), c.name)
        << c.label;
  }
  for (const std::string_view label : kEncodings) {
    EXPECT_TRUE(Encoding::FromLabel(label).known()) << label;
  }
}

TEST(EncodingTest, UnknownLabels) {
  for (const std::string_view label :
       {""sv, " "sv, "utf-9"sv, "klingon"sv, "utf-8\0"sv, "utf 8"sv}) {
    EXPECT_FALSE(Encoding::FromLabel(label).known()) << label;
  }
  EXPECT_EQ(Encoding::Unknown().name(), "unknown");
}

TEST(EncodingTest, AsciiCompatible) {
  for (const std::string_view label : kEncodings) {
    const bool expected = label != "utf-16be" && label != "utf-16le" &&
                          label != "iso-2022-jp" && label != "replacement";
    EXPECT_EQ(Encoding::FromLabel(label).IsAsciiCompatible(), expected)
        << label;
  }
}

TEST(DetectEncodingTest, Table) {
  struct Case {
    const char* label;
    std::string_view bytes, declared, name;
  };
  const std::string late_meta =
      std::string(1100, ' ') + "<meta charset=euc-kr>";
  const Case kCases[] = {
      {"nothing known", "<p>x", "", "windows-1252"},
      {"empty page", "", "", "windows-1252"},
      {"empty page, declared", "", "utf-8", "UTF-8"},
      {"declared", "<p>x", "koi8-r", "KOI8-R"},
      {"declared but unknown", "<p>x", "klingon", "windows-1252"},
      {"UTF-8 mark wins over declared", "\xEF\xBB\xBFx", "koi8-r", "UTF-8"},
      {"UTF-16 LE mark", "\xFF\xFEx\0"sv, "utf-8", "UTF-16LE"},
      {"UTF-16 BE mark", "\xFE\xFF\0x"sv, "utf-8", "UTF-16BE"},
      {"declared wins over meta", "<meta charset=utf-8>", "koi8-r", "KOI8-R"},
      {"meta charset", "<meta charset=utf-8>", "", "UTF-8"},
      {"meta charset quoted", "<head><META CharSet = 'Shift_JIS' >", "",
       "Shift_JIS"},
      {"meta http-equiv",
       "<meta http-equiv=\"Content-Type\" content=\"text/html; "
       "charset=windows-1251\">",
       "", "windows-1251"},
      {"meta http-equiv, content first",
       "<meta content='text/html;charset=\"gbk\"' http-equiv=content-type>", "",
       "GBK"},
      {"content without http-equiv", "<meta content='text/html;charset=gbk'>",
       "", "windows-1252"},
      {"meta utf-16 means UTF-8", "<meta charset=utf-16>", "", "UTF-8"},
      {"meta in a comment", "<!-- <meta charset=utf-8> --><p>", "",
       "windows-1252"},
      {"unknown declared, then meta", "<meta charset=utf-8>", "klingon",
       "UTF-8"},
      {"meta behind the first 1,024 bytes", late_meta, "", "windows-1252"},
      {"latin1 in meta", "<meta charset=latin1>", "", "windows-1252"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(DetectEncoding(c.bytes, c.declared).name(), c.name) << c.label;
  }
}

TEST(DecodeTest, Table) {
  struct Case {
    const char* label;
    std::string_view charset, bytes, text;
  };
  const Case kCases[] = {
      {"UTF-8", "utf-8", "a\xC3\xA9", "a\xC3\xA9"},
      {"UTF-8 with mark", "utf-8",
       "\xEF\xBB\xBF"
       "a",
       "a"},
      {"UTF-8 keeps a second mark", "utf-8", "\xEF\xBB\xBF\xEF\xBB\xBF",
       "\xEF\xBB\xBF"},
      {"UTF-8 broken", "utf-8", "a\xC3(\xE2\x82)",
       "a\xEF\xBF\xBD(\xEF\xBF\xBD)"},
      {"UTF-8 surrogate", "utf-8", "\xED\xA0\x80",
       "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"latin1 has the euro sign", "latin1", "\x80\xE9",
       "\xE2\x82\xAC\xC3\xA9"},
      {"windows-1252, undefined bytes are C1", "windows-1252", "\x81",
       "\xC2\x81"},
      {"ASCII in a single-byte encoding", "koi8-r", "plain", "plain"},
      {"windows-1251", "windows-1251", "\xCF\xF0", "\xD0\x9F\xD1\x80"},
      {"ISO-8859-6, undefined byte", "iso-8859-6",
       "a\xA1"
       "b",
       "a\xEF\xBF\xBD"
       "b"},
      {"ISO-8859-15", "iso-8859-15", "\xA4", "\xE2\x82\xAC"},
      {"UTF-16 LE with mark", "utf-16le",
       "\xFF\xFE"
       "a\0\xE9\0"sv,
       "a\xC3\xA9"},
      {"UTF-16 BE with mark", "utf-16be", "\xFE\xFF\0a\0\xE9"sv, "a\xC3\xA9"},
      {"UTF-16 LE without mark", "utf-16le", "a\0"sv, "a"},
      {"UTF-16 pair", "utf-16be", "\xD8\x3D\xDE\x00"sv, "\xF0\x9F\x98\x80"},
      {"UTF-16 lead alone", "utf-16be", "\xD8\x3D\0a"sv,
       "\xEF\xBF\xBD"
       "a"},
      {"UTF-16 trail alone", "utf-16be", "\xDE\x00\0a"sv,
       "\xEF\xBF\xBD"
       "a"},
      {"UTF-16 lead at the end", "utf-16be", "\0a\xD8\x3D"sv, "a\xEF\xBF\xBD"},
      {"UTF-16 odd length", "utf-16le", "a\0b"sv, "a\xEF\xBF\xBD"},
      {"Shift_JIS", "shift_jis", "\x83\x65\x83\x58\x83\x67 \xB1",
       "\xE3\x83\x86\xE3\x82\xB9\xE3\x83\x88 \xEF\xBD\xB1"},
      {"Shift_JIS, ASCII trail after a bad lead stays", "shift_jis", "\x83<p>",
       "\xEF\xBF\xBD<p>"},
      {"EUC-JP", "euc-jp", "\xA5\xC6", "\xE3\x83\x86"},
      {"GBK", "gbk", "\xD6\xD0\xCE\xC4", "\xE4\xB8\xAD\xE6\x96\x87"},
      {"GB18030, four bytes", "gb18030", "\x81\x30\x81\x30", "\xC2\x80"},
      {"Big5", "big5", "\xA4\xA4", "\xE4\xB8\xAD"},
      {"EUC-KR", "euc-kr", "\xC7\xD1", "\xED\x95\x9C"},
      {"ISO-2022-JP", "iso-2022-jp", "a\x1B$B%F\x1B(Bb",
       "a\xE3\x83\x86"
       "b"},
      {"cut in the middle of a character", "gbk", "a\xD6", "a\xEF\xBF\xBD"},
      {"empty", "gbk", "", ""},
      {"empty UTF-16", "utf-16le", "", ""},
      {"replacement", "iso-2022-kr", "abc", "\xEF\xBF\xBD"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Decode(c.bytes, c.charset), c.text) << c.label;
  }
}

TEST(DecodeTest, ValidTextIsNotCopied) {
  std::string buffer;
  const std::string_view utf8 = "a\xC3\xA9";
  EXPECT_EQ(DecodeToUtf8(utf8, Encoding::FromLabel("utf-8"), &buffer).data(),
            utf8.data());
  const std::string_view ascii = "plain";
  EXPECT_EQ(DecodeToUtf8(ascii, Encoding::FromLabel("latin1"), &buffer).data(),
            ascii.data());
}

TEST(DecodeTest, AnyBytesInAnyEncodingGiveValidUtf8) {
  Random random(testing_support::TestSeed(202));
  for (const std::string_view label : kEncodings) {
    for (int round = 0; round < 40; ++round) {
      const std::string bytes = testing_support::RandomBytes(
          &random, random.Below(round < 36 ? 60 : 20000));
      const std::string text = Decode(bytes, label);
      ASSERT_EQ(ValidUtf8Prefix(text), text.size()) << label;
    }
  }
}

// The decoder works through a buffer of 4,096 characters; where it is full must
// not matter.
TEST(DecodeTest, LongTextIsTheSameAsItsPieces) {
  struct Case {
    std::string_view charset, bytes;
  };
  const Case kCases[] = {
      {"shift_jis", "\x83\x65\x83\x58 a"},
      {"gb18030", "\x81\x30\x81\x30\xD6\xD0z"},
      {"big5", "\x88\x62\xA4\xA4"},  // the first is two code points
      {"euc-kr", "\xC7\xD1 "},
      {"euc-jp", "\xA5\xC6\x8F\xA2\xAF"},
      {"utf-16le",
       "\x3D\xD8\x00\xDE"
       "a\0"sv},
      {"windows-1251", "\xCF\xF0 a"},
      {"utf-8", "\xC3\xA9\xFF"},
  };
  for (const Case& c : kCases) {
    const std::string piece = Decode(c.bytes, c.charset);
    for (int shift = 0; shift < 4; ++shift) {
      std::string bytes, expected(shift, 'x');
      for (int i = 0; i < shift; ++i) {
        bytes += c.charset == "utf-16le" ? "x\0"sv : "x"sv;
      }
      for (int i = 0; i < 5000; ++i) {
        bytes += c.bytes;
        expected += piece;
      }
      ASSERT_EQ(Decode(bytes, c.charset), expected)
          << c.charset << " " << shift;
    }
  }
}

}  // namespace
}  // namespace trommel::html
