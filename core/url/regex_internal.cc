#include "core/url/regex_internal.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"

// From a summary to a regular expression.
//
// The summary says what is true of all URLs seen; this file decides how much
// of it to believe of those not seen. The yardstick is the number of different
// URLs behind a statement, by the bits of Shape::evidence. Too general a
// pattern costs a comparison of signatures that leads nowhere; too special a
// one loses pages. So in doubt it is general:
//
//   Digits             \d+, always (the summary does not even keep them).
//   Values             Two to four different ones are listed from kPlenty URLs
//                      on. Otherwise only what they have in common stays.
//   Common front, end  From kCertain URLs on as found. From kSome on, up to
//                      the last separator: "star-wars" and "star-trek" have
//                      "star-" in common, not "star-t". Below, only if made of
//                      digits and separators, and the extension: two titles
//                      that begin with "the-" say nothing.
//   Byte class         Anything that does not end the place. From kPlenty URLs
//                      on, letters and digits only where it has been so: that
//                      is an identifier. Words and titles are not held to the
//                      letters seen.
//   One URL            Its titles (segments of several words), the last name
//                      of its path and the values in its query are taken to
//                      be its own, not the template's.
//   Sections           Those with fewer than kSome URLs are taken together.
//   Lengths            Paths of one section and extension that come in three
//                      lengths may have any: their titles have slashes, or
//                      categories have categories.
//   Shapes             More than four with kSome URLs each are taken together.
//
// Text that comes out too long is made again from a coarser summary, down to
// the origin alone.

namespace trommel::url::internal {
namespace {

// Bits of evidence.
constexpr int kSome = 6;
constexpr int kPlenty = 32;   // about 45 URLs
constexpr int kCertain = 64;  // about 300

// With enough evidence each; a fifth is a sign of more to come.
constexpr int kMaxAlternatives = 4;
// Paths that look alike but for their length may have any length when this
// many different ones were seen.
constexpr size_t kManyLengths = 3;

bool IsStrong(const Shape& shape) {
  return std::popcount(shape.evidence) >= kSome;
}

constexpr std::string_view kAnyText = "(?s:.*)";
constexpr std::string_view kAnyBytes = "\\C*";
// An empty class of characters.
constexpr std::string_view kNothing = "[^\\x{0}-\\x{10FFFF}]";

// Where a text stands.
struct Place {
  std::string_view any;  // a character of it
  bool may_be_empty;     // whatever has been seen
  bool is_last_name;     // the last segment with a name, or a value
};

bool IsContinuation(char c) { return (c & 0xC0) == 0x80; }

// Without the front of a character at the end, which the other texts go on
// with differently.
std::string_view WithoutHalfCharacterAtEnd(std::string_view text) {
  size_t lead = text.size();
  while (lead > 0 && IsContinuation(text[lead - 1])) --lead;
  if (lead == 0) return std::string_view();
  const auto byte = static_cast<unsigned char>(text[lead - 1]);
  if (byte < 0xC0 || text[lead - 1] == kDigits) return text;
  const size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return text.size() - (lead - 1) == length ? text : text.substr(0, lead - 1);
}

std::string_view WithoutHalfCharacterAtFront(std::string_view text) {
  while (!text.empty() && IsContinuation(text[0])) text.remove_prefix(1);
  return text;
}

bool IsLetter(char c) { return c != kDigits && !IsSeparator(c); }

size_t NumWords(std::string_view text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    count += IsLetter(text[i]) && (i == 0 || !IsLetter(text[i - 1]));
  }
  return count;
}

// The longest front that ends in a separator.
std::string_view WholeWordsAtFront(std::string_view text) {
  while (!text.empty() && !IsSeparator(text.back())) text.remove_suffix(1);
  return text;
}

// The longest end that begins with a separator.
std::string_view WholeWordsAtEnd(std::string_view text) {
  while (!text.empty() && !IsSeparator(text.front())) text.remove_prefix(1);
  return text;
}

// The same without letters, but with digits.
std::string_view NumbersAtFront(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && !IsLetter(text[length])) ++length;
  text = WholeWordsAtFront(text.substr(0, length));
  return text.find(kDigits) == std::string_view::npos ? std::string_view()
                                                      : text;
}

// The same, and then an extension.
std::string_view NumbersAtEnd(std::string_view text) {
  const size_t end = ExtensionBegin(text);
  size_t begin = end;
  while (begin > 0 && !IsLetter(text[begin - 1])) --begin;
  const std::string_view numbers =
      WholeWordsAtEnd(text.substr(begin, end - begin));
  return numbers.find(kDigits) == std::string_view::npos
             ? text.substr(end)
             : text.substr(end - numbers.size());
}

