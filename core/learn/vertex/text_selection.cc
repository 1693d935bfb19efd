#include "core/learn/vertex/text_selection.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/learn/vertex/delimiters.h"
#include "core/rule/fields/text_range.h"
#include "core/rule/fields/tokens.h"
#include "core/schema/schema.h"

// Text selection using range pruner and regexes (III-C 4 of the Vertex paper).
//
// "Our Price: $25.99" is one text of which the price is a part. What cuts it
// out on all annotated pages may do so on the others:
//
//  - the pattern of the attribute's type, if its first match in each text is
//    the annotated value. It goes by what the value looks like, so it holds
//    however long the rest is;
//
//  - what stands around it, which the paper does not have: behind "Our Price: "
//    up to the end (delimiters.cc). It holds however long the value is, and
//    where it does not hold it gives nothing rather than something wrong;
//
//  - the words from one number to another, counted from the beginning or from
//    the end, as in the paper.
//
// One or two annotated values are explained by many of these, most of them by
// luck: "Kodak" is the last word of its text, and so is "Inc." of "Casio Inc.".
// So all are given, ordered by how they could be wrong (SelectionEvidence), and
// the texts of other pages have their say. A literal that none of them has is a
// part of a value; one that few of them have is no better than luck.
//
// As everywhere, patterns select and check only where they reproduce the
// annotated values; a type in the schema is the editor's hint, not a law.
//
// Cost: each candidate is applied to all texts; there are some hundred.

namespace trommel::learn::vertex {
namespace {

using proto::TextRange;
using rule::fields::CharacterKind;
using rule::fields::TextRefiner;
using rule::fields::TokensOf;
using rule::fields::WordsOf;

// So many other texts can tell that a literal is not the template's.
constexpr size_t kTellingTexts = 3;
// What a literal of the template has of the other texts, at least. Where a
// rule's XPath is right most of what it selects looks like the annotated texts.
constexpr double kLeastShareOfTexts = 0.3;
constexpr size_t kMaxOfOneEvidence = 6;

// Which words of the text the value is, counted from 1 from both ends.
struct WordPlaces {
  int first = 0;
  int last = 0;
  int first_from_end = 0;
  int last_from_end = 0;
};

std::optional<WordPlaces> FindWords(std::string_view text,
                                    std::string_view value) {
  const std::vector<std::string_view> words = WordsOf(text);
  const std::vector<std::string_view> wanted = WordsOf(value);
  const auto found =
      std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
  if (wanted.empty() || found == words.end()) return std::nullopt;
  const int i = static_cast<int>(found - words.begin());
  const int n = static_cast<int>(words.size());
  const int k = static_cast<int>(wanted.size());
  return WordPlaces{i + 1, i + k, n - i, n - i - k + 1};
}

// The ranges of words that hold in all texts, the most plausible first: a value
// that ends where its text ends stays there, however long it is, so the end is
// preferred for the last word where it is nearer.
std::vector<TextRange> FindWordRanges(
    const std::vector<AnnotatedText>& annotated) {
  std::optional<WordPlaces> same;
  bool first = true, last = true, first_from_end = true, last_from_end = true;
  for (const AnnotatedText& text : annotated) {
    if (text.values.size() != 1) return {};
    const auto places = FindWords(text.text, text.values[0]);
    if (!places.has_value()) return {};
    if (!same.has_value()) same = places;
    first &= places->first == same->first;
    last &= places->last == same->last;
    first_from_end &= places->first_from_end == same->first_from_end;
    last_from_end &= places->last_from_end == same->last_from_end;
  }
  std::vector<TextRange> ranges;
  if (!same.has_value()) return ranges;
  const bool end_is_nearer = same->last_from_end <= same->last;
  for (const bool by_first_end : {false, true}) {
    if (!(by_first_end ? first_from_end : first)) continue;
    for (const bool by_last_end : {end_is_nearer, !end_is_nearer}) {
      if (!(by_last_end ? last_from_end : last)) continue;
      if (by_first_end && !by_last_end) continue;  // of no use to anyone
      TextRange& range = ranges.emplace_back();
      range.set_first(by_first_end ? same->first_from_end : same->first);
      range.set_first_from_end(by_first_end);
      range.set_last(by_last_end ? same->last_from_end : same->last);
      range.set_last_from_end(by_last_end);
    }
  }
  return ranges;
}

// The annotated texts, each once, with all of its values. Empty where a text
// has several and the attribute is of one, or has not got them.
std::vector<AnnotatedText> Group(const std::vector<PartOfText>& parts,
                                 bool is_repeated) {
  std::vector<AnnotatedText> annotated;
  std::map<std::string_view, size_t> places;
  for (const PartOfText& part : parts) {
    if (part.value.empty()) return {};
    const auto [known, is_new] = places.try_emplace(part.text, places.size());
    if (is_new) annotated.push_back({part.text, {}});
    std::vector<std::string>& values = annotated[known->second].values;
    if (std::find(values.begin(), values.end(), part.value) == values.end()) {
      values.push_back(part.value);
    }
  }
  for (AnnotatedText& text : annotated) {
    if (!is_repeated && text.values.size() > 1) return {};
    if (!OrderValues(&text)) return {};
  }
  return annotated;
}

bool HasPunctuation(std::string_view literal) {
  const std::vector<std::string_view> tokens = TokensOf(literal);
  return std::any_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    const CharacterKind kind = rule::fields::FirstKind(token);
    return kind == CharacterKind::kMark || kind == CharacterKind::kPoint;
  });
}

