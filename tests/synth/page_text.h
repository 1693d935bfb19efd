#ifndef TROMMEL_TESTS_SYNTH_PAGE_TEXT_H_
#define TROMMEL_TESTS_SYNTH_PAGE_TEXT_H_

// A crude reader of pages for tests, written independently of core/html.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proto/web_spec.pb.h"
#include "synth/truth.h"

namespace trommel::synth {

// The tags as they stand in the source: "div", "/div". Comments, declarations
// and the insides of script and style are left out.
std::vector<std::string> TagSequence(std::string_view html);

// The page's text as UTF-8: tags replaced by `tag_mark`, entities decoded,
// white space collapsed.
std::string PageText(const GeneratedPage& page, char tag_mark = '\x1F');

// The set of ten tags in a row.
std::set<std::string> TagShingles(std::string_view html);
double Jaccard(const std::set<std::string>& a, const std::set<std::string>& b);

// Values of the attribute (of any element), in order.
std::vector<std::string> AttributeValues(std::string_view html,
                                         std::string_view name);

// The part between the comments around the content area, and the rest.
std::string ContentArea(std::string_view html);
std::string Chrome(std::string_view html);

// A spec from textproto; fails the test when it does not parse.
proto::WebSpec ParseSpec(std::string_view text);

}  // namespace trommel::synth

#endif  // TROMMEL_TESTS_SYNTH_PAGE_TEXT_H_
