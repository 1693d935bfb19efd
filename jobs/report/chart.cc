#include "jobs/report/chart.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"

namespace trommel::jobs::report {
namespace {

// The drawing in its own units; the page stretches it.
constexpr double kWidth = 240;
constexpr double kHeight = 84;
constexpr double kLeft = 29;
constexpr double kRight = kWidth - 6;
constexpr double kTop = 6;
constexpr double kBottom = kHeight - 8;

std::string Coordinate(double value) {
  std::string text = absl::StrFormat("%.1f", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

double X(const ShareChart& chart, int64_t day) {
  const double days = static_cast<double>(chart.last_day - chart.first_day);
  if (days <= 0) return (kLeft + kRight) / 2;
  return kLeft +
         (kRight - kLeft) * static_cast<double>(day - chart.first_day) / days;
}

double Y(double share) {
  return kBottom - (kBottom - kTop) * std::clamp(share, 0.0, 1.0);
}

using Share = std::optional<double> ShareChart::Point::*;

// A path with a gap wherever a share is missing. A point without neighbours is
// a dot: round ends draw a line of no length.
void AppendLine(const ShareChart& chart, Share share, std::string_view style,
                std::string* out) {
  std::string path;
  bool broken = true;
  for (const ShareChart::Point& point : chart.points) {
    const std::optional<double>& value = point.*share;
    if (!value.has_value()) {
      broken = true;
      continue;
    }
    const std::string x = Coordinate(X(chart, point.day));
    const std::string y = Coordinate(Y(*value));
    if (broken) {
      StrAppend(&path, "M", x, " ", y, "h0");
    } else {
      StrAppend(&path, "L", x, " ", y);
    }
    broken = false;
  }
  if (path.empty()) return;
  StrAppend(out, "<path class=\"", style, "\" d=\"", path, "\"/>");
}

void AppendGrid(std::string* out) {
  for (const double share : {0.0, 0.5, 1.0}) {
    StrAppend(out, "<path class=\"grid\" d=\"M", Coordinate(kLeft), " ",
              Coordinate(Y(share)), "H", Coordinate(kRight), "\"/><text x=\"",
              Coordinate(kLeft - 4), "\" y=\"", Coordinate(Y(share) + 3), "\">",
              Coordinate(100 * share), "%</text>");
  }
}

// Where one points at, as wide as there is room between the days.
void AppendTarget(const ShareChart& chart, const ShareChart::Point& point,
                  double width, std::string* out) {
  StrAppend(out, "<rect class=\"hit\" x=\"",
            Coordinate(X(chart, point.day) - width / 2), "\" width=\"",
            Coordinate(width), "\" height=\"", Coordinate(kHeight),
            "\"><title>", WholeText(point.label).markup(), ": ",
            WholeText(point.tip).markup(), "</title></rect>");
}

void AppendMark(const ShareChart& chart, const ShareChart::Point& point,
                std::string* out) {
  const std::string x = Coordinate(X(chart, point.day));
  StrAppend(out, "<path class=\"mark\" d=\"M", x, " ", Coordinate(kTop), "V",
            Coordinate(kBottom), "\"/>");
  if (point.share.has_value()) {
    StrAppend(out, "<circle class=\"mark\" cx=\"", x, "\" cy=\"",
              Coordinate(Y(*point.share)), "\" r=\"3\"/>");
  }
}

}  // namespace

Html Chart(const ShareChart& chart) {
  std::string out =
      StrCat("<svg class=\"chart\" viewBox=\"0 0 ", Coordinate(kWidth), " ",
             Coordinate(kHeight), "\" role=\"img\" aria-label=\"",
             AttributeValue(chart.description), "\">");
  AppendGrid(&out);
  AppendLine(chart, &ShareChart::Point::fainter, "fainter", &out);
  AppendLine(chart, &ShareChart::Point::share, "line", &out);
  for (const ShareChart::Point& point : chart.points) {
    if (point.marked) AppendMark(chart, point, &out);
  }
  const double days = static_cast<double>(chart.last_day - chart.first_day) + 1;
  const double width = std::max((kRight - kLeft) / days, 2.0);
  for (const ShareChart::Point& point : chart.points) {
    AppendTarget(chart, point, width, &out);
  }
  out += "</svg>";
  return Markup(std::move(out));
}

}  // namespace trommel::jobs::report
