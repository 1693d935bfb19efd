#include "core/learn/vertex/delimiters.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/rule/fields/text_range.h"
#include "core/rule/fields/tokens.h"

// What stands around values.
//
// The candidates for the literal in front of a value are what stands there in
// an annotated text: its last tokens, from one to a dozen. A candidate that
// leads to the value in all annotated texts is a delimiter; one that is missing
// in some, where the value then is at the beginning, is one that may be
// missing. Most candidates fail at once, and what is left is tried with each of
// the literals behind the value, which are found in the same way. So a range is
// never assumed, it is always tried.
//
// Candidates that lead to the same places in all texts, those of other pages
// included, are one candidate, and LengthRank() says which of them is taken.
//
// The first occurrence of a literal counts, and the last one is tried where a
// known text has several.
//
// A text with several values has separators: all that stands between two
// values. The delimiters are then those of the whole list.
//
// Cost: a few dozen candidates for each side, each applied to all texts, and
// eight of one side with those of the other.

namespace trommel::learn::vertex {
namespace {

using proto::Delimiter;
using proto::TextRange;
using rule::fields::ApplyRange;
using rule::fields::CharacterKind;
using rule::fields::FindLiteral;
using rule::fields::FirstKind;
using rule::fields::TokensOf;

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kMaxLiteralTokens = 12;
constexpr size_t kMaxLiteralBytes = 80;
constexpr size_t kMaxSeparatorTokens = 5;  // ", and " has four
// In front of a value; for each of them those behind it are looked for.
constexpr size_t kMaxCandidates = 8;
// Where literals are taken from, and values looked for in one text.
constexpr size_t kMaxTextsWithLiterals = 8;
constexpr size_t kMaxOccurrences = 4;

bool IsSpace(std::string_view token) {
  return FirstKind(token) == CharacterKind::kSpace;
}

// Whether this may stand between values, and is not a value itself: ", and ".
bool IsSeparator(std::string_view text) {
  const std::vector<std::string_view> tokens = TokensOf(text);
  if (tokens.empty() || tokens.size() > kMaxSeparatorTokens) return false;
  bool has_word = false;
  for (const std::string_view token : tokens) {
    if (IsSpace(token)) continue;
    if (has_word || FirstKind(token) == CharacterKind::kDigit) return false;
    has_word = FirstKind(token) == CharacterKind::kLetter;
  }
  return true;
}

// The last tokens of what stands in front of a value, with and without the
// white space at its end; the first ones of what stands behind it.
void AddLiterals(std::string_view around, bool is_behind,
                 std::set<std::string>* literals) {
  const std::vector<std::string_view> tokens = TokensOf(around);
  size_t length = 0;
  for (size_t k = 0; k < std::min(tokens.size(), kMaxLiteralTokens); ++k) {
    length += tokens[is_behind ? k : tokens.size() - 1 - k].size();
    if (length > kMaxLiteralBytes) break;
    const std::string_view literal =
        is_behind ? around.substr(0, length)
                  : around.substr(around.size() - length);
    literals->emplace(literal);
    if (k == 0) continue;
    if (is_behind && IsSpace(tokens[0])) {
      literals->emplace(literal.substr(tokens[0].size()));
    } else if (!is_behind && IsSpace(tokens.back())) {
      literals->emplace(
          literal.substr(0, literal.size() - tokens.back().size()));
    }
  }
}

// Values in a text, one behind the other: where they begin. Empty where they
// are not there.
std::vector<size_t> PlacesOf(const AnnotatedText& annotated) {
  std::vector<size_t> places;
  size_t from = 0;
  for (const std::string& value : annotated.values) {
    const size_t place = FindLiteral(annotated.text, value, from, false);
    if (place == kNone) return {};
    places.push_back(place);
    from = place + value.size();
  }
  return places;
}

// A text with what the delimiters are to cut out of it: a value, or a list.
struct Goal {
  std::string_view text;
  std::string_view span;
  std::vector<std::string_view> values;
};

class DelimiterSearch {
 public:
  DelimiterSearch(const std::vector<AnnotatedText>& annotated,
                  const std::vector<std::string>& other_texts)
      : has_others_(!other_texts.empty()) {
    for (const AnnotatedText& text : annotated) texts_.push_back(text.text);
    texts_.insert(texts_.end(), other_texts.begin(), other_texts.end());
    is_feasible_ =
        std::all_of(annotated.begin(), annotated.end(),
                    [&](const AnnotatedText& text) { return AddGoal(text); });
  }