// Folded text that stands for itself.
void AppendLiteral(std::string_view text, std::string* out) {
  constexpr std::string_view kSpecial = "\\.+*?()|[]{}^$";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == kDigits) {
      out->append("\\d+");
    } else if (byte < ' ' || byte == 0x7F) {
      absl::StrAppendFormat(out, "\\x{%X}", byte);
    } else {
      if (kSpecial.find(c) != std::string_view::npos) out->push_back('\\');
      out->push_back(c);
    }
  }
}

// "a", or "(?:a|b|c)".
void AppendAlternatives(const std::vector<std::string>& texts,
                        std::string* out) {
  if (texts.size() != 1) out->append("(?:");
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out->push_back('|');
    out->append(texts[i]);
  }
  if (texts.size() != 1) out->push_back(')');
}

void AppendLiterals(const std::vector<std::string>& values, std::string* out) {
  std::vector<std::string> texts(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    AppendLiteral(values[i], &texts[i]);
  }
  AppendAlternatives(texts, out);
}

// A class for identifiers of these bytes, or `any`.
std::string_view IdentifierClass(uint8_t classes, std::string_view any) {
  const auto only = [classes](int allowed) {
    return (classes & ~allowed) == 0;
  };
  if ((classes & kDigit) == 0) return any;
  if (only(kDigit | kLowerHex)) return "[0-9a-f]";
  if (only(kDigit | kUpperHex)) return "[0-9A-F]";
  if (only(kDigit | kLowerHex | kHyphen)) return "[0-9a-f-]";
  if (only(kDigit | kUpperHex | kHyphen)) return "[0-9A-F-]";
  if (only(kDigit | kLowerHex | kLower)) return "[0-9a-z]";
  if (only(kDigit | kUpperHex | kUpper)) return "[0-9A-Z]";
  if (only(kDigit | kLowerHex | kLower | kUpperHex | kUpper)) {
    return "[0-9A-Za-z]";
  }
  return any;
}

// Whether the only text known, of one URL, is to be taken for that URL's own.
bool IsOwn(std::string_view value, const Place& place) {
  const std::string_view stem = value.substr(0, ExtensionBegin(value));
  const size_t words = NumWords(stem);
  if (words == 0) return false;
  if (words > 1) return true;
  return place.is_last_name && stem.find(kDigits) == std::string_view::npos;
}

void AppendText(const Text& text, int evidence, const Place& place,
                std::string* out) {
  if (text.values.size() == 1 &&
      (evidence > 1 || !IsOwn(text.values[0], place))) {
    AppendLiteral(text.values[0], out);
    return;
  }
  if (text.values.size() > 1 && evidence >= kPlenty) {
    AppendLiterals(text.values, out);
    return;
  }
  Text wide = text;
  Widen(&wide);
  std::string_view prefix = WithoutHalfCharacterAtEnd(wide.prefix);
  std::string_view suffix = wide.suffix;
  if (evidence < kSome) {
    prefix = NumbersAtFront(prefix);
    suffix = NumbersAtEnd(suffix);
  } else if (evidence < kCertain) {
    prefix = WholeWordsAtFront(prefix);
    suffix = WholeWordsAtEnd(suffix);
  }
  // The shortest text may not have room for both.
  const size_t room = wide.min_length - prefix.size();
  if (suffix.size() > room) suffix.remove_prefix(suffix.size() - room);
  suffix = WithoutHalfCharacterAtFront(suffix);

  std::string_view middle = place.any;
  if (evidence >= kPlenty) {
    // A dot at the end is the last one in all texts.
    const bool has_dot = suffix.find('.') != std::string_view::npos;
    middle =
        IdentifierClass(has_dot ? wide.stem_classes : wide.classes, place.any);
  }
  AppendLiteral(prefix, out);
  const bool may_be_empty = (place.may_be_empty && middle == place.any) ||
                            wide.min_length == prefix.size() + suffix.size();
  StrAppend(out, middle, may_be_empty ? "*" : "+");
  AppendLiteral(suffix, out);
}

bool IsNameless(const Text& text) {
  return text.values.size() == 1 && text.values[0].empty();
}

