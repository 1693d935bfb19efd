#include "jobs/run/reports/run_graph_picture.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"

namespace trommel::jobs::run::reports {
namespace {

using report::Markup;
using report::WholeText;

constexpr int kBoxWidth = 108;
constexpr int kBoxHeight = 34;
constexpr int kColumn = 140;
constexpr int kRow = 46;
constexpr int kLeft = 92;  // for the dates
constexpr int kTop = 8;
constexpr int kGapBetweenDates = 14;

struct Box {
  int x = 0;
  int y = 0;
};

struct Picture {
  std::vector<Box> boxes;            // of the graph's stages
  std::map<std::string, int> dates;  // and where their rows begin
  int width = 0;
  int height = 0;
};

// A stage stands right of all stages of its date that it waits for;
// stages that would stand in one place stand below each other.
Picture LayOut(const scheduling::StageGraph& graph) {
  const size_t n = graph.stages.size();
  std::vector<int> column(n, 0);
  for (size_t i = 0; i < n; ++i) {
    for (const auto* const others : {&graph.needs[i], &graph.uses[i]}) {
      for (const size_t other : *others) {
        if (graph.stages[other].date == graph.stages[i].date) {
          column[i] = std::max(column[i], column[other] + 1);
        }
      }
    }
  }
  Picture picture;
  picture.boxes.resize(n);
  std::map<std::string, std::vector<size_t>> by_date;
  for (size_t i = 0; i < n; ++i) by_date[graph.stages[i].date].push_back(i);
  int y = kTop;
  for (const auto& [date, stages] : by_date) {
    picture.dates[date] = y;
    std::map<int, int> used;  // rows of a column
    int rows = 1;
    for (const size_t i : stages) {
      const int row = used[column[i]]++;
      rows = std::max(rows, row + 1);
      picture.boxes[i] = {kLeft + column[i] * kColumn, y + row * kRow};
      picture.width =
          std::max(picture.width, picture.boxes[i].x + kBoxWidth + 8);
    }
    y += rows * kRow + kGapBetweenDates;
  }
  picture.height = y;
  return picture;
}

const char* ColourOf(scheduling::StageStatus status) {
  switch (status) {
    case scheduling::StageStatus::kDone:
    case scheduling::StageStatus::kUnchanged:
    case scheduling::StageStatus::kPresent:
      return "ok";
    case scheduling::StageStatus::kFailed:
      return "broken";
    case scheduling::StageStatus::kBlocked:
      return "warn";
    default:
      return "unknown";
  }
}

// Returns what stands in a box below the name of the stage.
std::string Caption(const scheduling::StageOutcome& outcome) {
  if (outcome.status == scheduling::StageStatus::kDone) {
    return absl::StrFormat("done, %.*f s", outcome.seconds < 10 ? 1 : 0,
                           outcome.seconds);
  }
  return std::string(scheduling::StageStatusName(outcome.status));
}

void AppendLine(const Box& from, const Box& to, bool is_needed,
                std::string* svg) {
  const int x1 = from.x + kBoxWidth;
  const int y1 = from.y + kBoxHeight / 2;
  const int y2 = to.y + kBoxHeight / 2;
  const int bend = x1 < to.x ? (to.x - x1) / 2 : kColumn / 3;
  absl::StrAppendFormat(
      svg,
      "<path d=\"M%d %dC%d %d %d %d %d %d\" style=\"fill:none;"
      "stroke:var(--%s)%s\"/>",
      x1, y1, x1 + bend, y1, to.x - bend, y2, to.x, y2,
      is_needed ? "soft" : "line", is_needed ? "" : ";stroke-dasharray:4 3");
}

void AppendBox(const Box& box, const scheduling::Stage& stage,
               const scheduling::StageOutcome& outcome, std::string* svg) {
  const char* const colour = ColourOf(outcome.status);
  StrAppend(svg, "<g><title>", WholeText(stage.Name()).markup(), ": ",
            WholeText(scheduling::StageStatusName(outcome.status)).markup(),
            ". ", WholeText(outcome.reason).markup(), "</title>");
  absl::StrAppendFormat(
      svg,
      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" "
      "style=\"fill:var(--%s-back);stroke:var(--%s)%s\"/>",
      box.x, box.y, kBoxWidth, kBoxHeight, colour, colour,
      outcome.status == scheduling::StageStatus::kDone ? ";stroke-width:2"
                                                       : "");
  const std::string name = stage.vertical.empty()
                               ? stage.kind
                               : StrCat(stage.kind, " ", stage.vertical);
  absl::StrAppendFormat(
      svg,
      "<text x=\"%d\" y=\"%d\" style=\"font-size:12px;font-weight:600;"
      "fill:var(--%s)\">%s</text>"
      "<text x=\"%d\" y=\"%d\" style=\"font-size:10.5px;fill:var(--%s)\">%s"
      "</text></g>",
      box.x + 8, box.y + 14, colour, WholeText(name.substr(0, 16)).markup(),
      box.x + 8, box.y + 27, colour, WholeText(Caption(outcome)).markup());
}

}  // namespace

report::Html StageGraphPicture(const RunResult& result) {
  const Picture picture = LayOut(result.graph);
  std::string svg = absl::StrFormat(
      "<div class=\"scroll\"><svg role=\"img\" aria-label=\"stages and what "
      "waits for what\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">",
      picture.width, picture.height, picture.width, picture.height);
  for (const auto& [date, y] : picture.dates) {
    absl::StrAppendFormat(
        &svg,
        "<text x=\"0\" y=\"%d\" style=\"font-size:12px;fill:var(--soft)\">%s"
        "</text>",
        y + 21, WholeText(date).markup());
  }
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    for (const size_t other : result.graph.uses[i]) {
      AppendLine(picture.boxes[other], picture.boxes[i], false, &svg);
    }
    for (const size_t other : result.graph.needs[i]) {
      AppendLine(picture.boxes[other], picture.boxes[i], true, &svg);
    }
  }
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    AppendBox(picture.boxes[i], result.graph.stages[i], result.outcomes[i],
              &svg);
  }
  StrAppend(&svg, "</svg></div>");
  return Markup(std::move(svg));
}

}  // namespace trommel::jobs::run::reports
