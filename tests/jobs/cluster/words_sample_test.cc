#include "jobs/cluster/words_sample.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/words/own_words.h"
#include "tests/testing/seed.h"

namespace trommel::jobs::cluster_job {
namespace {

std::string Encoded(const WordsSample& sample) {
  std::string bytes;
  sample.AppendTo(&bytes);
  return bytes;
}

TEST(WordsSampleTest, KeepsAFewPagesAndShowsFewer) {
  WordsSample sample;
  for (int i = 0; i < 1000; ++i) {
    sample.Add(StrCat("http://a/", i % 500), {1, {7}, "Wait"});
  }
  ASSERT_EQ(sample.pages().size(), words::kMaxGroupPages);
  for (size_t i = 0; i < sample.pages().size(); ++i) {
    const WordsSample::Page& page = sample.pages()[i];
    const bool is_shown = i < WordsSample::kShownPages;
    EXPECT_EQ(page.words.opening, is_shown ? "Wait" : "");
    EXPECT_EQ(page.url.empty(), !is_shown);
    EXPECT_EQ(page.words.count, 1);
    if (i > 0) {
      EXPECT_GT(page.url_hash, sample.pages()[i - 1].url_hash);
    }
  }
}

// Versions of a URL that say different things included.
TEST(WordsSampleProperty, AnySplitAndOrderGivesTheSameBytes) {
  Random random(testing_support::TestSeed(18));
  for (int round = 0; round < 200; ++round) {
    struct Added {
      std::string url;
      words::PageWords words;
    };
    std::vector<Added> pages;
    for (uint64_t i = random.Below(150); i > 0; --i) {
      const auto word = static_cast<uint32_t>(random.Below(3));
      pages.push_back({StrCat("http://a/", random.Below(100)),
                       {1, {word}, StrCat("page ", random.Below(3))}});
    }
    WordsSample whole;
    for (const Added& page : pages) whole.Add(page.url, page.words);
    std::vector<WordsSample> parts(1 + random.Below(5));
    for (size_t i = pages.size(); i > 0; --i) {
      std::swap(pages[i - 1], pages[random.Below(i)]);
      parts[random.Below(parts.size())].Add(pages[i - 1].url,
                                            pages[i - 1].words);
    }
    WordsSample merged;
    for (const WordsSample& part : parts) {
      const std::string bytes = Encoded(part);
      std::string_view rest = bytes;
      WordsSample decoded;
      ASSERT_TRUE(decoded.ConsumeFrom(&rest).ok());
      EXPECT_EQ(rest, "");
      merged.Merge(decoded);
    }
    ASSERT_EQ(Encoded(merged), Encoded(whole)) << "round " << round;
  }
}

TEST(WordsSampleTest, RefusesOtherBytes) {
  WordsSample sample;
  sample.Add("http://a/1", {2, {7, 9}, "Wait"});
  const std::string bytes = Encoded(sample);
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string_view cut = std::string_view(bytes).substr(0, size);
    EXPECT_FALSE(WordsSample().ConsumeFrom(&cut).ok()) << size;
  }
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
