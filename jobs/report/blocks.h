#ifndef TROMMEL_JOBS_REPORT_BLOCKS_H_
#define TROMMEL_JOBS_REPORT_BLOCKS_H_

// What reports are made of besides tables and charts.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/report/html.h"

namespace trommel::jobs::report {

enum class State { kOk, kWarn, kBroken, kUnknown };
// A word in the colour of a state: Badge(State::kBroken, "signature changed").
Html Badge(State state, std::string_view text);

// A paragraph set apart: what the reader must know before the figures.
Html Note(const Html& content);

// A command to copy, as it is typed.
Html Command(std::string_view command);
// A word of a command for a POSIX shell: quoted where that is needed.
std::string ShellWord(std::string_view word);

// A list of terms and what they mean, or of facts.
struct Term {
  Html name;
  Html meaning;
};
Html Terms(const std::vector<Term>& terms);

// Large numbers side by side. `value` and `more` are HTML.
struct Figure {
  std::string name;
  Html value;
  Html more;
};
Html Figures(const std::vector<Figure>& figures);

// Two versions of something from the crawl, side by side: URLs, signatures, or
// the source of pages, shown as text and never as the page.
struct Version {
  std::string title;  // "before, 2026-03-01"
  Html about;         // above the source; may be empty
  std::string source;
};
Html BeforeAfter(const Version& before, const Version& after);

// Cards in columns, as many as the window has room for.
struct Card {
  Html heading;
  Html content;
  // Words for quick filters, with spaces between.
  std::string tags;
};
Html Cards(std::string_view id, const std::vector<Card>& cards);

// Something to unfold.
Html Details(const Html& summary, const Html& content);

// Lines to unfold, each with a name and facts beside it. The first one is open:
// it shows what the others hold, and with all of them open a large report is
// slow to lay out.
struct Fold {
  Html name;
  std::vector<Html> facts;
  Html content;
};
Html Folds(const std::vector<Fold>& folds);

// The first items of a list of `num_all`. A few of them stand there, the others
// unfold, and of those that are not given the list says how many there are.
Html FoldingList(const std::vector<Html>& items, size_t num_all);

// A box that filters the rows of a table or the cards of that id by their text,
// and buttons that leave those with a tag.
struct QuickFilter {
  std::string tag;
  std::string label;
};
Html FilterBox(std::string_view id, std::string_view placeholder,
               const std::vector<QuickFilter>& quick = {});

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_BLOCKS_H_
