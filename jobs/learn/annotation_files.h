#ifndef TROMMEL_JOBS_LEARN_ANNOTATION_FILES_H_
#define TROMMEL_JOBS_LEARN_ANNOTATION_FILES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/annotation/annotation.h"
#include "mapreduce/io/path.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::learn_job {

// The annotations of one or more files. Their lines are numbered through, file
// after file, so that a number says which file it is of.
class AnnotationFiles {
 public:
  // Fails on files that cannot be read; lines that are no annotations wait for
  // Check().
  static absl::StatusOr<AnnotationFiles> Read(
      const std::vector<std::string>& paths);

  // InvalidArgument with a line "FILE:LINE: …" for each line that is no
  // annotation, has an attribute that the schema lacks, or a URL that is not in
  // the table of samples.
  absl::Status Check(const proto::Schema& schema,
                     const io::Path& samples) const;

  // Those that count; the others are put down as warnings.
  std::vector<annotation::Annotation> WithoutContradictions(
      std::vector<annotation::AnnotationProblem>* warnings) const;

  // "FILE:LINE".
  std::string NameOf(int64_t line) const;
  // "FILE:LINE: …", for a terminal.
  std::string Describe(const annotation::AnnotationProblem& problem) const;

 private:
  struct File {
    std::string name;
    int64_t lines_before = 0;
  };

  std::vector<File> files_;
  std::vector<annotation::Annotation> annotations_;
  std::vector<annotation::AnnotationProblem> bad_lines_;
};

}  // namespace trommel::jobs::learn_job

#endif  // TROMMEL_JOBS_LEARN_ANNOTATION_FILES_H_
