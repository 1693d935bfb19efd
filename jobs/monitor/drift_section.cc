#include "core/base/strings.h"
#include "core/monitor/drift.h"
#include "jobs/monitor/html_sections.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/table.h"

namespace trommel::jobs::monitor_job {
namespace {

using report::Badge;
using report::Cell;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::Soft;
using report::State;
using report::Table;
using report::Text;
using report::WholeText;

}  // namespace

Html DriftSection(const Findings& findings) {
  Html intro = Paragraph(
      WholeText("Fill rates and value shapes of the attributes of ") +
      report::Code(findings.records_before) + WholeText(" and ") +
      report::Code(findings.records_after) +
      WholeText(", by site. A shape has A for capitals, a for other letters, 9 "
                "for digits and $ for the rest."));
  const Totals& totals = findings.totals;
  if (findings.drift.empty()) {
    return intro +
           Paragraph(WholeText(StrCat(
               "None of ", GroupedCount(totals.fine_attributes, "attribute"),
               " drifted.")));
  }
  Table table({{"Site"},
               {"Attribute"},
               {"State"},
               {"Records before", true},
               {"after", true},
               {"Filled before", true},
               {"after", true},
               {"Shapes before"},
               {"after"},
               {"Why"}},
              "drifted-attributes");
  for (const DriftRow& row : findings.drift) {
    const bool is_drifted =
        row.state == monitor::DriftStateName(monitor::DriftState::kDrifted);
    table.AddRow(
        {Text(row.site), Text(row.attribute) + Markup(" ") + Soft(row.schema),
         Badge(is_drifted ? State::kWarn : State::kUnknown, row.state),
         Cell::Number(row.records_before), Cell::Number(row.records_after),
         Cell::Share(row.filled_before, row.records_before),
         Cell::Share(row.filled_after, row.records_after),
         Text(row.shapes_before), Text(row.shapes_after), Lines(row.reasons)},
        row.state);
  }
  return intro +
         report::FilterBox("drifted-attributes", "filter attributes",
                           {{"drifted", "drifted"}, {"unknown", "unknown"}}) +
         table.Build() +
         LeftOut(findings.drift.size(),
                 static_cast<size_t>(totals.drifted_attributes +
                                     totals.unknown_attributes),
                 "attribute", kDriftFolder);
}

}  // namespace trommel::jobs::monitor_job
