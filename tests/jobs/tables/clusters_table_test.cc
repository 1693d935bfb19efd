#include "jobs/tables/clusters_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::tables {
namespace {

using testing::HasSubstr;

class ClustersTableTest : public testing::Test {
 protected:
  void Write(const std::vector<ClusterRow>& clusters) {
    auto writer = io::RowWriter::Create(table_, ClustersSchema(), {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (const ClusterRow& cluster : clusters) {
      ASSERT_TRUE(WriteCluster(cluster, writer->get()).ok());
    }
    ASSERT_TRUE((*writer)->Close().ok());
  }

  static ClusterRow Cluster(const std::string& site, const std::string& id,
                            const std::string& signature, int64_t importance) {
    ClusterRow cluster;
    cluster.site = site;
    cluster.cluster_id = id;
    cluster.tmpl.signatures = {
        {*signature::MaskedVector::Parse(signature), importance}};
    cluster.size = 12;
    cluster.url_regex = "http://a/.*";
    cluster.example_urls = {"http://a/1", "http://a/2"};
    cluster.site_key = "host";
    cluster.shingle_length = 10;
    return cluster;
  }

  testing_support::TempDir temp_;
  io::Path table_ = *io::ResolvePath(temp_ / "clusters");
};

TEST_F(ClustersTableTest, RoundTrip) {
  ClusterRow plain = Cluster("a.example", "1", "1.2.3.4.5.6.*.*", 9);
  ClusterRow merged = Cluster("a.example", "2", "9.2.3.4.5.6.7.8", 7);
  merged.tmpl.signatures.push_back(
      {*signature::MaskedVector::Parse("*.2.3.4.5.6.7.*"), 3});
  signature::Sketch sketch;
  sketch.slots[0] = 5;
  merged.tmpl.sketch = cluster::TypicalSketch::Of({&sketch});
  merged.size_by_sketch = 4;
  Write({plain, merged});
  std::vector<ClusterRow> read;
  ASSERT_TRUE(VisitClusters(table_, [&](ClusterRow cluster) {
                read.push_back(std::move(cluster));
                return absl::OkStatus();
              }).ok());
  ASSERT_EQ(read.size(), 2u);
  for (const ClusterRow* expected : {&plain, &merged}) {
    const ClusterRow& row = read[expected == &plain ? 0 : 1];
    EXPECT_EQ(row.site, expected->site);
    EXPECT_EQ(row.cluster_id, expected->cluster_id);
    EXPECT_EQ(row.tmpl.signatures, expected->tmpl.signatures);
    ASSERT_EQ(row.tmpl.sketch.has_value(), expected->tmpl.sketch.has_value());
    if (row.tmpl.sketch.has_value()) {
      EXPECT_EQ(row.tmpl.sketch->Encode(), expected->tmpl.sketch->Encode());
    }
    EXPECT_EQ(row.size, 12);
    EXPECT_EQ(row.size_by_sketch, expected->size_by_sketch);
    EXPECT_EQ(row.url_regex, expected->url_regex);
    EXPECT_EQ(row.example_urls, expected->example_urls);
    EXPECT_EQ(row.site_key, "host");
    EXPECT_EQ(row.shingle_length, 10);
  }
  EXPECT_EQ(read[1].tmpl.Importance(), 10);
}

TEST_F(ClustersTableTest, IndexPlacesPagesOfEachSite) {
  Write({Cluster("a.example", "1", "1.1.1.1.1.1.*.*", 9),
         Cluster("b.example", "2", "1.1.1.1.1.1.*.*", 9),
         Cluster("a.example", "3", "2.2.2.2.2.2.*.*", 5)});
  const auto index = ClusterIndex::Read(table_);
  ASSERT_TRUE(index.ok()) << index.status();
  signature::PageSignature page;
  page.vector = *signature::ParseVector("2.2.2.2.2.2.7.8");
  const ClusterIndex::Site* const a = index->Find("a.example");
  ASSERT_NE(a, nullptr);
  const auto place = a->templates.Place(page);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(a->cluster_ids[place->place], "3");
  EXPECT_FALSE(index->Find("b.example")->templates.Place(page).has_value());
  EXPECT_EQ(index->Find("c.example"), nullptr);
}

TEST_F(ClustersTableTest, BadRowsAreNamed) {
  auto writer = io::RowWriter::Create(table_, ClustersSchema(), {});
  (*writer)->Text("a.example").Text("17").BeginList();
  (*writer)->BeginStruct().Text("1.2.x").Int64(3).EndStruct().EndList();
  (*writer)->Null().Int64(3).Int64(1).Int64(0).Text("r").Texts({});
  (*writer)->Text("host").Int64(10).Null();
  ASSERT_TRUE((*writer)->EndRow().ok());
  ASSERT_TRUE((*writer)->Close().ok());
  const absl::Status status = ClusterIndex::Read(table_).status();
  EXPECT_THAT(
      std::string(status.message()),
      testing::AllOf(HasSubstr("part-"), HasSubstr("cluster 17 of a.example"),
                     HasSubstr("1.2.x")));
}

}  // namespace
}  // namespace trommel::jobs::tables