bool IsSpace(std::string_view literal) {
  return literal.find_first_not_of(' ') == std::string_view::npos;
}

bool HasOptionalLiteral(const TextRange& range) {
  return range.after().may_be_missing() || range.before().may_be_missing();
}

// Collects selections and puts them in order.
class SelectionList {
 public:
  SelectionList(const std::vector<AnnotatedText>& annotated,
                const std::vector<std::string>& other_texts)
      : annotated_(annotated), other_texts_(other_texts) {
    for (const AnnotatedText& text : annotated) {
      texts_.push_back(text.text);
      for (const std::string& value : text.values) {
        has_long_value_ |= WordsOf(value).size() > 1;
      }
    }
    texts_.insert(texts_.end(), other_texts.begin(), other_texts.end());
  }

  // These add what cuts out the annotated values, and nothing else.
  void AddWholeText() { Add(SelectionEvidence::kWholeText, {}); }
  void AddPattern(const std::string& pattern) {
    proto::Extractor cut;
    cut.set_regex(pattern);
    Add(SelectionEvidence::kPattern, std::move(cut));
  }
  void AddWords(const TextRange& range) {
    proto::Extractor cut;
    *cut.mutable_range() = range;
    const bool is_luck = !has_long_value_ || annotated_.size() == 1;
    Add(is_luck ? SelectionEvidence::kLuck : SelectionEvidence::kWords,
        std::move(cut));
  }
  void AddDelimiters(const TextRange& range) {
    // White space alone says no more than the number of the words.
    const std::vector<std::string> literals = LiteralsOf(range);
    if (!literals.empty() &&
        std::all_of(literals.begin(), literals.end(), IsSpace)) {
      return;
    }
    proto::Extractor cut;
    *cut.mutable_range() = range;
    Add(EvidenceOf(range), std::move(cut));
  }

