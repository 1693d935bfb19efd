#ifndef TROMMEL_MAPREDUCE_TASK_BREADCRUMB_H_
#define TROMMEL_MAPREDUCE_TASK_BREADCRUMB_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace trommel::mr {

// Where a task process is, in memory that it shares with its supervisor and
// that outlives it, however it dies. Updating it costs a store per row.
class Breadcrumb {
 public:
  struct Data {
    // The row being mapped, counted through the split; kNoRow while the task
    // does something that no row is to blame for.
    std::atomic<int64_t> row;
    std::atomic<int64_t> rows_done;
    std::atomic<int64_t> rows_rejected;
    // Goes up whenever the task gets somewhere, between rows too.
    std::atomic<int64_t> activity;
  };
  static constexpr int64_t kNoRow = -1;

  // Creates the file, or opens one that exists.
  static absl::StatusOr<Breadcrumb> Open(const std::string& path);
  Breadcrumb(Breadcrumb&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)) {}
  Breadcrumb& operator=(Breadcrumb&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Breadcrumb();

  Data* operator->() const { return data_; }
  Data& operator*() const { return *data_; }

 private:
  explicit Breadcrumb(Data* data) : data_(data) {}
  Data* data_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_BREADCRUMB_H_
