#ifndef TROMMEL_MAPREDUCE_IO_COUNTING_FILE_H_
#define TROMMEL_MAPREDUCE_IO_COUNTING_FILE_H_

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace trommel::io {

// A file that knows how many of its bytes were asked for.
class CountingFile final : public arrow::io::RandomAccessFile {
 public:
  explicit CountingFile(std::shared_ptr<arrow::io::RandomAccessFile> file)
      : file_(std::move(file)) {}

  int64_t bytes_read() const { return bytes_read_; }

  arrow::Result<int64_t> Read(int64_t nbytes, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t nbytes) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t nbytes,
                                void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position,
                                                       int64_t nbytes) override;

  arrow::Result<int64_t> GetSize() override { return file_->GetSize(); }
  arrow::Status Seek(int64_t position) override {
    return file_->Seek(position);
  }
  arrow::Result<int64_t> Tell() const override { return file_->Tell(); }
  arrow::Status Close() override { return file_->Close(); }
  bool closed() const override { return file_->closed(); }

 private:
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::atomic<int64_t> bytes_read_ = 0;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_COUNTING_FILE_H_
