// What must hold of every set of URLs: the regular expression matches them,
// and the summary is a semilattice.

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/base/random.h"
#include "core/url/pattern.h"
#include "tests/testing/seed.h"

namespace trommel::url {
namespace {

using testing_support::TestSeed;
using Urls = std::vector<std::string>;

// URLs of one site, out of a vocabulary that is small in some places and large
// in others, so that every limit is reached in some of the sites.
class RandomSite {
 public:
  explicit RandomSite(Random* random) : random_(*random) {
    for (int* const range : {&schemes_, &hosts_, &lengths_, &words_, &keys_,
                             &extensions_, &soup_}) {
      *range = static_cast<int>(1 + random_.Below(1 + random_.Below(12)));
    }
    has_bad_bytes_ = random_.Chance(0.1);
  }

  std::string Url() {
    std::string url;
    if (!random_.Chance(0.02)) {
      constexpr std::string_view kSchemes[] = {"http", "https", "HTTP",
                                               "ftp",  "a+b",   "x-y"};
      url += kSchemes[random_.Below(std::min(schemes_, 6))];
      url += "://" + Word(hosts_) + ".example";
    }
    const uint64_t num_segments = random_.Below(lengths_);
    for (uint64_t i = 0; i < num_segments; ++i) url += "/" + Name();
    if (random_.Chance(0.3)) url += "/";
    if (random_.Chance(0.3)) {
      constexpr std::string_view kExtensions[] = {
          ".html", ".htm", ".php", ".asp", ".mp3",
          ".cfm",  ".do",  ".",    ".x y", ".toolong"};
      url += Name();
      url += kExtensions[random_.Below(std::min(extensions_, 10))];
    }
    if (random_.Chance(0.3)) {
      url += '?';
      const uint64_t num_params = random_.Below(keys_ + 1);
      for (uint64_t i = 0; i < num_params; ++i) {
        if (i > 0) url += '&';
        url += Word(keys_);
        if (!random_.Chance(0.1)) url += "=" + Name();
      }
    }
    if (random_.Chance(0.02)) url += "#" + Name();
    return url;
  }

 private:
  std::string Word(int range) {
    constexpr std::string_view kWords[] = {
        "shop", "film", "a", "",  "item",    "\xC3\xA9t\xC3\xA9",
        "ab",   "b",    "c", "d", "new-car", "%C3%A9"};
    return std::string(kWords[random_.Below(range)]);
  }

  std::string Name() {
    std::string name;
    for (uint64_t parts = 1 + random_.Below(3); parts > 0; --parts) {
      switch (random_.Below(4)) {
        case 0:
          name += Word(words_);
          break;
        case 1:
          name += std::to_string(random_.Below(1000));
          break;
        case 2:
          name += "-_.+ %~"[random_.Below(7)];
          break;
        default:
          if (random_.Chance(0.1 * soup_)) name += Soup();
          break;
      }
    }
    return name;
  }

  // Any bytes but those that make parts.
  std::string Soup() {
    std::string soup;
    for (uint64_t length = random_.Below(8 * soup_); length > 0; --length) {
      const char c = static_cast<char>(random_.Below(256));
      if (has_bad_bytes_ || static_cast<unsigned char>(c) < 0x80) {
        soup += c;
      } else {
        soup += {'\xC3', static_cast<char>(0x80 | (c & 0x3F))};
      }
    }
    return soup;
  }

