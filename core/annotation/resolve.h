#ifndef TROMMEL_CORE_ANNOTATION_RESOLVE_H_
#define TROMMEL_CORE_ANNOTATION_RESOLVE_H_

// From the values that an editor gives to the nodes that say them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/annotation/page_text.h"
#include "core/html/document.h"

namespace trommel::annotation {

// A page of the sample. Both must outlive the resolution.
struct ResolvePage {
  const PageText* text = nullptr;
  std::string_view url;  // for links and images
};

// A value of the attribute on a page.
struct WantedValue {
  size_t page = 0;  // its place among the pages
  std::string_view value;
  std::string_view xpath;  // of the node; empty when not given
  // Places that are not to be considered, for finding another explanation.
  std::vector<ValuePlace> excluded = {};
  // Which record it is of, on a page with several; these may say the same.
  std::optional<int64_t> record = {};
};

struct ResolvedValue {
  // Where the page says the value: first the place that was chosen, then the
  // others, the better first. Empty: nowhere.
  std::vector<ValuePlace> places;
  // How many of the first ones are equally good: they fit the value equally
  // well, and what explains the other values explains them all.
  size_t num_alike = 0;
  // Values with the same number were placed by the same description; the first
  // explains most. -1: nowhere, or in fewer places than records say it.
  int group = -1;
  // Where it is nowhere: texts that have words in common with it.
  std::vector<std::string> nearest;
  // Why the XPath was not used, if it was given and not used.
  std::string xpath_problem;
};

// Resolves all values of one attribute together. Where a page says a value in
// several places, the place is chosen that is most like the places of the other
// values (resolve.cc says how). `absent_pages` do not have the attribute. Pages
// that are in neither are not annotated; they show what is the same on all.
// `is_link` is for attributes of type URL and IMAGE, whose values are those of
// src and href rather than text.
//
// The result for a value does not depend on the order of values and pages.
std::vector<ResolvedValue> ResolveValues(
    const std::vector<ResolvePage>& pages,
    const std::vector<WantedValue>& wanted,
    const std::vector<size_t>& absent_pages, bool is_link);

// Other ways to place all values: each explains every value by one description,
// as ResolveValues() would if it were not for better ones. Where a page says a
// value in several places, nobody knows which of them the editor means as long
// as the values agree; these are the places to compare. The best first, at most
// `max_ways`, without the one that ResolveValues() chooses. Each is by value,
// in the order of `wanted`.
std::vector<std::vector<ValuePlace>> OtherWaysToPlace(
    const std::vector<ResolvePage>& pages,
    const std::vector<WantedValue>& wanted,
    const std::vector<size_t>& absent_pages, bool is_link, size_t max_ways);

}  // namespace trommel::annotation

#endif  // TROMMEL_CORE_ANNOTATION_RESOLVE_H_
