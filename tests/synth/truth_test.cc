#include "synth/truth.h"

#include <initializer_list>

#include "gtest/gtest.h"
#include "tests/testing/records.h"

namespace trommel::synth {
namespace {

using testing_support::RecordOf;

proto::Schema SchemaOf(std::initializer_list<const char*> attributes) {
  proto::Schema schema;
  for (const char* const name : attributes) {
    schema.add_attribute()->set_name(name);
  }
  return schema;
}

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
  const proto::Schema schema = SchemaOf({"title", "genre"});
  page.schema = &schema;
  page.records.push_back(RecordOf({{"A \\ B"}, {}}));
  EXPECT_EQ(TruthJsonLines(page),
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"values\":{\"title\":[\"A \\\\ B\"],\"genre\":[]}}\n");
}

TEST(TruthJsonLines, SeveralRecordsAreNumbered) {
  GeneratedPage page = Page();
  page.url = "u";
  const proto::Schema schema = SchemaOf({"genre"});
  page.schema = &schema;
  page.records.push_back(RecordOf({{"a", "é"}}));
  page.records.push_back(RecordOf({{"\n"}}));
  EXPECT_EQ(TruthJsonLines(page),
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"record\":0,\"values\":{\"genre\":[\"a\",\"é\"]}}\n"
            "{\"url\":\"u\",\"site\":\"a.example\",\"template\":\"detail\","
            "\"record\":1,\"values\":{\"genre\":[\"\\u000a\"]}}\n");
}

}  // namespace
}  // namespace trommel::synth
