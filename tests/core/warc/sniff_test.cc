#include "core/warc/sniff.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/compression.h"
#include "tests/testing/seed.h"

namespace trommel::warc {
namespace {

using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::TestSeed;

struct SniffCase {
  std::string label;
  std::string bytes;
  bool is_markup;
  bool is_plain_text;
  bool looks_like_text;
  bool may_be_html;
};

TEST(Sniff, Table) {
  const std::string far(2000, 'x');
  const std::vector<SniffCase> cases = {
      {"nothing", "", false, false, false, true},
      {"doctype", "<!DOCTYPE html>", true, true, true, true},
      {"fragment", "<p>one", true, true, true, true},
      {"closing tag", "</p>", true, true, true, true},
      {"XML", "<?xml version='1.0'?>", true, true, true, true},
      {"white space in front", " \r\n\t<html>", true, true, true, true},
      {"byte order mark", "\xEF\xBB\xBF<html>", true, true, true, true},
      {"words", "Warning: no database", false, true, true, true},
      {"less than", "< 3", false, true, true, true},
      {"UTF-8", "\xE6\xBC\xA2\xE5\xAD\x97", false, true, true, true},
      {"Latin-1", "caf\xE9", false, false, true, true},
      {"character cut far away", far.substr(0, 1444) + "\xC3\xA9" + far, false,
       true, true, true},
      {"character cut at the end", "caf\xC3", false, false, true, true},
      {"UTF-16", std::string("\xFF\xFE<\0p\0>\0", 8), false, false, true, true},
      {"markup with a control character", "<p>\x01", true, false, true, true},
      {"words with a control character", far + "\x01", false, true, true, true},
      {"few words with one", "words\x01", false, false, false, false},
      {"PNG", "\x89PNG\r\n\x1A\n", false, false, false, false},
      {"JPEG", std::string("\xFF\xD8\xFF\xE0\0\x10JFIF", 10), false, false,
       false, false},
      {"GIF", "GIF89a,,", false, true, true, false},
      {"PDF", "%PDF-1.4\n", false, true, true, false},
      {"gzip", Gzip(far), false, false, false, false},
      {"zip", "PK\x03\x04", false, false, false, false},
  };
  for (const SniffCase& c : cases) {
    SCOPED_TRACE(c.label);
    EXPECT_EQ(StartsLikeMarkup(c.bytes), c.is_markup);
    EXPECT_EQ(IsPlainText(c.bytes), c.is_plain_text);
    EXPECT_EQ(LooksLikeText(c.bytes), c.looks_like_text);
    EXPECT_EQ(MayBeHtml(c.bytes), c.may_be_html);
  }
}

// Random bytes are as compressed data is.
TEST(Sniff, NoiseIsNoText) {
  const uint64_t seed = TestSeed(7);
  SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed));
  Random random(seed);
  for (int i = 0; i < 1000; ++i) {
    const std::string noise = "\x01" + RandomBytes(&random, 200);
    EXPECT_FALSE(IsPlainText(noise));
    EXPECT_FALSE(LooksLikeText(noise));
    EXPECT_FALSE(MayBeHtml(noise));
  }
}

}  // namespace
}  // namespace trommel::warc
