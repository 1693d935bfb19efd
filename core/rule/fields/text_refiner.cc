#include "core/rule/fields/text_refiner.h"

#include <re2/re2.h>

#include <string_view>
#include <utility>

#include "core/base/characters.h"
#include "core/base/status.h"
#include "core/rule/fields/text_range.h"

namespace trommel::rule::fields {
namespace {

// Null for no pattern.
absl::StatusOr<std::shared_ptr<const RE2>> CompileRegex(
    const std::string& pattern) {
  if (pattern.empty()) return nullptr;
  auto regex = std::make_shared<const RE2>(pattern, RE2::Quiet);
  if (!regex->ok()) return absl::InvalidArgumentError(regex->error());
  return regex;
}

}  // namespace

absl::StatusOr<TextRefiner> TextRefiner::Compile(
    const proto::Extractor& extractor) {
  TextRefiner refiner;
  if (extractor.has_range()) {
    TROMMEL_RETURN_IF_ERROR(CheckRange(extractor.range()));
    refiner.range_ = extractor.range();
  }
  TROMMEL_ASSIGN_OR_RETURN(refiner.regex_, CompileRegex(extractor.regex()));
  TROMMEL_ASSIGN_OR_RETURN(refiner.check_, CompileRegex(extractor.check()));
  refiner.stop_values_.insert(extractor.stop_value().begin(),
                              extractor.stop_value().end());
  return refiner;
}

std::vector<std::string> TextRefiner::Values(std::string text) const {
  std::vector<std::string> values;
  const auto add = [&](std::string value) {
    if (!IsBlankValue(value)) values.push_back(std::move(value));
  };
  if (!range_.has_value()) {
    add(Value(std::move(text)));
    return values;
  }
  for (const std::string_view part : ApplyRange(*range_, text)) {
    add(Value(std::string(part)));
  }
  return values;
}

std::string TextRefiner::Value(std::string text) const {
  if (regex_ != nullptr) {
    re2::StringPiece found;
    const bool is_found =
        regex_->Match(text, 0, text.size(), RE2::UNANCHORED, &found, 1);
    text = is_found ? std::string(found.data(), found.size()) : "";
  }
  if (!text.empty() &&
      (stop_values_.count(text) > 0 ||
       (check_ != nullptr && !RE2::PartialMatch(text, *check_)))) {
    text.clear();
  }
  return text;
}

}  // namespace trommel::rule::fields
