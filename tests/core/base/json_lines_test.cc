#include "core/base/json_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trommel {
namespace {

struct Line {
  std::string name;
  int64_t pages = 0;

  TROMMEL_JSON_FIELDS(name, pages);
};

TEST(JsonLines, RoundTrip) {
  const std::vector<Line> lines = {{"a", 1}, {"b\n", 2}};
  const std::string text = ToJsonLines(lines);
  EXPECT_EQ(text,
            "{\"name\":\"a\",\"pages\":1}\n{\"name\":\"b\\n\",\"pages\":2}\n");
  const auto same = FromJsonLines<Line>(text, "lines.jsonl", "a line");
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(ToJsonLines(*same), text);
}

TEST(JsonLines, EmptyLinesAndNoEnd) {
  const auto lines = FromJsonLines<Line>(
      "\n{\"name\":\"a\",\"pages\":1}\n\n{\"name\":\"b\",\"pages\":2}", "f",
      "a");
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_EQ(lines->size(), 2u);
  EXPECT_TRUE(FromJsonLines<Line>("", "f", "a")->empty());
}

TEST(JsonLines, ErrorsNameFileAndLine) {
  EXPECT_EQ(FromJsonLines<Line>("\n{\"name\":\"a\"}\n", "f.jsonl", "a line")
                .status()
                .message(),
            "f.jsonl:2: not a line: pages is missing");
}

}  // namespace
}  // namespace trommel
