#include "core/url/pattern.h"

#include <utility>

#include "core/base/status.h"
#include "core/url/codec_internal.h"
#include "core/url/lattice_internal.h"
#include "core/url/parts_internal.h"
#include "core/url/regex_internal.h"

// The URL pattern of a cluster: "the most specific regex that matches all the
// URLs contained in the cluster [...] To prevent overfitting, we impose certain
// size restrictions on the URL regex" (Gulhane et al., Web-scale information
// extraction with Vertex, ICDE 2011, section IV-A). The paper does not say how
// it is found. Here it comes out of map/reduce over up to 100 million URLs, so
// it is computed from a summary that mappers can make of what they see and
// reducers can merge in any order.
//
// The summary is a join-semilattice (lattice_internal.h): Merge() is a least
// upper bound, and the state after any number of them is a function of the set
// of URLs. All of it is built from parts for which that is plain: minima,
// maxima, unions, common prefixes and suffixes, and one device for the rest,
// "all different values until there are too many, then what follows from them":
// whether there are too many in a set does not depend on order, and what is
// kept afterwards (a common prefix, say) can be computed from the values, so
// nothing depends on when they were given up. It is used three times:
//
//   Texts     at one place (a segment of the path, the value of a key, the
//             host): up to 4 values and 96 bytes of them (hosts: 8 and 255),
//             then common prefix and suffix, least length, classes of bytes.
//   Branches  of a group, by the first directory of the path: up to 4, then
//             one. /film/7 and /series/7 stay apart, /anna/7, /bert/7, ... not.
//   Groups    by number of segments and extension; with more than 6, by number
//             of segments; with more than 6 again, one. A group with paths of
//             several lengths has the segments that all have, from the front,
//             and the last two.
//
// Runs of digits are one symbol from the start, so /item-1.html to
// /item-999.html are one value. Literal digits are nowhere worth their risk
// except in the host: they are identifiers, page numbers and dates, and next
// month there are others. For the same reason there is no \d{4,6}.
//
// A query is a set of up to 8 keys with the texts of each, which of them every
// query has, and which was seen behind which. As long as that order has no
// cycle the pattern has the keys in it, those not always there optional. When
// keys change places or repeat, any sequence of them is accepted.
//
// How much to generalise depends on how many URLs there are, but counting is
// not idempotent. A bitmap of 64 hashes is (as in Whang et al., A linear-time
// probabilistic counting algorithm, TODS 1990, without the estimate, because
// the number of bits is itself a lower bound of the count, and thresholds are
// all that it is for). What is made of it is in regex_internal.cc.
//
// Origins are apart from the rest: scheme, host, and what is behind them are
// three independent sets. For clusters of one host that loses nothing.
//
// Cost. Add() splits the URL into views of a buffer on the stack and compares
// them with the state; a URL that adds nothing, which soon is almost every one,
// costs a pass over its bytes and perhaps a hash: 0.2 to 0.4 us for real ones
// of 50 to 100 bytes. A URL that adds something is merged as a state of its
// own, which takes microseconds, and the height of the lattice, some thousand,
// bounds how often that happens. State: at most 24 shapes of 11 segments and 8
// keys with 100 bytes each, or 64 KiB.

namespace trommel::url {

struct UrlPattern::State {
  internal::Summary summary;
};

UrlPattern::UrlPattern() : state_(std::make_unique<State>()) {}
UrlPattern::~UrlPattern() = default;
UrlPattern::UrlPattern(const UrlPattern& other)
    : state_(std::make_unique<State>(*other.state_)) {}
UrlPattern& UrlPattern::operator=(const UrlPattern& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
UrlPattern::UrlPattern(UrlPattern&& other) noexcept = default;
UrlPattern& UrlPattern::operator=(UrlPattern&& other) noexcept = default;

void UrlPattern::Add(std::string_view url) {
  const internal::UrlParts parts(url);
  if (Covers(state_->summary, parts)) return;
  Join(&state_->summary, SummaryOf(parts));
}

void UrlPattern::Merge(const UrlPattern& other) {
  Join(&state_->summary, other.state_->summary);
}

bool UrlPattern::empty() const { return state_->summary.is_bottom(); }

std::string UrlPattern::Encode() const {
  return EncodeSummary(state_->summary);
}

absl::StatusOr<UrlPattern> UrlPattern::Decode(std::string_view bytes) {
  UrlPattern pattern;
  TROMMEL_ASSIGN_OR_RETURN(pattern.state_->summary,
                           internal::DecodeSummary(bytes));
  return pattern;
}

std::string UrlPattern::Regex() const {
  return RegexOf(state_->summary, kMaxRegexBytes);
}

}  // namespace trommel::url
