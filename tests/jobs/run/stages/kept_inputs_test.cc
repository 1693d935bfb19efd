#include "jobs/run/stages/kept_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jobs/run/stages/stages.h"

namespace trommel::jobs::run::stages {
namespace {

proto::Pipeline UsualPipeline() {
  proto::Pipeline pipeline;
  pipeline.set_crawl("/p/web/day={date}/crawl");
  pipeline.set_work("/p/work");
  pipeline.set_rules("/p/rules");
  pipeline.set_records("/p/records");
  pipeline.set_reports("/p/reports");
  pipeline.mutable_engine()->set_engine("local");
  proto::Vertical* const vertical = pipeline.add_vertical();
  vertical->set_name("movie");
  vertical->set_schema("/p/movie.textproto");
  vertical->set_annotations("/p/annotations/{date}.jsonl");
  return pipeline;
}

absl::Status Check(const proto::Pipeline& pipeline,
                   const std::string& file = "/p/pipeline.textproto") {
  const layout::Layout layout(pipeline);
  const auto stages = StagesOfNights(layout, {"2026-01-01", "2026-01-02"});
  EXPECT_TRUE(stages.ok()) << stages.status();
  return CheckInputsAreKept(layout, file, *stages);
}

TEST(CheckInputsAreKept, UsualPlacesAreFine) {
  EXPECT_TRUE(Check(UsualPipeline()).ok());
  // The areas of a pipeline are never replaced, only what stages write there.
  proto::Pipeline pipeline = UsualPipeline();
  pipeline.mutable_vertical(0)->set_annotations(
      "/p/work/annotations/{date}.jsonl");
  EXPECT_TRUE(Check(pipeline).ok()) << Check(pipeline);
}

TEST(CheckInputsAreKept, WhatAStageReplacesIsNoPlaceForInputs) {
  proto::Pipeline among_samples = UsualPipeline();
  among_samples.mutable_vertical(0)->set_annotations(
      "/p/work/samples/movie/day={date}/annotations.jsonl");
  EXPECT_EQ(Check(among_samples).message(),
            "/p/work/samples/movie/day=2026-01-01/annotations.jsonl lies "
            "inside /p/work/samples/movie/day=2026-01-01, which the stage "
            "sample movie 2026-01-01 replaces as a whole; keep it elsewhere");

  proto::Pipeline in_clusters = UsualPipeline();
  in_clusters.mutable_vertical(0)->set_schema(
      "/p/x/../work/day=2026-01-02/clusters/movie.textproto");
  EXPECT_TRUE(absl::IsInvalidArgument(Check(in_clusters)));

  proto::Pipeline among_records = UsualPipeline();
  among_records.set_crawl("file:///p/records/date={date}");
  EXPECT_TRUE(absl::IsInvalidArgument(Check(among_records)));

  for (const char* const table : {"rejects", "figures"}) {
    proto::Pipeline among_others = UsualPipeline();
    among_others.set_rejects("/p/rejects");
    among_others.set_figures("/p/figures");
    EXPECT_TRUE(Check(among_others).ok());
    among_others.set_crawl(StrCat("/p/", table, "/date={date}"));
    EXPECT_TRUE(absl::IsInvalidArgument(Check(among_others))) << table;
  }

  EXPECT_TRUE(absl::IsInvalidArgument(
      Check(UsualPipeline(), "/p/work/day=2026-01-01/monitor/p.textproto")));
}

}  // namespace
}  // namespace trommel::jobs::run::stages
