#ifndef TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
#define TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/html/parser.h"
#include "jobs/cli/flags.h"

namespace trommel::jobs::page {

// What becomes of pages that a crawl calls truncated.
inline constexpr std::string_view kKeepTruncated = "keep";
inline constexpr std::string_view kRejectTruncated = "reject";

// The flags of every verb that looks at the pages of a crawl: at which.
struct AdmissionFlags {
  int64_t max_page_bytes = int64_t{8} << 20;
  std::string truncated{kKeepTruncated};

  void Define(cli::Flags* flags, bool is_recorded = true);
};

// The flags of every verb that parses pages: which pages, which parser, and the
// limits.
struct PageFlags : AdmissionFlags {
  std::string parser = "direct";
  int64_t max_nodes = 1000000;
  int64_t max_depth = 512;
  int64_t max_attributes = 1024;
  double page_timeout_s = 5;

  void Define(cli::Flags* flags);
  // Without those that are about crawls, for verbs that parse other pages.
  void DefineForParsing(cli::Flags* flags);
  std::unique_ptr<html::Parser> MakeParser() const;

 private:
  void DefineParser(cli::Flags* flags);
};

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_PAGE_FLAGS_H_
