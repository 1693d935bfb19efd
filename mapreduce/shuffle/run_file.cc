#include "mapreduce/shuffle/run_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/status.h"

namespace trommel::mr {
namespace {

constexpr size_t kWriteBuffer = size_t{1} << 20;

}  // namespace

RunWriter::RunWriter(int descriptor, std::string path)
    : descriptor_(descriptor),
      run_{std::move(path), {}},
      pairs_(descriptor, run_.path, kWriteBuffer) {}

RunWriter::~RunWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!complete_) ::unlink(run_.path.c_str());
}

absl::StatusOr<std::unique_ptr<RunWriter>> RunWriter::Create(
    std::string path, std::atomic<int64_t>* activity) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return absl::UnavailableError(
        StrCat(path, ": cannot create: ", std::strerror(errno)));
  }
  std::unique_ptr<RunWriter> writer(new RunWriter(descriptor, std::move(path)));
  writer->pairs_.set_activity(activity);
  return writer;
}

void RunWriter::EndSection() {
  run_.section_ends.push_back(pairs_.num_bytes());
}

absl::StatusOr<Run> RunWriter::Close() {
  TROMMEL_RETURN_IF_ERROR(pairs_.Flush());
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    return absl::UnavailableError(
        StrCat(run_.path, ": cannot close: ", std::strerror(errno)));
  }
  complete_ = true;
  return run_;
}

RunSection::RunSection(int descriptor, const Run& run, size_t partition,
                       size_t buffer_bytes)
    : descriptor_(descriptor),
      pairs_(descriptor, run.path, run.section_begin(partition),
             run.section_ends[partition], buffer_bytes) {}

RunSection::~RunSection() { ::close(descriptor_); }

absl::StatusOr<std::unique_ptr<RunSection>> RunSection::Open(
    const Run& run, size_t partition, size_t buffer_bytes) {
  const int descriptor = ::open(run.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return absl::UnavailableError(
        StrCat(run.path, ": cannot open: ", std::strerror(errno)));
  }
  return std::unique_ptr<RunSection>(
      new RunSection(descriptor, run, partition, buffer_bytes));
}

}  // namespace trommel::mr
