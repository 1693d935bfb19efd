#include "jobs/tables/decisions_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::tables {
namespace {

TEST(DecisionsTable, RoundTrip) {
  testing_support::TempDir temp;
  const io::Path path = *io::ResolvePath(temp / "decisions");
  DecisionRow full;
  full.site = "a.example";
  full.cluster_id = "c1";
  full.size = 10;
  full.decision = "reused";
  full.how = "page_match";
  full.rule_id = "c1@x";
  full.old_cluster_id = "c0";
  full.old_rule_id = "c0@y";
  full.shared_urls = 9;
  full.passed = 5;
  full.null = 1;
  full.wrong = 2;
  full.appeared = 3;
  full.silent = 4;
  full.unshared = 6;
  full.reason = "5 of 9 pages pass";
  DecisionRow retired;
  retired.site = "b.example";
  retired.decision = kRetired;
  retired.old_cluster_id = "c9";
  retired.reason = "gone";

  auto table = io::RowWriter::Create(path, DecisionsSchema(), {});
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_TRUE(WriteDecision(full, table->get()).ok());
  ASSERT_TRUE(WriteDecision(retired, table->get()).ok());
  ASSERT_TRUE((*table)->Close().ok());

  std::vector<DecisionRow> rows;
  ASSERT_TRUE(VisitDecisions(path, [&](DecisionRow row) {
                rows.push_back(std::move(row));
                return absl::OkStatus();
              }).ok());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].cluster_id, "c1");
  EXPECT_EQ(rows[0].how, "page_match");
  EXPECT_EQ(rows[0].rule_id, "c1@x");
  EXPECT_EQ(rows[0].old_rule_id, "c0@y");
  EXPECT_EQ(rows[0].size, 10);
  EXPECT_EQ(rows[0].shared_urls, 9);
  EXPECT_EQ(rows[0].passed, 5);
  EXPECT_EQ(rows[0].null, 1);
  EXPECT_EQ(rows[0].wrong, 2);
  EXPECT_EQ(rows[0].appeared, 3);
  EXPECT_EQ(rows[0].silent, 4);
  EXPECT_EQ(rows[0].unshared, 6);
  EXPECT_EQ(rows[0].reason, "5 of 9 pages pass");
  EXPECT_EQ(rows[1].cluster_id, "");
  EXPECT_EQ(rows[1].decision, kRetired);
  EXPECT_EQ(rows[1].old_cluster_id, "c9");
}

}  // namespace
}  // namespace trommel::jobs::tables
