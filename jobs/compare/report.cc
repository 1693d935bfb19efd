#include "jobs/compare/report.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::jobs::compare {
namespace {

constexpr size_t kFindingsInText = 20;

// "4,012 records, 99.8% of the usual 4,020".
std::string Headline(const summaries::Compare& summary) {
  std::string line = GroupedCount(summary.records, "record");
  if (summary.compared_sites == 0) {
    return line + "; there is no day before to compare with";
  }
  if (summary.usual_records == 0) return line + ", usually none";
  StrAppend(
      &line,
      absl::StrFormat(", %.1f%% of the usual ",
                      100 * ShareOf(summary.records, summary.usual_records)),
      Grouped(summary.usual_records));
  if (summary.sites.missing > 0) {
    StrAppend(&line, "; ", GroupedCount(summary.sites.missing, "site"),
              " missing");
  }
  if (summary.sites.blocked > 0) {
    StrAppend(&line, "; ", GroupedCount(summary.sites.blocked, "site"),
              " blocked");
  }
  return line;
}

}  // namespace

cli::Report MakeCompareReport(const summaries::Compare& summary) {
  cli::Report report;
  *report.json = ToJson(summary);
  report.text = Headline(summary) + "\n";
  const size_t shown = std::min(summary.findings.size(), kFindingsInText);
  for (size_t i = 0; i < shown; ++i) {
    const summaries::Compare::Finding& finding = summary.findings[i];
    StrAppend(&report.text, finding.severity, " ", finding.kind, ": ",
              Printable(finding.message), "\n");
    if (!finding.example_urls.empty()) {
      StrAppend(&report.text, "  such as ", Printable(finding.example_urls[0]),
                "\n");
    }
  }
  const int64_t more = summary.num_findings - static_cast<int64_t>(shown);
  if (more > 0) StrAppend(&report.text, "... and ", Grouped(more), " more\n");
  return report;
}

}  // namespace trommel::jobs::compare
