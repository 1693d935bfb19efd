#include "core/signature/page_signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/tag_scanner.h"
#include "tests/testing/seed.h"

namespace trommel::signature {
namespace {

using std::string_view_literals::operator""sv;

std::optional<PageSignature> Sign(std::string_view page,
                                  std::string_view charset = "utf-8") {
  return PageSigner().Sign(page, charset);
}

std::string Repeat(std::string_view text, int times) {
  std::string repeated;
  for (; times > 0; --times) repeated += text;
  return repeated;
}

TEST(PageSignatureTest, PagesShorterThanAShingleHaveNone) {
  struct Case {
    const char* label;
    std::string page;
    bool signed_at_10;
  };
  const Case kCases[] = {
      {"empty", "", false},
      {"one tag", "<p>", false},
      {"text", Repeat("All work and no play. ", 100), false},
      {"text with less-than", Repeat("1 < 2 << 3 ", 100), false},
      {"binary", Repeat("\x89PNG\r\n\x1A\n\0\0\xFF\xD8\xFF"sv, 50), false},
      {"comments", Repeat("<!-- <p> -->", 50), false},
      {"nine tags", Repeat("<p>", 9), false},
      {"ten tags", Repeat("<p>", 10), true},
      {"nine tags and one cut off", Repeat("<p>", 9) + "<p class='x", false},
      {"nine tags and a comment", Repeat("<p>", 9) + "<!-- <p> -->", false},
      {"nine tags and script", Repeat("<b>", 7) + "<script><p></script>",
       false},
      {"end tags count", Repeat("<p></p>", 5), true},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Sign(c.page).has_value(), c.signed_at_10) << c.label;
  }
  for (const int length : {kMinShingleLength, 3, 4, 5, kMaxShingleLength}) {
    PageSigner signer(length);
    EXPECT_FALSE(signer.Sign(Repeat("<p>", length - 1), "")) << length;
    EXPECT_TRUE(signer.Sign(Repeat("<p>", length), "")) << length;
  }
}

TEST(PageSignatureTest, ShortShinglesMayLeaveTheSketchEmpty) {
  const std::optional<PageSignature> page = PageSigner(2).Sign("<p></p>", "");
  ASSERT_TRUE(page.has_value());
  Sketch empty;
  empty.slots.fill(Sketch::kEmpty);
  EXPECT_EQ(page->sketch, empty);
}

constexpr std::string_view kPage =
    "<html><head><title>a</title></head><body><div class='price'><b>1</b>"
    "<ul id='nav'><li>x</li><li>y</li></ul><table><tr><td>z</td></tr></table>"
    "<p class=note>n</p></div></body></html>";

std::string Replaced(std::string_view from, std::string_view to) {
  std::string page(kPage);
  const size_t position = page.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return page.replace(position, from.size(), to);
}

std::string Upper(std::string_view text) {
  // Names and texts, not attribute values.
  std::string upper(text);
  bool quoted = false;
  for (char& c : upper) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return upper;
}

TEST(PageSignatureTest, WhatMatters) {
  struct Case {
    const char* label;
    std::string page;
    bool same_vector, same_sketch;
  };
  const Case kCases[] = {
      {"identical", std::string(kPage), true, true},
      {"other text", Replaced(">z<", ">quite another text &amp; more<"), true,
       true},
      {"comment", Replaced("<b>", "<!-- <i> --><b>"), true, true},
      {"doctype", StrCat("<!DOCTYPE html>", kPage), true, true},
      {"title content", Replaced("<title>a", "<title>a<i><b></b>"), true, true},
      {"cut off tag", StrCat(kPage, "<p class='x"), true, true},
      {"cut off name", StrCat(kPage, "<p"), true, true},
      {"other attribute", Replaced("<b>", "<b style='x' title=y>"), true, true},
      {"other quotes", Replaced("'price'", "\"price\""), true, true},
      {"attribute name in upper case", Replaced("class='price'", "CLASS=price"),
       true, true},
      {"white space in tags", Replaced("<b>", "<b \n>"), true, true},
      {"self-closing", Replaced("<b>", "<b/>"), true, true},
      {"class", Replaced("price", "footer"), true, false},
      {"class in another case", Replaced("price", "Price"), true, false},
      {"a class more", Replaced("<b>", "<b class=strong>"), true, false},
      {"no class", Replaced(" class='price'", ""), true, false},
      {"id", Replaced("nav", "sidebar"), true, false},
      {"id in place of class", Replaced("class=note", "id=note"), true, false},
      {"another tag", Replaced("<b>1</b>", "<i>1</i>"), false, false},
      {"start for end tag", Replaced("</b>", "<b>"), false, false},
      {"a tag less", Replaced("</b>", ""), false, false},
  };
  const std::optional<PageSignature> page = Sign(kPage);
  ASSERT_TRUE(page.has_value());
  for (const Case& c : kCases) {
    const std::optional<PageSignature> other = Sign(c.page);
    ASSERT_TRUE(other.has_value()) << c.label;
    EXPECT_EQ(other->vector == page->vector, c.same_vector) << c.label;
    EXPECT_EQ(other->sketch == page->sketch, c.same_sketch) << c.label;
  }
}

TEST(PageSignatureTest, TagsInUpperCaseAreTheSame) {
  const std::string upper = Upper(Replaced("=note", "='note'"));
  ASSERT_NE(upper.find("<TABLE>"), std::string::npos);
  EXPECT_EQ(Sign(upper), Sign(kPage));
}

TEST(PageSignatureTest, ScriptAndStyleContentIsIgnored) {
  const auto page = [](std::string_view script, std::string_view style) {
    return StrCat(kPage, "<script>", script, "</script><style>", style,
                  "</style><p>", kPage);
  };
  EXPECT_EQ(Sign(page("document.write('<ul><li></ul>')", "a>b{}")),
            Sign(page("", "")));
}

TEST(PageSignatureTest, DigitsInClassesAndIdsAreIgnored) {
  EXPECT_EQ(Sign(Replaced("price", "pr48213ice7")), Sign(kPage));
  EXPECT_EQ(Sign(Replaced("nav", "nav99")), Sign(kPage));
  EXPECT_EQ(Sign(Replaced("note", "1")), Sign(Replaced("note", "234")));
}

TEST(PageSignatureTest, Utf16PageEqualsItsUtf8Twin) {
  const std::string twin = StrCat(kPage, "<p>caf\xC3\xA9</p>");
  for (const bool big_endian : {false, true}) {
    for (const bool mark : {false, true}) {
      std::string utf16;
      const auto append = [&](unsigned unit) {
        const char high = static_cast<char>(unit >> 8);
        const char low = static_cast<char>(unit & 0xFF);
        utf16 += big_endian ? high : low;
        utf16 += big_endian ? low : high;
      };
      if (mark) append(0xFEFF);
      // Latin-1, whose bytes are the code points.
      for (const char c : StrCat(kPage, "<p>caf\xE9</p>")) {
        append(static_cast<unsigned char>(c));
      }
      const std::string_view charset =
          mark ? "" : (big_endian ? "utf-16be" : "utf-16le");
      const std::optional<PageSignature> page = Sign(utf16, charset);
      EXPECT_TRUE(page.has_value()) << big_endian << mark;
      EXPECT_EQ(page, Sign(twin)) << big_endian << mark;
    }
  }
}

TEST(PageSignatureTest, WordsComeWithTheSameSignature) {
  PageSigner signer;
  words::PageWords words;
  EXPECT_EQ(signer.SignWithWords(kPage, "", "http://a.example/", &words),
            Sign(kPage));
  EXPECT_EQ(words.count, 5);  // 1, x, y, z and n; the title is a
  EXPECT_EQ(words.opening, "1 x y z n");
  // Too short for a signature.
  EXPECT_FALSE(signer.SignWithWords("<p>Wait, please", "", "", &words));
  EXPECT_EQ(words.count, 2);
  EXPECT_EQ(words.opening, "Wait, please");
  // In UTF-16.
  EXPECT_FALSE(
      signer.SignWithWords("\xFF\xFE<\0p\0>\0o\0k\0"sv, "", "", &words));
  EXPECT_EQ(words.count, 1);
  EXPECT_EQ(words.opening, "ok");
}

TEST(PageSignatureTest, ASignerForgetsItsLastPage) {
  PageSigner signer;
  const std::string other = Repeat("<i><u></u></i>", 40);
  const std::optional<PageSignature> fresh = PageSigner().Sign(kPage, "");
  EXPECT_EQ(signer.Sign(kPage, ""), fresh);
  // Leaves the window at another place, with other tags.
  EXPECT_TRUE(signer.Sign(other + "<b>", "").has_value());
  EXPECT_EQ(signer.Sign(kPage, ""), fresh);
  EXPECT_FALSE(signer.Sign("<p>", "").has_value());
  EXPECT_EQ(signer.Sign(kPage, ""), fresh);
}

// Signatures are stored and compared with those of other days and releases.
TEST(PageSignatureTest, IsStable) {
  const std::optional<PageSignature> page = Sign(kPage);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(VectorText(page->vector), "253.137.23.16.176.73.248.88");
  EXPECT_EQ(Hex64(Hash64(page->sketch.Bytes())), "a92a43e5f4ff387d");
}

// ---------------------------------------------------------------------------
// What the bytes mean: the share of equal ones estimates the Jaccard
// coefficient of the shingle sets, which the following takes by brute force.

using ShingleSet = std::set<std::string>;

struct Shingles {
  ShingleSet tags;        // ten tags in a row
  ShingleSet named_tags;  // four, start tags with class and id
};

class ShingleCollector {
 public:
  void Attribute(std::string_view name, std::string_view value) {
    StrAppend(&attributes_, " ", name, "=", value);
  }
  void operator()(const html::Tag& tag) {
    tags_.push_back(StrCat(tag.end ? "/" : "", tag.name));
    named_tags_.push_back(StrCat(tags_.back(), attributes_));
    attributes_.clear();
  }
  Shingles Take() const { return {Runs(tags_, 10), Runs(named_tags_, 4)}; }

