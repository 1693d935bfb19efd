#include "mapreduce/io/counting_file.h"

#include <arrow/buffer.h>

namespace trommel::io {

arrow::Result<int64_t> CountingFile::Read(int64_t nbytes, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t read, file_->Read(nbytes, out));
  bytes_read_ += read;
  return read;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> CountingFile::Read(
    int64_t nbytes) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> read,
                        file_->Read(nbytes));
  bytes_read_ += read->size();
  return read;
}

arrow::Result<int64_t> CountingFile::ReadAt(int64_t position, int64_t nbytes,
                                            void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t read,
                        file_->ReadAt(position, nbytes, out));
  bytes_read_ += read;
  return read;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> CountingFile::ReadAt(
    int64_t position, int64_t nbytes) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> read,
                        file_->ReadAt(position, nbytes));
  bytes_read_ += read->size();
  return read;
}

}  // namespace trommel::io
