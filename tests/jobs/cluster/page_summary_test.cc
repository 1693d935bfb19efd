#include "jobs/cluster/page_summary.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::jobs::cluster_job {
namespace {

PageSummary Of(const std::vector<std::string>& urls) {
  PageSummary summary;
  for (const std::string& url : urls) {
    ++summary.pages;
    summary.AddUrl(url);
  }
  return summary;
}

TEST(PageSummary, KeepsAFewDistinctUrls) {
  const PageSummary summary =
      Of({"http://a/1", "http://a/2", "http://a/1", "http://a/1"});
  EXPECT_EQ(summary.pages, 4);
  ASSERT_EQ(summary.examples.size(), 2u);
  EXPECT_NE(summary.examples[0].second, summary.examples[1].second);
}

TEST(PageSummary, AnySplitAndOrderGivesTheSameBytes) {
  Random random(testing_support::TestSeed(17));
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> urls;
    for (uint64_t i = random.Below(30); i > 0; --i) {
      urls.push_back(StrCat("http://a/", random.Below(20)));
    }
    std::vector<PageSummary> parts(1 + random.Below(5));
    for (const std::string& url : urls) {
      PageSummary& part = parts[random.Below(parts.size())];
      ++part.pages;
      part.AddUrl(url);
    }
    PageSummary merged;
    while (!parts.empty()) {
      const size_t next = random.Below(parts.size());
      const absl::StatusOr<PageSummary> decoded =
          PageSummary::Decode(parts[next].Encode());
      ASSERT_TRUE(decoded.ok()) << decoded.status();
      merged.Merge(*decoded);
      parts.erase(parts.begin() + static_cast<int64_t>(next));
    }
    ASSERT_EQ(merged.Encode(), Of(urls).Encode()) << "round " << round;
  }
}

TEST(PageSummary, DecodeRefusesOtherBytes) {
  const std::string bytes = Of({"http://a/1"}).Encode();
  for (size_t length = 0; length + 1 < bytes.size(); ++length) {
    EXPECT_FALSE(PageSummary::Decode(bytes.substr(0, length)).ok() &&
                 PageSummary::Decode(bytes.substr(0, length))->Encode() ==
                     bytes)
        << length;
  }
  EXPECT_FALSE(PageSummary::Decode("").ok());
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
