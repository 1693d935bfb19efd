#include "jobs/learn/annotation_files.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::learn_job {
namespace {

// Of the URLs, those that are in the table of samples. Reads no contents.
absl::StatusOr<std::set<std::string>> FindInSamples(
    const std::set<std::string, std::less<>>& urls, const io::Path& samples) {
  std::set<std::string> found;
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      samples, {{"url", io::ColumnType::kBytes}}, [&](const io::Row& row) {
        const auto url = urls.find(row.bytes(0));
        if (url != urls.end()) found.insert(*url);
        return absl::OkStatus();
      }));
  return found;
}

}  // namespace

absl::StatusOr<AnnotationFiles> AnnotationFiles::Read(
    const std::vector<std::string>& paths) {
  AnnotationFiles files;
  int64_t lines_before = 0;
  for (const std::string& name : paths) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(name));
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(path));
    files.files_.push_back({name, lines_before});
    const size_t first_bad = files.bad_lines_.size();
    for (annotation::Annotation& annotation :
         annotation::ParseAnnotations(text, &files.bad_lines_)) {
      annotation.line += lines_before;
      files.annotations_.push_back(std::move(annotation));
    }
    for (size_t i = first_bad; i < files.bad_lines_.size(); ++i) {
      files.bad_lines_[i].line += lines_before;
    }
    lines_before += std::count(text.begin(), text.end(), '\n') + 1;
  }
  return files;
}

absl::Status AnnotationFiles::Check(const proto::Schema& schema,
                                    const io::Path& samples) const {
  std::set<std::string, std::less<>> urls;
  for (const annotation::Annotation& annotation : annotations_)
    urls.insert(annotation.url);
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> in_samples,
                           FindInSamples(urls, samples));
  std::vector<annotation::AnnotationProblem> problems =
      annotation::FindErrors(annotations_, schema, in_samples);
  problems.insert(problems.end(), bad_lines_.begin(), bad_lines_.end());
  if (problems.empty()) return absl::OkStatus();
  std::stable_sort(
      problems.begin(), problems.end(),
      [](const annotation::AnnotationProblem& a,
         const annotation::AnnotationProblem& b) { return a.line < b.line; });
  constexpr size_t kMaxLines = 50;
  std::string message = StrCat(
      Counted(static_cast<int64_t>(problems.size()), "unusable annotation"));
  for (size_t i = 0; i < std::min(problems.size(), kMaxLines); ++i) {
    StrAppend(&message, "\n", Describe(problems[i]));
  }
  if (problems.size() > kMaxLines) {
    StrAppend(&message, "\n... and ", problems.size() - kMaxLines, " more");
  }
  return absl::InvalidArgumentError(message);
}

std::vector<annotation::Annotation> AnnotationFiles::WithoutContradictions(
    std::vector<annotation::AnnotationProblem>* warnings) const {
  std::vector<annotation::Annotation> annotations = annotations_;
  // With one file the line says it all.
  *warnings =
      files_.size() > 1
          ? annotation::RemoveContradictions(
                &annotations, [&](int64_t line) { return NameOf(line); })
          : annotation::RemoveContradictions(&annotations);
  return annotations;
}

std::string AnnotationFiles::NameOf(int64_t line) const {
  const auto after = std::upper_bound(
      files_.begin(), files_.end(), line,
      [](int64_t value, const File& f) { return value <= f.lines_before; });
  if (after == files_.begin()) return StrCat("annotation ", line);
  const File& file = *(after - 1);
  return StrCat(file.name, ":", line - file.lines_before);
}

std::string AnnotationFiles::Describe(
    const annotation::AnnotationProblem& problem) const {
  return StrCat(NameOf(problem.line), ": ", Printable(problem.message));
}

}  // namespace trommel::jobs::learn_job
