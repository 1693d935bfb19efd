#include "core/jsonl/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/testing/chunked_source.h"

namespace trommel::jsonl {
namespace {

std::vector<std::string> Lines(std::string_view text, size_t step,
                               size_t max_line_bytes) {
  LineReader reader(
      std::make_unique<testing_support::ChunkedSource>(std::string(text), step),
      max_line_bytes);
  std::vector<std::string> lines;
  std::string_view line;
  while (true) {
    const auto outcome = reader.Next(&line);
    EXPECT_TRUE(outcome.ok());
    if (*outcome == LineReader::Outcome::kEnd) return lines;
    lines.push_back(*outcome == LineReader::Outcome::kTooLong
                        ? "(too long)"
                        : std::string(line));
    EXPECT_EQ(reader.line_number(), static_cast<int64_t>(lines.size()));
  }
}

struct LinesCase {
  std::string_view label;
  std::string_view text;
  std::vector<std::string> lines;
};

class LineReaderTest : public testing::TestWithParam<LinesCase> {};

TEST_P(LineReaderTest, SplitsWhateverTheReadSize) {
  for (const size_t step : {1, 2, 3, 7, 1000}) {
    EXPECT_THAT(Lines(GetParam().text, step, 8),
                testing::ElementsAreArray(GetParam().lines))
        << "read size " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, LineReaderTest,
    testing::Values(LinesCase{"Empty", "", {}},
                    LinesCase{"OneEmptyLine", "\n", {""}},
                    LinesCase{"Plain", "a\nbc\n", {"a", "bc"}},
                    LinesCase{"NoEndOfLastLine", "a\nbc", {"a", "bc"}},
                    LinesCase{"CarriageReturns", "a\r\n\r\nb", {"a", "", "b"}},
                    LinesCase{"AtLimit", "12345678\nx", {"12345678", "x"}},
                    LinesCase{"OverLimit", "123456789\nx", {"(too long)", "x"}},
                    LinesCase{"FarOverLimit",
                              "123456789012345678901234567890\nx\n",
                              {"(too long)", "x"}},
                    LinesCase{
                        "LastOverLimit", "x\n123456789", {"x", "(too long)"}}),
    [](const auto& info) { return std::string(info.param.label); });

TEST(LineReader, KeepsMemoryBoundedOnEndlessLine) {
  // 64 MiB without a line end, at most 1 KiB kept: the buffer would show as a
  // failed allocation under a limit; here the outcome is what counts.
  const std::string text(size_t{64} << 20, 'x');
  LineReader reader(std::make_unique<StringSource>(text), 1024);
  std::string_view line;
  EXPECT_EQ(*reader.Next(&line), LineReader::Outcome::kTooLong);
  EXPECT_EQ(*reader.Next(&line), LineReader::Outcome::kEnd);
}

}  // namespace
}  // namespace trommel::jsonl