  std::vector<TextSelection> Ranked() {
    std::vector<std::pair<Key, size_t>> order;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      order.emplace_back(KeyOf(candidates_[i], i), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<TextSelection> ranked;
    std::map<SelectionEvidence, std::set<Results>> known;
    std::map<SelectionEvidence, size_t> count;
    for (const auto& [key, i] : order) {
      Candidate& candidate = candidates_[i];
      const SelectionEvidence evidence = candidate.selection.evidence;
      if (count[evidence] == kMaxOfOneEvidence ||
          (!other_texts_.empty() &&
           !known[evidence].insert(std::move(candidate.results)).second)) {
        continue;
      }
      ++count[evidence];
      ranked.push_back(std::move(candidate.selection));
    }
    return ranked;
  }

 private:
  using Results = std::vector<std::vector<std::string>>;

  struct Candidate {
    TextSelection selection;
    Results results;  // for each of the other texts
    size_t num_found = 0;
  };

  void Add(SelectionEvidence evidence, proto::Extractor cut) {
    absl::StatusOr<TextRefiner> refiner = TextRefiner::Compile(cut);
    if (!refiner.ok()) return;
    for (const AnnotatedText& text : annotated_) {
      if (refiner->Values(text.text) != text.values) return;
    }
    Candidate candidate{
        {evidence, 1, std::move(cut), *std::move(refiner)}, {}, 0};
    for (const std::string& text : other_texts_) {
      candidate.results.push_back(candidate.selection.refiner.Values(text));
      candidate.num_found += candidate.results.back().empty() ? 0 : 1;
    }
    if (!other_texts_.empty()) {
      candidate.selection.support = static_cast<double>(candidate.num_found) /
                                    static_cast<double>(other_texts_.size());
    }
    if (IsBetweenLiterals(candidate) && !CheckLiterals(&candidate)) return;
    candidates_.push_back(std::move(candidate));
  }

  static bool IsBetweenLiterals(const Candidate& candidate) {
    const TextRange& range = candidate.selection.cut.range();
    return range.has_after() || range.has_before();
  }

  // What the literals are worth before other texts are asked.
  SelectionEvidence EvidenceOf(const TextRange& range) const {
    const std::vector<std::string> literals = LiteralsOf(range);
    if (literals.empty()) return SelectionEvidence::kWholeText;
    if (std::any_of(literals.begin(), literals.end(), IsSpace)) {
      return SelectionEvidence::kLuck;
    }
    const bool is_proven = std::all_of(
        literals.begin(), literals.end(), [&](const std::string& literal) {
          return HasPunctuation(literal) || NumTextsWith(literal, texts_) > 1;
        });
    return is_proven ? SelectionEvidence::kDelimiters
                     : SelectionEvidence::kUnprovenDelimiters;
  }

  // Asks them. False for literals that stand on annotated texts only. One that
  // may be missing does no harm there, and may be a part of a value.
  bool CheckLiterals(Candidate* candidate) const {
    if (other_texts_.size() < kTellingTexts) return true;
    if (candidate->num_found == 0) return false;
    SelectionEvidence& evidence = candidate->selection.evidence;
    for (const std::string& literal :
         LiteralsOf(candidate->selection.cut.range())) {
      if (NumTextsWith(literal, other_texts_) > 0) continue;
      evidence = std::max(evidence, SelectionEvidence::kUnprovenDelimiters);
    }
    if (candidate->selection.support < kLeastShareOfTexts) {
      evidence = SelectionEvidence::kRareDelimiters;
    }
    return true;
  }

  // The smaller comes first.
  using Key =
      std::tuple<SelectionEvidence, int64_t, bool, bool, int, int64_t, size_t>;
  Key KeyOf(const Candidate& candidate, size_t number) const {
    const TextRange& range = candidate.selection.cut.range();
    int length_rank = 0;
    int64_t num_bytes = 0;
    for (const std::string& literal : LiteralsOf(range)) {
      length_rank += LengthRank(literal, texts_);
      num_bytes += static_cast<int64_t>(literal.size());
    }
    return {candidate.selection.evidence,
            -static_cast<int64_t>(candidate.num_found),
            !IsBetweenLiterals(candidate),
            HasOptionalLiteral(range),
            length_rank,
            -num_bytes,
            number};
  }

  const std::vector<AnnotatedText>& annotated_;
  const std::vector<std::string>& other_texts_;
  std::vector<std::string> texts_;  // both
  bool has_long_value_ = false;     // of several words
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<TextSelection> TextSelections(
    const proto::Attribute& attribute, const std::vector<PartOfText>& parts,
    const std::vector<std::string>& other_texts) {
  const std::vector<AnnotatedText> annotated =
      Group(parts, attribute.repeated());
  if (annotated.empty()) return {};
  SelectionList list(annotated, other_texts);
  list.AddWholeText();
  const std::string pattern = schema::ValuePattern(attribute);
  if (!pattern.empty()) list.AddPattern(pattern);
  for (const TextRange& range : FindDelimiters(annotated, other_texts)) {
    list.AddDelimiters(range);
  }
  for (const TextRange& range : FindWordRanges(annotated)) {
    list.AddWords(range);
  }
  return list.Ranked();
}

bool LearnTextSelection(const proto::Attribute& attribute,
                        const std::vector<PartOfText>& parts,
                        proto::Extractor* extractor) {
  const std::vector<TextSelection> selections =
      TextSelections(attribute, parts, {});
  if (selections.empty()) return false;
  extractor->MergeFrom(selections[0].cut);
  return true;
}

void LearnCheck(const proto::Attribute& attribute,
                const std::vector<std::string>& values,
                proto::Extractor* extractor) {
  const std::string pattern = schema::CheckPattern(attribute);
  if (pattern.empty()) return;
  const RE2 regex(pattern, RE2::Quiet);
  for (const std::string& value : values) {
    if (!regex.ok() || !RE2::PartialMatch(value, regex)) return;
  }
  extractor->set_check(pattern);
}

}  // namespace trommel::learn::vertex
