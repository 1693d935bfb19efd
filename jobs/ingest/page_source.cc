#include "jobs/ingest/page_source.h"

#include <utility>

#include "core/base/status.h"

namespace trommel::jobs::ingest {
namespace {

class CountingSource final : public ByteSource {
 public:
  CountingSource(std::unique_ptr<ByteSource> next, int64_t* count)
      : next_(std::move(next)), count_(count) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    absl::StatusOr<size_t> result = next_->Read(buffer, size);
    if (result.ok()) *count_ += static_cast<int64_t>(*result);
    return result;
  }

 private:
  std::unique_ptr<ByteSource> next_;
  int64_t* count_;
};

}  // namespace

bool IsHtmlType(const std::string& mime_type) {
  return mime_type.empty() || mime_type == "text/html" ||
         mime_type == "application/xhtml+xml";
}

absl::StatusOr<std::unique_ptr<ByteSource>> OpenCounted(const io::Path& file,
                                                        int64_t* count) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source,
                           io::OpenByteSource(file));
  return std::make_unique<CountingSource>(std::move(source), count);
}

}  // namespace trommel::jobs::ingest
