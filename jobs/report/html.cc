#include "jobs/report/html.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/report/crawled_text.h"

namespace trommel::jobs::report {
namespace {

// An element around text that is shown cut where it is long.
Html Element(std::string_view tag, std::string_view style,
             std::string_view bytes) {
  std::string out = StrCat("<", tag);
  if (!style.empty()) StrAppend(&out, " class=\"", style, "\"");
  AppendTip(bytes, &out);
  out += '>';
  AppendShown(bytes, &out);
  StrAppend(&out, "</", tag, ">");
  return Markup(std::move(out));
}

}  // namespace

Html Markup(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html Text(std::string_view bytes) {
  // An element only where there is a tip to carry.
  if (bytes.size() > kShownBytes) return Element("span", "", bytes);
  return WholeText(bytes);
}

Html WholeText(std::string_view bytes) {
  std::string out;
  AppendVisible(bytes, Place::kText, &out);
  return Markup(std::move(out));
}

Html Code(std::string_view bytes) { return Element("code", "", bytes); }

Html Url(std::string_view url) {
  std::string out = "<span class=\"url\"";
  AppendTip(url, &out);
  out += '>';
  AppendUrl(url, &out);
  out += "</span>";
  return Markup(std::move(out));
}

Html Soft(std::string_view bytes) { return Element("span", "soft", bytes); }

std::string AttributeValue(std::string_view bytes) {
  std::string out;
  AppendVisible(bytes, Place::kAttribute, &out);
  return out;
}

Html Paragraph(const Html& content) {
  return Markup("<p>") + content + Markup("</p>\n");
}

std::string Percent(int64_t part, int64_t whole) {
  if (part <= 0 || whole <= 0) return "0%";
  if (part >= whole) return "100%";
  const double percent =
      100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.1) return "&lt;0.1%";
  if (percent > 99.9) return "&gt;99.9%";
  return absl::StrFormat("%.1f%%", percent);
}

}  // namespace trommel::jobs::report