 private:
  static ShingleSet Runs(const std::vector<std::string>& tags, size_t length) {
    ShingleSet runs;
    for (size_t i = 0; i + length <= tags.size(); ++i) {
      std::string run;
      for (size_t j = i; j < i + length; ++j) StrAppend(&run, tags[j], "|");
      runs.insert(run);
    }
    return runs;
  }

  std::string attributes_;
  std::vector<std::string> tags_, named_tags_;
};

Shingles ShinglesOf(std::string_view page) {
  ShingleCollector collector;
  html::ScanTags(page, collector);
  return collector.Take();
}

Overlap BruteForceOverlap(const ShingleSet& a, const ShingleSet& b) {
  Overlap overlap;
  for (const std::string& shingle : a) {
    ++(b.count(shingle) > 0 ? overlap.both : overlap.only_first);
  }
  overlap.only_second = static_cast<int>(b.size()) - overlap.both;
  return overlap;
}

// What only the first has and what only the second has, as shares of all.
std::pair<double, double> OneSidedShares(const Overlap& overlap) {
  const double all = overlap.both + overlap.only_first + overlap.only_second;
  return {overlap.only_first / all, overlap.only_second / all};
}

// The mean of estimates against their truth, in standard errors.
class ErrorMeter {
 public:
  // Takes an estimate made by `draws` independent draws.
  void Add(double estimate, double truth, int draws) {
    error_ += estimate - truth;
    variance_ += truth * (1 - truth) / draws;
    ++n_;
  }
  double MeanError() const { return error_ / n_; }
  // Four standard errors of the mean, and a little for shares of 0.
  double Limit() const { return 4 * std::sqrt(variance_) / n_ + 0.0005; }

