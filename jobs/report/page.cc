#include "jobs/report/page.h"

#include "absl/strings/ascii.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/report/assets_internal.h"

namespace trommel::jobs::report {
namespace {

std::string Anchor(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      anchor += AsciiLower(c);
    } else if (!anchor.empty() && anchor.back() != '-') {
      anchor += '-';
    }
  }
  while (!anchor.empty() && anchor.back() == '-') anchor.pop_back();
  return anchor;
}

}  // namespace

Page::Page(std::string_view title, std::string_view subtitle,
           std::string_view made_by)
    : title_(title), subtitle_(subtitle), made_by_(made_by) {}

void Page::AddSection(std::string_view heading, report::Html content) {
  sections_.push_back({std::string(heading), std::move(content)});
}

std::string Page::Html() const {
  std::string body = StrCat("<header>\n<h1>", WholeText(title_).markup(),
                            "</h1>\n<p class=\"soft\">",
                            WholeText(subtitle_).markup(), ", made by <code>",
                            WholeText(made_by_).markup(), "</code>.</p>\n");
  if (sections_.size() > 1) {
    body += "<nav aria-label=\"Sections\">";
    for (const Section& section : sections_) {
      StrAppend(&body, "<a href=\"#", Anchor(section.heading), "\">",
                WholeText(section.heading).markup(), "</a>");
    }
    body += "</nav>\n";
  }
  StrAppend(&body, "</header>\n<main>\n", lead_.markup());
  for (const Section& section : sections_) {
    StrAppend(&body, "<section id=\"", Anchor(section.heading), "\">\n<h2>",
              WholeText(section.heading).markup(), "</h2>\n",
              section.content.markup(), "</section>\n");
  }
  body += "</main>\n";

  // Depends on all of the page, so nothing in it can know it.
  const std::string nonce = ContentDigest(body);
  std::string out;
  out.reserve(body.size() + assets::kReportCss.size() +
              assets::kReportJs.size() + 1024);
  StrAppend(
      &out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; script-src 'nonce-",
      nonce,
      "'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>",
      WholeText(title_).markup(), ": ", WholeText(subtitle_).markup(),
      "</title>\n<style>\n", assets::kReportCss, "</style>\n</head>\n<body>\n",
      body, "<script nonce=\"", nonce, "\">\n", assets::kReportJs,
      "</script>\n</body>\n</html>\n");
  return out;
}

}  // namespace trommel::jobs::report
