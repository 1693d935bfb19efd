#ifndef TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
#define TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/parser.h"
#include "jobs/cli/flags.h"
#include "mapreduce/job/job.h"

namespace trommel {

// The flags of every verb that parses pages: which parser, and the limits.
struct PageFlags {
  std::string parser = "direct";
  int64_t max_page_bytes = int64_t{8} << 20;
  int64_t max_nodes = 1000000;
  int64_t max_depth = 512;
  int64_t max_attributes = 1024;
  double page_timeout_s = 5;

  void Define(cli::Flags* flags);
  std::unique_ptr<html::Parser> MakeParser() const;

  // From the command line to the tasks of a job, as settings of its steps; the
  // same pairs stand in manifests.
  std::vector<std::pair<std::string, std::string>> Settings() const;
  void AddTo(mr::StepSpec* spec) const;
  static absl::StatusOr<PageFlags> OfTask(const mr::TaskContext& context);
};

}  // namespace trommel

#endif  // TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
