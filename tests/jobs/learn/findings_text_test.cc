#include "jobs/learn/findings_text.h"

#include <gtest/gtest.h>

#include <string>

namespace trommel::jobs::learn_job {
namespace {

tables::ClusterStatus Learnt() {
  tables::ClusterStatus status;
  status.site = "films.example";
  status.cluster_id = "f6318a6cadd3c040";
  status.status = "done";
  status.fill = {{"title", 1}, {"author", 0.0625}, {"isbn", 0}};
  status.examples = {
      {"title", {"The Sea", "Rain"}}, {"author", {"A"}}, {"isbn", {}}};
  return status;
}

TEST(FindingsText, ATableAndTheDoubts) {
  tables::ClusterStatus status = Learnt();
  status.doubts = {{"author", "https://films.example/7", 0.4,
                    "it may be \"A, B\" instead of \"A\""}};
  EXPECT_EQ(FindingsText(status),
            "films.example f6318a6cadd3c040:\n"
            "  attribute   fill  examples\n"
            "  title     100.0%  \"The Sea\", \"Rain\"\n"
            "  author      6.2%  \"A\"\n"
            "  isbn        0.0%  \n"
            "  author: it may be \"A, B\" instead of \"A\" "
            "(https://films.example/7)\n");
}

TEST(FindingsText, NothingOfClustersThatWereNotLearnt) {
  tables::ClusterStatus status;
  status.site = "films.example";
  status.status = "needs_annotation";
  EXPECT_EQ(FindingsText(status), "");
}

// 39 bytes and a character of two.
TEST(FindingsText, LongExamplesAreCutAtACharacter) {
  tables::ClusterStatus status = Learnt();
  status.fill = {{"title", 1}};
  status.examples = {{"title", {std::string(39, 'x') + "\u00E9"}}};
  EXPECT_EQ(FindingsText(status),
            "films.example f6318a6cadd3c040:\n"
            "  attribute   fill  examples\n"
            "  title     100.0%  \"" +
                std::string(39, 'x') + "...\"\n");
}

// Text of pages does nothing to the terminal.
TEST(FindingsText, IsPrintable) {
  tables::ClusterStatus status = Learnt();
  status.examples = {{"title", {"a\x1b[2Jb"}}};
  status.doubts = {{"author", "http://a/\x1b[2J", 1, "c\nd"}};
  const std::string text = FindingsText(status);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_NE(text.find("\"a\\u001b[2Jb\""), std::string::npos) << text;
  EXPECT_NE(text.find("c\\nd"), std::string::npos) << text;
}

}  // namespace
}  // namespace trommel::jobs::learn_job
