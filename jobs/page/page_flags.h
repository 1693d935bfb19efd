#ifndef TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
#define TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/html/parser.h"
#include "jobs/cli/flags.h"

namespace trommel::jobs::page {

// The flag of every verb that looks at pages without parsing them.
struct PageSizeFlags {
  int64_t max_page_bytes = int64_t{8} << 20;

  void Define(cli::Flags* flags, bool is_recorded = true);
};

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
};

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