  Random& random_;
  int schemes_ = 0;
  int hosts_ = 0;
  int lengths_ = 0;
  int words_ = 0;
  int keys_ = 0;
  int extensions_ = 0;
  int soup_ = 0;
  bool has_bad_bytes_ = false;
};

Urls RandomUrls(Random* random) {
  RandomSite site(random);
  Urls urls;
  const uint64_t most = random->Chance(0.2) ? 1000 : 20;
  for (uint64_t count = 1 + random->Below(most); count > 0; --count) {
    urls.push_back(site.Url());
  }
  return urls;
}

UrlPattern PatternOf(const Urls& urls) {
  UrlPattern pattern;
  for (const std::string& url : urls) pattern.Add(url);
  return pattern;
}

// A pattern of the URLs in [begin, end) that has come about by some tree of
// merges, of Add() and of patterns that were stored in between.
UrlPattern Grow(const Urls& urls, size_t begin, size_t end, Random* random) {
  UrlPattern pattern;
  if (end - begin <= 3 || random->Chance(0.1)) {
    for (size_t i = begin; i < end; ++i) pattern.Add(urls[i]);
    return pattern;
  }
  const size_t middle = begin + random->Below(end - begin + 1);
  pattern = Grow(urls, begin, middle, random);
  const UrlPattern other = Grow(urls, middle, end, random);
  if (random->Chance(0.5)) {
    pattern.Merge(other);
    return pattern;
  }
  absl::StatusOr<UrlPattern> stored = UrlPattern::Decode(other.Encode());
  EXPECT_TRUE(stored.ok()) << stored.status();
  stored->Merge(pattern);
  return *std::move(stored);
}

TEST(UrlPatternProperty, MatchesItsUrls) {
  Random random(TestSeed(1));
  for (int round = 0; round < 1000; ++round) {
    const Urls urls = RandomUrls(&random);
    const std::string text = PatternOf(urls).Regex();
    ASSERT_LE(text.size(), UrlPattern::kMaxRegexBytes);
    const RE2 regex(text);
    ASSERT_TRUE(regex.ok()) << text << ": " << regex.error();
    for (const std::string& url : urls) {
      ASSERT_TRUE(RE2::FullMatch(url, regex)) << "round " << round << "\n"
                                              << text << "\n"
                                              << url;
    }
  }
}

TEST(UrlPatternProperty, AnyOrderAndSplitGiveTheSameBytes) {
  Random random(TestSeed(2));
  for (int round = 0; round < 500; ++round) {
    Urls urls = RandomUrls(&random);
    const UrlPattern expected = PatternOf(urls);
    const std::string bytes = expected.Encode();
    for (int trial = 0; trial < 3; ++trial) {
      for (size_t i = urls.size(); i > 1; --i) {
        std::swap(urls[i - 1], urls[random.Below(i)]);
      }
      const UrlPattern grown = Grow(urls, 0, urls.size(), &random);
      ASSERT_EQ(grown.Encode(), bytes) << "round " << round << "\n"
                                       << expected.Regex() << "\n"
                                       << grown.Regex();
    }
    ASSERT_LE(bytes.size(), UrlPattern::kMaxEncodedBytes);
  }
}

TEST(UrlPatternProperty, AddIsMergeOfOne) {
  Random random(TestSeed(3));
  for (int round = 0; round < 200; ++round) {
    UrlPattern added;
    UrlPattern merged;
    for (const std::string& url : RandomUrls(&random)) {
      added.Add(url);
      merged.Merge(PatternOf({url}));
      ASSERT_EQ(added.Encode(), merged.Encode()) << url;
    }
  }
}

TEST(UrlPatternProperty, MergeIsASemilattice) {
  Random random(TestSeed(4));
  for (int round = 0; round < 500; ++round) {
    // Of one site, so that they have something to do with each other.
    RandomSite site(&random);
    UrlPattern a;
    UrlPattern b;
    UrlPattern c;
    for (UrlPattern* const pattern : {&a, &b, &c}) {
      for (uint64_t i = random.Below(30); i > 0; --i) pattern->Add(site.Url());
    }
    const auto join = [](UrlPattern left, const UrlPattern& right) {
      left.Merge(right);
      return left;
    };
    const auto same = [](const UrlPattern& left, const UrlPattern& right) {
      return left.Encode() == right.Encode();
    };
    ASSERT_TRUE(same(join(a, b), join(b, a))) << round;
    ASSERT_TRUE(same(join(join(a, b), c), join(a, join(b, c)))) << round;
    ASSERT_TRUE(same(join(a, a), a)) << round;
    ASSERT_TRUE(same(join(join(a, b), a), join(a, b))) << round;
    ASSERT_TRUE(same(join(a, UrlPattern()), a)) << round;
    ASSERT_TRUE(same(join(UrlPattern(), a), a)) << round;
    UrlPattern self = a;
    self.Merge(self);
    ASSERT_TRUE(same(self, a)) << round;
  }
}

TEST(UrlPatternProperty, EncodingRoundTrips) {
  Random random(TestSeed(5));
  EXPECT_TRUE(UrlPattern::Decode(UrlPattern().Encode())->empty());
  for (int round = 0; round < 300; ++round) {
    const UrlPattern pattern = PatternOf(RandomUrls(&random));
    const std::string bytes = pattern.Encode();
    const absl::StatusOr<UrlPattern> decoded = UrlPattern::Decode(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    ASSERT_EQ(decoded->Encode(), bytes);
    ASSERT_EQ(decoded->Regex(), pattern.Regex());
  }
}

// Damaged bytes are an error or some other pattern, which still works.
TEST(UrlPatternProperty, DamagedEncodingsDoNoHarm) {
  Random random(TestSeed(6));
  EXPECT_EQ(UrlPattern::Decode("").status().code(),
            absl::StatusCode::kInvalidArgument);
  int num_refused = 0;
  for (int round = 0; round < 3000; ++round) {
    RandomSite site(&random);
    UrlPattern pattern;
    for (uint64_t i = random.Below(20); i > 0; --i) pattern.Add(site.Url());
    std::string bytes = pattern.Encode();
    ASSERT_FALSE(UrlPattern::Decode(bytes + '\0').ok());
    switch (random.Below(3)) {
      case 0:
        bytes.resize(random.Below(bytes.size()));
        ASSERT_FALSE(UrlPattern::Decode(bytes).ok());
        break;
      case 1:
        bytes.insert(random.Below(bytes.size() + 1), 1,
                     static_cast<char>(random.Below(256)));
        break;
      default:
        bytes[random.Below(bytes.size())] =
            static_cast<char>(random.Below(random.Chance(0.5) ? 8 : 256));
        break;
    }
    absl::StatusOr<UrlPattern> decoded = UrlPattern::Decode(bytes);
    if (!decoded.ok()) {
      EXPECT_EQ(decoded.status().code(), absl::StatusCode::kInvalidArgument);
      ++num_refused;
      continue;
    }
    EXPECT_EQ(decoded->Encode(), bytes);
    const std::string url = site.Url();
    decoded->Add(url);
    decoded->Merge(pattern);
    const RE2 regex(decoded->Regex());
    ASSERT_TRUE(regex.ok()) << decoded->Regex();
    ASSERT_LE(decoded->Regex().size(), UrlPattern::kMaxRegexBytes);
  }
  EXPECT_GT(num_refused, 1000);
}

}  // namespace
}  // namespace trommel::url
