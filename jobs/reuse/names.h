#ifndef TROMMEL_JOBS_REUSE_NAMES_H_
#define TROMMEL_JOBS_REUSE_NAMES_H_

// The names under which the steps of "reuse" know their tables and counters.

namespace trommel::jobs::reuse_job {

// From step to step and to the driver, which removes them.
inline constexpr char kOverlapTable[] = "_overlap";
inline constexpr char kFieldsTable[] = "_fields";
inline constexpr char kPagesTable[] = "_pages";
inline constexpr char kRepairsTable[] = "_repairs";
// Of the field test of repaired rules.
inline constexpr char kRepairedFieldsTable[] = "_repaired_fields";
inline constexpr char kRepairedPagesTable[] = "_repaired_pages";

// In the output.
inline constexpr char kToAnnotateFile[] = "to_annotate.jsonl";

inline constexpr char kUrlsShared[] = "urls.shared";
inline constexpr char kPagesTested[] = "pages.tested";
inline constexpr char kPagesUnparsed[] = "pages.unparsed";
inline constexpr char kPagesRelearnt[] = "pages.learnt_from";

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_NAMES_H_