  std::vector<TextRange> Run() {
    std::vector<TextRange> found;
    if (!is_feasible_) return found;
    TextRange range;
    for (const std::string& separator : separators_) {
      range.add_separator(separator);
    }
    const std::vector<std::optional<Delimiter>> all_after = Afters();
    for (const std::optional<Delimiter>& after : all_after) {
      if (after.has_value()) {
        *range.mutable_after() = *after;
      } else {
        range.clear_after();
      }
      AddWithBefores(range, &found);
    }
    return found;
  }

 private:
  bool AddGoal(const AnnotatedText& annotated) {
    Goal goal;
    goal.text = annotated.text;
    goal.values.assign(annotated.values.begin(), annotated.values.end());
    if (goal.values.size() == 1) {
      goal.span = goal.values[0];
      goals_.push_back(std::move(goal));
      return true;
    }
    const std::vector<size_t> places = PlacesOf(annotated);
    if (places.empty()) return false;
    for (size_t i = 1; i < places.size(); ++i) {
      const size_t end = places[i - 1] + goal.values[i - 1].size();
      if (!AddSeparator(goal.text.substr(end, places[i] - end))) return false;
    }
    const size_t end = places.back() + goal.values.back().size();
    goal.span = goal.text.substr(places[0], end - places[0]);
    goals_.push_back(std::move(goal));
    return true;
  }

  bool AddSeparator(std::string_view separator) {
    if (!IsSeparator(separator)) return false;
    separators_.emplace(separator);
    return true;
  }

  // What stands in front of (behind) the goals' spans.
  std::set<std::string> Literals(bool is_behind) const {
    std::set<std::string> literals;
    size_t num_texts = 0;
    for (const Goal& goal : goals_) {
      bool any = false;
      size_t place = goal.text.find(goal.span);
      for (size_t i = 0; i < kMaxOccurrences && place != kNone; ++i) {
        const std::string_view around =
            is_behind ? goal.text.substr(place + goal.span.size())
                      : goal.text.substr(0, place);
        any |= !around.empty();
        AddLiterals(around, is_behind, &literals);
        place = goal.text.find(goal.span, place + 1);
      }
      if (any && ++num_texts == kMaxTextsWithLiterals) break;
    }
    return literals;
  }

  bool IsTwiceInAText(std::string_view literal) const {
    return std::any_of(texts_.begin(), texts_.end(), [&](const auto& text) {
      return FindLiteral(text, literal, 0, false) !=
             FindLiteral(text, literal, 0, true);
    });
  }

  // A literal as a delimiter, in all ways in which it passes the test.
  template <typename Passes>
  std::vector<Delimiter> DelimitersOf(const std::string& literal,
                                      const Passes& passes) const {
    std::vector<Delimiter> all;
    for (const bool from_end : {false, true}) {
      if (from_end && !IsTwiceInAText(literal)) continue;
      for (const bool may_be_missing : {false, true}) {
        Delimiter delimiter;
        delimiter.set_literal(literal);
        delimiter.set_from_end(from_end);
        delimiter.set_may_be_missing(may_be_missing);
        if (!passes(delimiter)) continue;
        all.push_back(std::move(delimiter));
        break;
      }
    }
    return all;
  }

  // Of those with which the same is cut out of all texts the one to take; the
  // smaller is better.
  using Preference = std::tuple<bool, int, int, bool, std::string>;
  Preference PreferenceOf(const Delimiter& delimiter) const {
    const int length = static_cast<int>(delimiter.literal().size());
    return {delimiter.may_be_missing(), LengthRank(delimiter.literal(), texts_),
            -length, delimiter.from_end(), delimiter.literal()};
  }

  // What a range cuts out of each text. Where only annotated texts are known
  // all ranges cut the same out of them, which says nothing.
  std::string Results(const TextRange& range) const {
    std::string results;
    if (!has_others_) return range.SerializeAsString();
    for (const std::string_view text : texts_) {
      for (const std::string_view value : ApplyRange(range, text)) {
        results.append(value).push_back('\n');
      }
      results.push_back('\n');
    }
    return results;
  }

