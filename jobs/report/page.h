#ifndef TROMMEL_JOBS_REPORT_PAGE_H_
#define TROMMEL_JOBS_REPORT_PAGE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jobs/report/html.h"

namespace trommel::jobs::report {

// A report as one HTML page in UTF-8 that needs nothing else: no network, no
// further file. It follows the reader's choice of light and dark, prints, and
// is readable where scripts are switched off; the script filters and sorts
// what is there.
//
//   Page page("Coverage", "500 sites, 30 days", "trommel coverage");
//   page.AddSection("Changes", Paragraph(Text("None.")));
//   WriteFile(path, page.Html());
class Page {
 public:
  // `made_by` is the verb that made the report.
  Page(std::string_view title, std::string_view subtitle,
       std::string_view made_by);

  // What stands between the title and the first section.
  void SetLead(report::Html lead) { lead_ = std::move(lead); }
  // Sections are linked from the top of the page. The heading is text; the
  // section's anchor is made of its letters and digits: "sites", "what-broke".
  void AddSection(std::string_view heading, report::Html content);

  std::string Html() const;

 private:
  struct Section {
    std::string heading;
    report::Html content;
  };
  std::string title_;
  std::string subtitle_;
  std::string made_by_;
  report::Html lead_;
  std::vector<Section> sections_;
};

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_PAGE_H_
