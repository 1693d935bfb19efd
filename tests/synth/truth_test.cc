#include "synth/truth.h"

#include <string>

#include "gtest/gtest.h"

namespace trommel::synth {
namespace {

GeneratedPage Page() {
  GeneratedPage page;
  page.url = "http://a.example/x?q=\"1\"";
  page.site = "a.example";
  page.template_name = "detail";
  return page;
}

TEST(TruthJsonLines, PageWithoutRecords) {
  EXPECT_EQ(
      TruthJsonLines(Page()),
      "{\"url\":\"http://a.example/x?q=\\\"1\\\"\",\"site\":\"a.example\","
      "\"template\":\"detail\",\"values\":{}}\n");
}

TEST(TruthJsonLines, OneRecordHasNoNumber) {
  GeneratedPage page = Page();
  page.url = "u";
  page.records.push_back({{{"title", {"A \\ B"}}, {"genre", {}}}});
  EXPECT_EQ(TruthJsonLines(page),
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"values\":{\"title\":[\"A \\\\ B\"],\"genre\":[]}}\n");
}

TEST(TruthJsonLines, SeveralRecordsAreNumbered) {
  GeneratedPage page = Page();
  page.url = "u";
  page.records.push_back({{{"genre", {"a", "é"}}}});
  page.records.push_back({{{"genre", {"\n"}}}});
  EXPECT_EQ(TruthJsonLines(page),
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"record\":0,\"values\":{\"genre\":[\"a\",\"é\"]}}\n"
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"record\":1,\"values\":{\"genre\":[\"\\u000a\"]}}\n");
}

}  // namespace
}  // namespace trommel::synth