void AppendPath(const PathShape& path, bool has_params, int evidence,
                std::string* out) {
  const bool is_directory = IsNameless(path.last);
  const bool is_variable = path.min_segments < path.max_segments;
  // The segments from the front; then, between any others, those from the end.
  std::vector<const Text*> names;
  for (const Text& head : path.heads) names.push_back(&head);
  if (is_variable && path.min_segments > 2) names.back() = &path.before_last;
  Place place = {"[^/?#]", /*may_be_empty=*/false, /*is_last_name=*/false};
  for (const Text* const name : names) {
    if (name == &path.before_last) out->append("(?:[^?#]*/)?");
    place.is_last_name = is_directory && name == names.back();
    AppendText(*name, evidence, place, out);
    out->push_back('/');
  }
  if (is_variable && path.min_segments <= 2) out->append("(?:[^?#]*/)?");
  // In item.php?id=1 it is the query that tells the pages apart.
  const bool is_script =
      has_params && path.last.values.size() == 1 &&
      ExtensionBegin(path.last.values[0]) < path.last.values[0].size();
  place.is_last_name = !is_script;
  AppendText(path.last, evidence, place, out);
}

std::string ParamRegex(const Param& param, int evidence) {
  std::string regex;
  AppendLiteral(param.key, &regex);
  if (param.value.is_bottom()) return regex;
  if (param.is_bare) regex.append("(?:");
  regex.push_back('=');
  AppendText(param.value, evidence,
             {"[^&#]", /*may_be_empty=*/true, /*is_last_name=*/true}, &regex);
  if (param.is_bare) regex.append(")?");
  return regex;
}

// The params in an order that all queries keep, and among the possible ones by
// key; shorter when there is none.
std::vector<size_t> CommonOrder(const Query& query) {
  std::vector<size_t> order;
  uint32_t placed = 0;
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < query.params.size() && !found; ++i) {
      if ((placed >> i & 1) != 0) continue;
      if ((query.params[i].after & ~placed) != 0) continue;
      order.push_back(i);
      placed |= 1u << i;
      found = true;
    }
  }
  return order;
}

// What is behind the question mark.
void AppendParams(const Query& query, int evidence, std::string* out) {
  if (query.is_wide) {
    out->append("[^#]*");
    return;
  }
  std::vector<std::string> params;
  for (const Param& param : query.params) {
    params.push_back(ParamRegex(param, evidence));
  }
  const std::vector<size_t> order = CommonOrder(query);
  if (query.has_repeats || order.size() < params.size()) {
    out->append("(?:");
    AppendAlternatives(params, out);
    out->append("&?)*");
    return;
  }
  const bool has_fixed =
      std::any_of(query.params.begin(), query.params.end(),
                  [](const Param& param) { return param.is_always; });
  bool is_behind_fixed = false;
  for (const size_t i : order) {
    if (query.params[i].is_always) {
      StrAppend(out, is_behind_fixed ? "&" : "", params[i]);
      is_behind_fixed = true;
    } else if (is_behind_fixed) {
      StrAppend(out, "(?:&", params[i], ")?");
    } else if (has_fixed) {
      StrAppend(out, "(?:", params[i], "&)?");
    } else {
      StrAppend(out, "(?:&?", params[i], ")?");
    }
  }
}

void AppendQuery(const Query& query, bool in_detail, int evidence,
                 std::string* out) {
  if (!query.is_present) return;
  if (query.is_absent) out->append("(?:");
  out->append("\\?");
  if (in_detail) {
    AppendParams(query, evidence, out);
  } else {
    out->append("[^#]*");
  }
  if (query.is_absent) out->append(")?");
}

std::string ShapeRegex(const Shape& shape, bool in_detail) {
  const int evidence = std::popcount(shape.evidence);
  const bool has_params =
      shape.query.is_present && !shape.query.is_absent &&
      std::any_of(shape.query.params.begin(), shape.query.params.end(),
                  [](const Param& param) { return !param.value.is_bottom(); });
  std::string regex;
  AppendPath(shape.path, has_params, evidence, &regex);
  AppendQuery(shape.query, in_detail, evidence, &regex);
  if (shape.has_fragment) {
    if (shape.lacks_fragment) regex.append("(?:");
    StrAppend(&regex, "#", kAnyText);
    if (shape.lacks_fragment) regex.append(")?");
  }
  return regex;
}

void AppendScheme(const Text& scheme, std::string* out) {
  if (scheme.is_wide) {
    out->append("[^/:?#]+");
  } else if (scheme.values == std::vector<std::string>{"http", "https"}) {
    out->append("https?");
  } else {
    AppendLiterals(scheme.values, out);
  }
}

