#ifndef TROMMEL_JOBS_SAMPLE_ANNOTATE_FILES_H_
#define TROMMEL_JOBS_SAMPLE_ANNOTATE_FILES_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "core/html/parser.h"
#include "mapreduce/io/path.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::sample_job {

// Names in the output of `trommel sample`.
inline constexpr char kAnnotateFolder[] = "annotate";
inline constexpr char kAnnotateIndex[] = "annotate.html";

// Writes annotate/SITE.html for each site of the samples in `output`, and
// annotate.html, their index. `schema` may be null; `num_pages` are all pages,
// for showing progress. Holds the pages of one site at a time, compressed.
absl::Status WriteAnnotateFiles(const io::Path& output,
                                const proto::Schema* schema, int64_t num_pages,
                                html::Parser* parser);

}  // namespace trommel::jobs::sample_job

#endif  // TROMMEL_JOBS_SAMPLE_ANNOTATE_FILES_H_
