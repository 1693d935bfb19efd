#include "jobs/tables/rules_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/base/strings.h"
#include "jobs/tables/rule_files.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::tables {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

TEST(RulesFolder, StatusesAreReadAsWritten) {
  TempDir temp;
  const io::Path folder = *io::ResolvePath(temp / "");
  ClusterStatus asked;
  asked.site = "a.example";
  asked.cluster_id = "c1";
  asked.status = "needs_annotation";
  asked.next_url = "http://a.example/1";
  asked.annotated_pages = 3;
  asked.reason = "the rule fails";
  asked.next_attribute = "title";
  asked.doubts = {{"title", "http://a.example/1", 0.25, "it may be \"b\""}};
  asked.fill = {{"title", 0.5}, {"author", 0.3333}};
  asked.examples = {{"title", {"a", "c"}}, {"author", {}}};
  ClusterStatus done;
  done.site = "b.example";
  done.cluster_id = "c2";
  done.status = "done";
  done.reused_from = "c0@x";
  std::vector<ClusterStatus> statuses = {done, asked};
  proto::RuleSet rules;
  ASSERT_TRUE(WriteRulesFolder(folder, &rules, &statuses).ok());
  const auto read = ReadClusterStatuses(folder.Child(kRulesFile));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(FormatClusterStatus((*read)[i]),
              FormatClusterStatus(statuses[i]));
  }
  EXPECT_EQ((*read)[0].next_url, "http://a.example/1");
  EXPECT_EQ((*read)[0].annotated_pages, 3);
  EXPECT_EQ(FormatClusterStatus((*read)[0]),
            "{\"site\":\"a.example\",\"cluster_id\":\"c1\","
            "\"status\":\"needs_annotation\","
            "\"next_url\":\"http://a.example/1\","
            "\"next_attribute\":\"title\",\"annotated_pages\":3,"
            "\"reused_from\":null,\"reason\":\"the rule fails\","
            "\"doubts\":[{\"attribute\":\"title\","
            "\"url\":\"http://a.example/1\",\"weight\":0.25,"
            "\"text\":\"it may be \\\"b\\\"\"}],"
            "\"fill\":{\"title\":0.5,\"author\":0.3333},"
            "\"examples\":{\"title\":[\"a\",\"c\"],\"author\":[]}}");
}

// Without the keys that came later.
TEST(RulesFolder, FormerStatusesAreRead) {
  TempDir temp;
  WriteWholeFile(temp / "status.jsonl",
                 R"({"site":"s","cluster_id":"c","status":"done",)"
                 R"("next_url":null,"annotated_pages":2,"reused_from":null,)"
                 R"("reason":"learnt"})"
                 "\n");
  const auto read = ReadClusterStatuses(*io::ResolvePath(temp / "rules.binpb"));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(FormatClusterStatus((*read)[0]),
            R"({"site":"s","cluster_id":"c","status":"done",)"
            R"("next_url":null,"next_attribute":null,"annotated_pages":2,)"
            R"("reused_from":null,"reason":"learnt","doubts":[],"fill":{},)"
            R"("examples":{}})");
}

TEST(RulesFolder, WithoutStatuses) {
  TempDir temp;
  const auto read = ReadClusterStatuses(*io::ResolvePath(temp / "rules.binpb"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->empty());
}

TEST(RulesFolder, ABadLineIsNamed) {
  ClusterStatus done;
  done.cluster_id = "c";
  done.status = "done";
  for (const char* const line : {"nonsense", "[1]", "{\"status\":\"done\"}"}) {
    TempDir temp;
    WriteWholeFile(temp / "status.jsonl",
                   StrCat(FormatClusterStatus(done), "\n", line, "\n"));
    const auto read =
        ReadClusterStatuses(*io::ResolvePath(temp / "rules.binpb"));
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_THAT(read.status().ToString(), HasSubstr("status.jsonl:2: not"))
        << line;
  }
}

}  // namespace
}  // namespace trommel::jobs::tables
