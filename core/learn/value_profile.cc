#include "core/learn/value_profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_split.h"
#include "core/base/strings.h"
#include "core/base/text.h"

// How alike two values look.
//
// Nobody knows what the values of an attribute may be, but a drive ("4WD") is
// no mileage ("18 MPG City / 26 MPG Hwy"), and a paragraph is no name. Four
// things are compared with each annotated value, and the most alike of them
// counts: the length, by its logarithm; the shares of letters and digits; the
// set of marks; and the words that nearly all annotated values have in common,
// which are a unit or a label. Each difference takes a factor from likeness, so
// that one great difference is enough to be unlike.
//
// Cost: a scan of the value for each annotated value, of which there are few.

namespace trommel::learn {
namespace {

constexpr size_t kMaxValues = 40;
// Fewer values may have one word in common by chance.
constexpr size_t kLeastForWord = 3;

// How much each difference counts.
constexpr double kLengthWeight = 0.6;
constexpr double kCharactersWeight = 2.0;
constexpr double kMarksWeight = 0.3;
constexpr double kWordsWeight = 1.5;
// Lengths within this factor are alike.
const double kFreeLength = std::log(3.0);

}  // namespace

ValueProfile::Look ValueProfile::LookAt(std::string_view value) {
  Look look;
  double digits = 0, letters = 0, all = 0;
  for (const char c : value) {
    if (c == ' ') continue;
    ++all;
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           static_cast<unsigned char>(c) >= 0x80;
    digits += is_digit ? 1 : 0;
    letters += is_letter ? 1 : 0;
    if (!is_digit && !is_letter) look.marks.insert(c);
  }
  look.length = std::log(all + 2);
  look.digits = all == 0 ? 0 : digits / all;
  look.letters = all == 0 ? 0 : letters / all;
  for (const absl::string_view word :
       absl::StrSplit(ToAbsl(value), ' ', absl::SkipEmpty())) {
    look.words.emplace(word);
  }
  return look;
}

ValueProfile::ValueProfile(const std::vector<std::string>& values) {
  std::set<std::string> different(values.begin(), values.end());
  std::map<std::string, size_t> counts;
  for (const std::string& value : different) {
    if (looks_.size() == kMaxValues) break;
    looks_.push_back(LookAt(value));
    for (const std::string& word : looks_.back().words) ++counts[word];
  }
  if (looks_.size() < 2) return;
  for (const auto& [word, count] : counts) {
    if (10 * count >= 8 * looks_.size()) usual_words_.insert(word);
  }
  if (looks_.size() < kLeastForWord && usual_words_.size() < 2) {
    usual_words_.clear();
  }
}

double ValueProfile::Likeness(std::string_view value) const {
  if (looks_.empty()) return 1;
  const Look look = LookAt(value);
  double best = 0;
  for (const Look& known : looks_) {
    const double length =
        std::max(0.0, std::abs(look.length - known.length) - kFreeLength);
    const double characters = std::abs(look.digits - known.digits) +
                              std::abs(look.letters - known.letters);
    size_t both = 0;
    for (const char mark : look.marks) both += known.marks.count(mark);
    const size_t either = look.marks.size() + known.marks.size() - both;
    const double marks = either == 0 ? 0
                                     : 1 - static_cast<double>(both) /
                                               static_cast<double>(either);
    best = std::max(
        best, std::exp(-kLengthWeight * length -
                       kCharactersWeight * characters - kMarksWeight * marks));
  }
  size_t missing = 0;
  for (const std::string& word : usual_words_) {
    missing += look.words.count(word) == 0 ? 1 : 0;
  }
  if (missing == 0) return best;
  return best * std::exp(-kWordsWeight * static_cast<double>(missing) /
                         static_cast<double>(usual_words_.size()));
}

bool StandsForNothing(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const char lower = AsciiLower(c);
    const bool is_part = (lower >= 'a' && lower <= 'z') ||
                         (lower >= '0' && lower <= '9') ||
                         static_cast<unsigned char>(c) >= 0x80;
    if (is_part) letters += lower;
  }
  static constexpr std::string_view kTexts[] = {
      "",        "na",  "none", "null",       "nil", "unknown", "notavailable",
      "missing", "tba", "tbd",  "unavailable"};
  return std::find(std::begin(kTexts), std::end(kTexts), letters) !=
         std::end(kTexts);
}

}  // namespace trommel::learn