 private:
  double error_ = 0, variance_ = 0;
  int n_ = 0;
};

// A run of random tags, some with a class of letters.
std::string RandomMarkup(Random* random, int num_tags) {
  constexpr std::string_view kNames[] = {"div", "p",  "span", "a",  "li", "ul",
                                         "td",  "tr", "b",    "h2", "em", "dl"};
  std::string markup;
  for (; num_tags > 0; --num_tags) {
    const std::string_view name = kNames[random->Below(std::size(kNames))];
    if (random->Chance(0.4)) {
      StrAppend(&markup, "</", name, ">");
    } else if (random->Chance(0.3)) {
      const char letter = static_cast<char>('a' + random->Below(20));
      StrAppend(&markup, "<", name, " class=", std::string(1, letter), ">");
    } else {
      StrAppend(&markup, "<", name, ">");
    }
  }
  return markup;
}

int EqualBytes(ShingleVector a, ShingleVector b) {
  int equal = 0;
  for (int i = 0; i < kVectorBytes; ++i) {
    equal += VectorByte(a, i) == VectorByte(b, i) ? 1 : 0;
  }
  return equal;
}

TEST(PageSignatureProperty, BytesAndSlotsEstimateTheOverlapOfShingles) {
  Random random(testing_support::TestSeed(404));
  // Pairs by how much of their markup they share.
  for (const double share : {0.0, 0.3, 0.6, 0.8, 0.95}) {
    constexpr int kPairs = 400;
    ErrorMeter bytes, slots, slots_of_a, slots_of_b;
    double jaccard_sum = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
      std::string a, b;
      for (int block = 0; block < 12; ++block) {
        const int num_tags = static_cast<int>(random.Between(20, 80));
        const std::string markup = RandomMarkup(&random, num_tags);
        a += markup;
        if (random.Chance(share)) {
          b += markup;
        } else if (random.Chance(0.5)) {
          b += RandomMarkup(&random, num_tags);
        }  // else a section that only `a` has
      }
      b += RandomMarkup(&random, 10);
      const Shingles shingles_a = ShinglesOf(a), shingles_b = ShinglesOf(b);
      const PageSignature sign_a = *Sign(a), sign_b = *Sign(b);

      // Different winners share a byte once in 256.
      const double jaccard =
          BruteForceOverlap(shingles_a.tags, shingles_b.tags).Resemblance();
      bytes.Add(EqualBytes(sign_a.vector, sign_b.vector) / 8.0,
                jaccard + (1 - jaccard) / 256, 8);
      jaccard_sum += jaccard;

      const Overlap truth =
          BruteForceOverlap(shingles_a.named_tags, shingles_b.named_tags);
      const Overlap estimate = CompareSketches(sign_a.sketch, sign_b.sketch);
      slots.Add(estimate.Resemblance(), truth.Resemblance(), 128);
      const auto [a_estimate, b_estimate] = OneSidedShares(estimate);
      const auto [a_truth, b_truth] = OneSidedShares(truth);
      slots_of_a.Add(a_estimate, a_truth, 128);
      slots_of_b.Add(b_estimate, b_truth, 128);
    }
    std::printf(
        "jaccard %.3f: bytes off by %+.4f (limit %.4f); slots of both "
        "by %+.4f (%.4f), of one %+.4f (%.4f), of the other %+.4f "
        "(%.4f)\n",
        jaccard_sum / kPairs, bytes.MeanError(), bytes.Limit(),
        slots.MeanError(), slots.Limit(), slots_of_a.MeanError(),
        slots_of_a.Limit(), slots_of_b.MeanError(), slots_of_b.Limit());
    for (const ErrorMeter* meter : {&bytes, &slots, &slots_of_a, &slots_of_b}) {
      EXPECT_LT(std::abs(meter->MeanError()), meter->Limit()) << share;
    }
  }
}

