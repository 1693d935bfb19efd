#ifndef TROMMEL_JOBS_EXTRACT_EXTRACT_STEP_H_
#define TROMMEL_JOBS_EXTRACT_EXTRACT_STEP_H_

// The job of `trommel extract`: from pages and rules to records. Map only.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jobs/cli/flags.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/io/path.h"
#include "mapreduce/job/job.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::extract {

inline constexpr char kPagesExtracted[] = "pages.extracted";
inline constexpr char kPagesSkipped[] = "pages.skipped";
inline constexpr char kRecordsWritten[] = "records.written";
// Of pages that have complete ones besides.
inline constexpr char kRecordsIncomplete[] = "records.incomplete";
// Complete, but below --min-confidence.
inline constexpr char kRecordsDoubtful[] = "records.doubtful";
// Pages that met a rule, by how.
inline constexpr char kMatchedBySignature[] = "pages.matched_by_signature";
inline constexpr char kMatchedBySketch[] = "pages.matched_by_sketch";
inline constexpr char kTriedByUrl[] = "pages.tried_by_url";
inline constexpr char kKeptByUrl[] = "pages.kept_by_url";

// The figures that tasks wrote; the output has the sums, in
// tables::kFiguresFolder.
inline constexpr char kTaskFiguresFolder[] = "_task_figures";

struct ExtractSettings {
  bool try_url_match = false;
  double min_confidence = 0;
  page::PageFlags page;

  void Define(cli::Flags* flags);
};

std::unique_ptr<mr::Step> MakeExtractStep();
// Reads crawls and, as side data, files of rules and, unless the path is empty,
// earlier records. Writes a table for each schema (of the rules, by name), and
// kTaskFiguresFolder.
mr::StepSpec ExtractSpec(const std::vector<std::string>& crawls,
                         const std::vector<io::Path>& rule_files,
                         const std::string& since,
                         const std::map<std::string, proto::Schema>& schemas,
                         const ExtractSettings& settings);

}  // namespace trommel::jobs::extract

#endif  // TROMMEL_JOBS_EXTRACT_EXTRACT_STEP_H_
