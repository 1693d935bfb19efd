#include "jobs/report/bar.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"

namespace trommel::jobs::report {
namespace {

// A class of report.css.
std::string_view ColourName(BarPart::Colour colour) {
  switch (colour) {
    case BarPart::Colour::kMain:
      return "main";
    case BarPart::Colour::kSecond:
      return "second";
    case BarPart::Colour::kRest:
      break;
  }
  return "rest";
}

// "By signature 50.0%, By sketch 25.0%": for readers who do not see the bar.
std::string Description(const std::vector<BarPart>& parts, int64_t whole) {
  std::string text;
  for (const BarPart& part : parts) {
    StrAppend(&text, text.empty() ? "" : ", ", WholeText(part.name).markup(),
              " ", Percent(part.count, whole));
  }
  return text;
}

}  // namespace

Html Bar(const std::vector<BarPart>& parts, int64_t whole) {
  double sum = 0;
  for (const BarPart& part : parts) {
    sum += static_cast<double>(std::max<int64_t>(part.count, 0));
  }
  const double length = std::max(static_cast<double>(whole), sum);
  std::string out = StrCat("<span class=\"bar\" role=\"img\" aria-label=\"",
                           Description(parts, whole), "\">");
  for (const BarPart& part : parts) {
    if (part.count <= 0) continue;
    StrAppend(&out, "<i class=\"", ColourName(part.colour), "\" style=\"width:",
              absl::StrFormat("%.2f",
                              100.0 * static_cast<double>(part.count) / length),
              "%\"></i>");
  }
  return Markup(out + "</span>");
}

Html BarLegend(const std::vector<BarPart>& parts, int64_t whole) {
  std::string out = "<ul class=\"legend\">";
  for (const BarPart& part : parts) {
    StrAppend(&out, "<li><i class=\"", ColourName(part.colour), "\"></i>",
              WholeText(part.name).markup(), " ", Percent(part.count, whole),
              "</li>");
  }
  return Markup(out + "</ul>\n");
}

}  // namespace trommel::jobs::report