// The paper's text takes the minimum of hashes that are one byte wide.
ShingleVector ByteWideVector(const ShingleSet& shingles) {
  std::array<uint8_t, kVectorBytes> minima;
  minima.fill(255);
  for (const std::string& shingle : shingles) {
    for (size_t i = 0; i < minima.size(); ++i) {
      minima[i] =
          std::min(minima[i], static_cast<uint8_t>(Hash64(shingle, i + 1)));
    }
  }
  return VectorOf(minima);
}

// Why it is not taken literally: on pages of today's size a byte-wide minimum
// is 0 whatever the page, and pages that share nothing agree.
TEST(PageSignaturePaper, ByteWideMinimaOfUnrelatedPagesAgree) {
  Random random(testing_support::TestSeed(405));
  constexpr int kPages = 30;
  std::vector<ShingleVector> byte_wide, ours;
  int zeros = 0;
  for (int i = 0; i < kPages; ++i) {
    const std::string page = RandomMarkup(&random, 1500);
    const ShingleSet shingles = ShinglesOf(page).tags;
    ASSERT_GT(shingles.size(), 1000u);
    byte_wide.push_back(ByteWideVector(shingles));
    ours.push_back(Sign(page)->vector);
    zeros += EqualBytes(byte_wide.back(), 0);
  }
  int byte_wide_similar = 0, ours_similar = 0, ours_equal_bytes = 0, pairs = 0;
  for (int i = 0; i < kPages; ++i) {
    for (int j = 0; j < i; ++j) {
      ++pairs;
      byte_wide_similar += EqualBytes(byte_wide[i], byte_wide[j]) >= 6 ? 1 : 0;
      ours_similar += EqualBytes(ours[i], ours[j]) >= 6 ? 1 : 0;
      ours_equal_bytes += EqualBytes(ours[i], ours[j]);
    }
  }
  std::printf(
      "zero bytes: %.3f; pairs of unrelated pages called similar: "
      "%.3f byte-wide, %.3f ours\n",
      zeros / (8.0 * kPages), byte_wide_similar / (1.0 * pairs),
      ours_similar / (1.0 * pairs));
  EXPECT_GT(zeros, 0.95 * 8 * kPages);
  EXPECT_GT(byte_wide_similar, 0.95 * pairs);
  EXPECT_EQ(ours_similar, 0);
  EXPECT_LT(ours_equal_bytes, 0.02 * 8 * pairs);
}

}  // namespace
}  // namespace trommel::signature
