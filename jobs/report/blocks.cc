#include "jobs/report/blocks.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_replace.h"
#include "core/base/strings.h"
#include "jobs/report/crawled_text.h"

namespace trommel::jobs::report {
namespace {

// Of the source of one page.
constexpr size_t kMaxSourceBytes = 20000;
// Of a list that folds, so many items stand there.
constexpr size_t kListedItems = 3;

std::string_view StateName(State state) {
  switch (state) {
    case State::kOk:
      return "ok";
    case State::kWarn:
      return "warn";
    case State::kBroken:
      return "broken";
    case State::kUnknown:
      break;
  }
  return "unknown";
}

void AppendVersion(const Version& version, std::string* out) {
  StrAppend(out, "<div><h4>", WholeText(version.title).markup(), "</h4>",
            version.about.markup());
  if (!version.source.empty()) {
    *out += "<pre>";
    AppendCut(version.source, kMaxSourceBytes, Place::kSource, out);
    *out += "</pre>";
  }
  *out += "</div>";
}

void AppendList(const std::vector<Html>& items, size_t begin, size_t end,
                std::string* out) {
  *out += "<ul>";
  for (size_t i = begin; i < end; ++i) {
    StrAppend(out, "<li>", items[i].markup(), "</li>");
  }
  *out += "</ul>";
}

}  // namespace

Html Badge(State state, std::string_view text) {
  return Markup(StrCat("<span class=\"badge ", StateName(state), "\">",
                       WholeText(text).markup(), "</span>"));
}

Html Note(const Html& content) {
  return Markup("<p class=\"note\">") + content + Markup("</p>\n");
}

Html Command(std::string_view command) {
  std::string out = "<div class=\"command\"><pre>";
  AppendVisible(command, Place::kSource, &out);
  return Markup(out + "</pre></div>\n");
}

std::string ShellWord(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "-_./=:,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
    return std::string(word);
  }
  return StrCat("'", absl::StrReplaceAll(ToAbsl(word), {{"'", "'\\''"}}), "'");
}

Html Terms(const std::vector<Term>& terms) {
  std::string out = "<dl class=\"terms\">\n";
  for (const Term& term : terms) {
    StrAppend(&out, "<dt>", term.name.markup(), "</dt><dd>",
              term.meaning.markup(), "</dd>\n");
  }
  return Markup(out + "</dl>\n");
}

Html Figures(const std::vector<Figure>& figures) {
  std::string out = "<dl class=\"figures\">\n";
  for (const Figure& figure : figures) {
    StrAppend(&out, "<div><dt>", WholeText(figure.name).markup(),
              "</dt><dd class=\"number\">", figure.value.markup(), "</dd>");
    if (!figure.more.empty()) {
      StrAppend(&out, "<dd>", figure.more.markup(), "</dd>");
    }
    out += "</div>\n";
  }
  return Markup(out + "</dl>\n");
}

Html BeforeAfter(const Version& before, const Version& after) {
  std::string out = "<div class=\"versions\">";
  AppendVersion(before, &out);
  AppendVersion(after, &out);
  return Markup(out + "</div>\n");
}

Html Cards(std::string_view id, const std::vector<Card>& cards) {
  std::string out =
      StrCat("<div class=\"cards\" id=\"", AttributeValue(id), "\">\n");
  for (const Card& card : cards) {
    out += "<article class=\"card\"";
    if (!card.tags.empty()) {
      StrAppend(&out, " data-tags=\"", AttributeValue(card.tags), "\"");
    }
    StrAppend(&out, "><h3>", card.heading.markup(), "</h3>",
              card.content.markup(), "</article>\n");
  }
  return Markup(out + "</div>\n");
}

Html Details(const Html& summary, const Html& content) {
  return Markup("<details><summary>") + summary + Markup("</summary>\n") +
         content + Markup("</details>\n");
}

Html Folds(const std::vector<Fold>& folds) {
  std::string out;
  for (const Fold& fold : folds) {
    StrAppend(&out, "<details class=\"fold\"", out.empty() ? " open" : "",
              "><summary><h3>", fold.name.markup(), "</h3>");
    for (const Html& fact : fold.facts) {
      StrAppend(&out, "<span>", fact.markup(), "</span>");
    }
    StrAppend(&out, "</summary>\n", fold.content.markup(), "</details>\n");
  }
  return Markup(std::move(out));
}

Html FoldingList(const std::vector<Html>& items, size_t num_all) {
  // Unfolding is not worth a single item.
  const size_t num_listed =
      num_all <= kListedItems + 1 ? items.size() : kListedItems;
  std::string out;
  AppendList(items, 0, num_listed, &out);
  if (num_listed == num_all) return Markup(std::move(out));
  StrAppend(&out, "<details><summary>", Grouped(num_all - num_listed),
            " more</summary>");
  AppendList(items, num_listed, items.size(), &out);
  if (items.size() < num_all) {
    StrAppend(&out, "<span class=\"soft\">", Grouped(num_all - items.size()),
              " more not shown</span>");
  }
  return Markup(out + "</details>");
}

Html FilterBox(std::string_view id, std::string_view placeholder,
               const std::vector<QuickFilter>& quick) {
  std::string out =
      StrCat("<div class=\"filter\" data-filters=\"", AttributeValue(id),
             "\" hidden><input type=\"search\" placeholder=\"",
             AttributeValue(placeholder), "\" aria-label=\"",
             AttributeValue(placeholder), "\">");
  for (const QuickFilter& filter : quick) {
    StrAppend(&out,
              "<button type=\"button\" aria-pressed=\"false\" data-tag=\"",
              AttributeValue(filter.tag), "\">",
              WholeText(filter.label).markup(), "</button>");
  }
  return Markup(out + "<output></output></div>\n");
}

}  // namespace trommel::jobs::report
