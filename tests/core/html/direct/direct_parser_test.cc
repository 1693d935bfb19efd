// "The same Document as lexbor's adapter, or give up", on small pages made to
// be difficult and on random markup.

#include "core/html/direct/direct_parser.h"

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/parser.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

using testing_support::Dump;

class DirectParserTest : public ::testing::Test {
 protected:
  explicit DirectParserTest(const ParseLimits& limits = {})
      : direct_(limits), lexbor_(MakeParser(ParserKind::kLexbor, limits)) {}

  // Parses a page with both; empty if the documents are the same.
  std::string Difference(std::string_view page) {
    const ParseOutcome outcome = direct_.ParseUtf8(page, &document_);
    if (direct_.last_give_up() != GiveUp::kNone) return "";
    if (outcome != ParseOutcome::kOk) return "not parsed";
    Document expected;
    if (lexbor_->ParseUtf8(page, &expected) != ParseOutcome::kOk) {
      return "lexbor rejects it";
    }
    std::string problem = testing_support::DocumentProblem(document_, 512);
    if (!problem.empty()) return problem;
    const std::string ours = Dump(document_);
    const std::string theirs = Dump(expected);
    if (ours == theirs) return "";
    return StrCat("direct:\n", ours, "lexbor:\n", theirs);
  }

  DirectParser direct_;
  std::unique_ptr<Parser> lexbor_;
  Document document_;
};

void PrintGiveUps(const GiveUpCounts& counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    std::cout << "  " << counts[i] << " "
              << (i == 0 ? "parsed directly" : ToString(static_cast<GiveUp>(i)))
              << "\n";
  }
}

TEST_F(DirectParserTest, RandomSoupGivesLexborsDocument) {
  const uint64_t seed = testing_support::TestSeed(301);
  for (uint64_t i = 0; i < 30000; ++i) {
    Random random(seed + i);
    const size_t size = 1 + random.Below(i % 3 == 0 ? 60 : 12);
    const std::string soup =
        i % 4 == 0   ? testing_support::MarkupSoup(&random, size)
        : i % 4 == 1 ? testing_support::HostileSoup(&random, size)
                     : testing_support::RealisticPage(&random, size);
    std::string page;
    AppendUtf8Lossy(soup, &page);
    ASSERT_EQ(Difference(page), "") << "seed " << seed + i << "\n" << page;
  }
  PrintGiveUps(direct_.give_ups());
}

}  // namespace
}  // namespace trommel::html
