#ifndef TROMMEL_CORE_XPATH_MATCHER_SET_H_
#define TROMMEL_CORE_XPATH_MATCHER_SET_H_

// Running many paths on pages, in one walk over the nodes of each page.
//
//   MatcherSet set;
//   TROMMEL_ASSIGN_OR_RETURN(const size_t title, set.Add(path));
//   ...
//   std::vector<std::vector<Match>> matches;
//   set.Select(document, &matches);
//   for (const Match& match : matches[title]) ...

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/xpath/ast.h"
#include "core/xpath/matcher.h"

namespace trommel::xpath {

// After the last Add() a set does not change and may be used by several
// threads.
class MatcherSet {
 public:
  MatcherSet();
  MatcherSet(MatcherSet&&) noexcept;
  MatcherSet& operator=(MatcherSet&&) noexcept;
  ~MatcherSet();

  // The number of the path: 0, 1, 2 and so on. Fails as Matcher::Compile()
  // does.
  absl::StatusOr<size_t> Add(const LocationPath& path);

  // Sets matches[i] to what Matcher::Select() gives for path i.
  void Select(const html::Document& document,
              std::vector<std::vector<Match>>* matches) const;

 private:
  struct Waiting;
  class Walk;

  std::vector<std::unique_ptr<const Program>> programs_;
  std::unique_ptr<Waiting> waiting_;
};

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_MATCHER_SET_H_