  // What all values stand behind: nullopt is the beginning of the text.
  std::vector<std::optional<Delimiter>> Afters() const {
    const auto passes = [&](const TextRange& range) {
      return std::all_of(goals_.begin(), goals_.end(), [&](const Goal& goal) {
        const auto rest = ApplyRange(range, goal.text);
        return !rest.empty() &&
               rest[0].substr(0, goal.span.size()) == goal.span;
      });
    };
    if (std::all_of(goals_.begin(), goals_.end(), [](const Goal& goal) {
          return goal.text.substr(0, goal.span.size()) == goal.span;
        })) {
      return {std::nullopt};
    }
    std::map<std::string, std::pair<Preference, Delimiter>> best;
    for (const std::string& literal : Literals(/*is_behind=*/false)) {
      TextRange range;
      const auto leads_to_value = [&](const Delimiter& delimiter) {
        *range.mutable_after() = delimiter;
        return passes(range);
      };
      for (Delimiter& delimiter : DelimitersOf(literal, leads_to_value)) {
        *range.mutable_after() = delimiter;
        std::pair choice(PreferenceOf(delimiter), std::move(delimiter));
        const auto [known, is_new] = best.try_emplace(Results(range), choice);
        if (!is_new && choice.first < known->second.first) {
          known->second = std::move(choice);
        }
      }
    }
    // Those of most texts first.
    std::vector<std::tuple<size_t, Preference, Delimiter>> order;
    for (auto& [results, choice] : best) {
      const size_t missing =
          texts_.size() - NumTextsWith(choice.second.literal(), texts_);
      order.emplace_back(missing, choice.first, choice.second);
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) <
             std::tie(std::get<0>(b), std::get<1>(b));
    });
    if (order.size() > kMaxCandidates) order.resize(kMaxCandidates);
    std::vector<std::optional<Delimiter>> afters;
    for (auto& candidate : order) {
      afters.emplace_back(std::move(std::get<Delimiter>(candidate)));
    }
    return afters;
  }

  bool CutsValues(const TextRange& range) const {
    return std::all_of(goals_.begin(), goals_.end(), [&](const Goal& goal) {
      return ApplyRange(range, goal.text) == goal.values;
    });
  }

  // All ranges with this beginning.
  void AddWithBefores(TextRange range, std::vector<TextRange>* found) const {
    if ((range.has_after() || range.separator_size() > 0) &&
        CutsValues(range)) {
      found->push_back(range);
      return;
    }
    std::map<std::string, std::pair<Preference, TextRange>> best;
    for (const std::string& literal : Literals(/*is_behind=*/true)) {
      const auto ends_value = [&](const Delimiter& delimiter) {
        *range.mutable_before() = delimiter;
        return CutsValues(range);
      };
      for (const Delimiter& delimiter : DelimitersOf(literal, ends_value)) {
        *range.mutable_before() = delimiter;
        std::pair choice(PreferenceOf(delimiter), range);
        const auto [known, is_new] = best.try_emplace(Results(range), choice);
        if (!is_new && choice.first < known->second.first) {
          known->second = std::move(choice);
        }
      }
    }
    for (auto& [results, choice] : best) {
      found->push_back(std::move(choice.second));
    }
  }

  const bool has_others_;
  bool is_feasible_ = false;
  std::vector<std::string> texts_;  // the annotated ones, then the others
  std::vector<Goal> goals_;         // of the annotated ones
  std::set<std::string> separators_;
};

}  // namespace

bool OrderValues(AnnotatedText* annotated) {
  std::vector<std::string>& values = annotated->values;
  if (values.size() == 1) {
    return annotated->text.find(values[0]) != kNone;
  }
  std::vector<std::pair<size_t, std::string>> placed;
  for (std::string& value : values) {
    const size_t place = FindLiteral(annotated->text, value, 0, false);
    placed.emplace_back(place, std::move(value));
  }
  std::sort(placed.begin(), placed.end());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::move(placed[i].second);
  }
  return !PlacesOf(*annotated).empty();
}

std::vector<TextRange> FindDelimiters(
    const std::vector<AnnotatedText>& annotated,
    const std::vector<std::string>& other_texts) {
  return DelimiterSearch(annotated, other_texts).Run();
}

std::vector<std::string> LiteralsOf(const TextRange& range) {
  std::vector<std::string> literals;
  if (range.has_after()) literals.push_back(range.after().literal());
  if (range.has_before()) literals.push_back(range.before().literal());
  return literals;
}

size_t NumTextsWith(std::string_view literal,
                    const std::vector<std::string>& texts) {
  return static_cast<size_t>(
      std::count_if(texts.begin(), texts.end(), [&](const std::string& text) {
        return FindLiteral(text, literal, 0, false) != kNone;
      }));
}

int LengthRank(std::string_view literal,
               const std::vector<std::string>& texts) {
  int num_tokens = 0;
  for (const std::string_view token : TokensOf(literal)) {
    num_tokens += IsSpace(token) ? 0 : 1;
  }
  return NumTextsWith(literal, texts) > 1 ? -num_tokens : num_tokens;
}

}  // namespace trommel::learn::vertex