void AppendAuthority(const Text& authority, bool in_detail, std::string* out) {
  if (authority.values.size() == 1 ||
      (in_detail && !authority.values.empty())) {
    AppendLiterals(authority.values, out);
    return;
  }
  Text wide = authority;
  Widen(&wide);
  // Whole labels, unless the common end is a host itself.
  std::string_view suffix = wide.suffix;
  const bool is_host = suffix.size() == wide.min_length;
  if (!is_host) suffix.remove_prefix(std::min(suffix.find('.'), suffix.size()));
  StrAppend(out, "[^/?#]", is_host ? "*" : "+");
  AppendLiteral(WithoutHalfCharacterAtFront(suffix), out);
}

// Empty when nothing is known of it.
std::string OriginRegex(const Origin& origin, bool in_detail) {
  std::string regex;
  if (origin.is_any || origin.scheme.is_bottom()) return regex;
  if (origin.is_absent) regex.append("(?:");
  AppendScheme(origin.scheme, &regex);
  regex.append("://");
  AppendAuthority(origin.authority, in_detail, &regex);
  if (origin.is_absent) regex.append(")?");
  return regex;
}

// The shapes that are told apart.
std::vector<Shape> ShapesOf(const Summary& summary) {
  // Paths that differ in nothing but their length, of three or more lengths.
  using Likeness = std::tuple<std::string_view, std::string_view, bool, bool>;
  const auto likeness_of = [](const Group& group, const Branch& branch) {
    return Likeness(group.extension, branch.section, group.is_joined,
                    IsNameless(branch.shape.path.last));
  };
  std::map<Likeness, std::vector<const Shape*>> alike;
  for (const Group& group : summary.groups) {
    for (const Branch& branch : group.branches) {
      alike[likeness_of(group, branch)].push_back(&branch.shape);
    }
  }
  std::vector<Shape> shapes;
  const auto add_joined = [&shapes](const std::vector<const Shape*>& several) {
    if (several.empty()) return;
    shapes.push_back(*several[0]);
    for (const Shape* const shape : several) Join(&shapes.back(), *shape);
  };
  for (const auto& [likeness, several] : alike) {
    if (several.size() >= kManyLengths) add_joined(several);
  }
  for (const Group& group : summary.groups) {
    std::vector<const Shape*> weak;
    for (const Branch& branch : group.branches) {
      if (alike[likeness_of(group, branch)].size() >= kManyLengths) continue;
      if (IsStrong(branch.shape)) {
        shapes.push_back(branch.shape);
      } else {
        weak.push_back(&branch.shape);
      }
    }
    add_joined(weak);
  }
  return shapes;
}

// False when it has too many alternatives.
bool MakeRegex(const Summary& summary, bool in_detail, std::string* regex) {
  const std::vector<Shape> shapes = ShapesOf(summary);
  if (std::count_if(shapes.begin(), shapes.end(), IsStrong) >
      kMaxAlternatives) {
    return false;
  }
  std::vector<std::string> alternatives;
  alternatives.reserve(shapes.size());
  for (const Shape& shape : shapes) {
    alternatives.push_back(ShapeRegex(shape, in_detail));
  }
  std::sort(alternatives.begin(), alternatives.end());
  alternatives.erase(std::unique(alternatives.begin(), alternatives.end()),
                     alternatives.end());
  *regex = OriginRegex(summary.origin, in_detail);
  AppendAlternatives(alternatives, regex);
  return true;
}

}  // namespace

std::string RegexOf(const Summary& summary, size_t max_bytes) {
  if (summary.is_bottom()) return std::string(kNothing);
  std::string regex;
  const auto fits = [&](const Summary& its_summary, bool in_detail) {
    return MakeRegex(its_summary, in_detail, &regex) &&
           regex.size() <= max_bytes;
  };
  if (!summary.has_bad_utf8) {
    if (fits(summary, /*in_detail=*/true)) return regex;
    Summary coarse = summary;
    for (const Level level :
         {Level::kSegmentsAndExtension, Level::kSegments, Level::kNothing}) {
      Raise(&coarse, level);
      for (Group& group : coarse.groups) JoinBranches(&group);
      if (fits(coarse, /*in_detail=*/true)) return regex;
    }
    if (fits(coarse, /*in_detail=*/false)) return regex;
  }
  const std::string_view rest = summary.has_bad_utf8 ? kAnyBytes : kAnyText;
  regex = StrCat(OriginRegex(summary.origin, /*in_detail=*/false), rest);
  if (regex.size() > max_bytes) regex = rest;
  return regex;
}

}  // namespace trommel::url::internal
