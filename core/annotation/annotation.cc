#include "core/annotation/annotation.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "absl/strings/str_split.h"
#include "core/base/characters.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

namespace trommel::annotation {
namespace {

using nlohmann::json;
using Kind = Annotation::Kind;

absl::Status Wrong(std::string_view member, std::string_view expected) {
  return absl::InvalidArgumentError(
      StrCat("\"", member, "\" is not ", expected));
}

// A member that may be missing; null counts as missing.
const json* Find(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

absl::Status ReadText(const json& object, const char* name, std::string* text) {
  const json* const member = Find(object, name);
  if (member == nullptr) return absl::OkStatus();
  if (!member->is_string()) return Wrong(name, "a string");
  *text = member->get<std::string>();
  return absl::OkStatus();
}

absl::StatusOr<bool> ReadFlag(const json& object, const char* name) {
  const json* const member = Find(object, name);
  if (member == nullptr) return false;
  if (!member->is_boolean()) return Wrong(name, "true or false");
  return member->get<bool>();
}

// A line is some hundred bytes; a bomb of brackets is not parsed.
constexpr size_t kMaxLineBytes = size_t{1} << 20;
constexpr int kMaxDepth = 8;

absl::StatusOr<json> ParseJson(std::string_view text) {
  if (text.size() > kMaxLineBytes) {
    return absl::InvalidArgumentError("the line is longer than 1 MiB");
  }
  const auto keep_shallow = [](int depth, json::parse_event_t, json&) {
    return depth <= kMaxDepth;
  };
  json object = json::parse(text.begin(), text.end(), keep_shallow,
                            /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return absl::InvalidArgumentError("not JSON, or not one object a line");
  }
  if (!object.is_object()) return absl::InvalidArgumentError("not an object");
  return object;
}

// Annotations of one page and attribute stand together.
auto OrderOf(const Annotation& a) {
  return std::tie(a.url, a.attribute, a.kind, a.record, a.value, a.xpath);
}

bool IsBefore(const Annotation& a, const Annotation& b) {
  return OrderOf(a) != OrderOf(b) ? OrderOf(a) < OrderOf(b) : a.line < b.line;
}

bool IsSame(const Annotation& a, const Annotation& b) {
  return OrderOf(a) == OrderOf(b);
}

// Whether a negative line contradicts one that gives the same value: without an
// XPath it is about all nodes that say the value, and without a record about
// all records. A value at no node in particular may be denied at one.
bool Denies(const Annotation& negative, const Annotation& value) {
  return (negative.xpath.empty() || negative.xpath == value.xpath) &&
         (!negative.record.has_value() || negative.record == value.record);
}

}  // namespace

std::string Annotation::Subject() const {
  if (attribute.empty()) return url;
  return record.has_value()
             ? StrCat(attribute, " of record ", *record, " of ", url)
             : StrCat(attribute, " of ", url);
}

absl::StatusOr<Annotation> ParseAnnotation(std::string_view text) {
  TROMMEL_ASSIGN_OR_RETURN(const json object, ParseJson(text));
  Annotation annotation;
  TROMMEL_RETURN_IF_ERROR(ReadText(object, "url", &annotation.url));
  TROMMEL_RETURN_IF_ERROR(ReadText(object, "attribute", &annotation.attribute));
  TROMMEL_RETURN_IF_ERROR(ReadText(object, "value", &annotation.value));
  TROMMEL_RETURN_IF_ERROR(ReadText(object, "xpath", &annotation.xpath));
  TROMMEL_ASSIGN_OR_RETURN(const bool is_negative,
                           ReadFlag(object, "negative"));
  TROMMEL_ASSIGN_OR_RETURN(const bool is_absent, ReadFlag(object, "absent"));
  TROMMEL_ASSIGN_OR_RETURN(const bool is_skip, ReadFlag(object, "skip"));
  TROMMEL_ASSIGN_OR_RETURN(const bool is_complete,
                           ReadFlag(object, "complete"));
  if (const json* const record = Find(object, "record")) {
    if (!record->is_number_integer() || record->get<int64_t>() < 0) {
      return Wrong("record", "a number from 0 on");
    }
    annotation.record = record->get<int64_t>();
  }
  if (Find(object, "url") == nullptr) {
    return absl::InvalidArgumentError("\"url\" is missing");
  }
  if (is_skip || is_complete) {
    if (!annotation.attribute.empty() || !annotation.value.empty() ||
        is_absent || is_negative || (is_skip && is_complete)) {
      return absl::InvalidArgumentError(
          StrCat("\"", is_skip ? "skip" : "complete",
                 "\" is of a page and goes with nothing but \"url\""));
    }
    annotation.kind = is_skip ? Kind::kSkip : Kind::kComplete;
    annotation.record.reset();
    return annotation;
  }
  if (annotation.attribute.empty()) {
    return absl::InvalidArgumentError("\"attribute\" is missing");
  }
  if (is_absent) {
    if (!annotation.value.empty() || is_negative) {
      return absl::InvalidArgumentError(
          "\"absent\" does not go with \"value\" or \"negative\"");
    }
    annotation.kind = Kind::kAbsent;
    return annotation;
  }
  if (IsBlankValue(annotation.value)) {
    return absl::InvalidArgumentError(
        "\"value\" is missing or nothing but white space (say \"absent\":true "
        "where the page "
        "does not have the attribute)");
  }
  annotation.kind = is_negative ? Kind::kNegative : Kind::kValue;
  return annotation;
}

std::string FormatAnnotation(const Annotation& annotation) {
  nlohmann::ordered_json object;
  object["url"] = annotation.url;
  if (annotation.kind == Kind::kSkip) {
    object["skip"] = true;
  } else if (annotation.kind == Kind::kComplete) {
    object["complete"] = true;
  } else {
    object["attribute"] = annotation.attribute;
    if (annotation.kind == Kind::kAbsent) {
      object["absent"] = true;
    } else {
      object["value"] = annotation.value;
      if (!annotation.xpath.empty()) object["xpath"] = annotation.xpath;
      if (annotation.kind == Kind::kNegative) object["negative"] = true;
    }
    if (annotation.record.has_value()) object["record"] = *annotation.record;
  }
  return JsonLineText(object);
}

std::vector<Annotation> ParseAnnotations(
    std::string_view text, std::vector<AnnotationProblem>* problems) {
  std::vector<Annotation> annotations;
  int64_t number = 0;
  for (const absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    ++number;
    if (IsBlank(ToStd(line))) continue;
    absl::StatusOr<Annotation> annotation = ParseAnnotation(ToStd(line));
    if (!annotation.ok()) {
      problems->push_back({number, std::string(annotation.status().message())});
      continue;
    }
    annotation->line = number;
    annotations.push_back(*std::move(annotation));
  }
  return annotations;
}

std::vector<AnnotationProblem> FindErrors(
    const std::vector<Annotation>& annotations, const proto::Schema& schema,
    const std::set<std::string>& sample_urls) {
  std::vector<AnnotationProblem> problems;
  for (const Annotation& annotation : annotations) {
    if (sample_urls.count(annotation.url) == 0) {
      std::string message =
          StrCat("no page ", annotation.url, " is in the sample");
      if (!annotation.attribute.empty()) {
        StrAppend(&message, " (for ", annotation.attribute, ")");
      }
      problems.push_back({annotation.line, std::move(message)});
    }
    const bool is_about_page =
        annotation.kind == Kind::kSkip || annotation.kind == Kind::kComplete;
    if (!is_about_page &&
        schema::FindAttribute(schema, annotation.attribute) == nullptr) {
      problems.push_back(
          {annotation.line,
           StrCat("the schema ", schema.name(), " has no attribute \"",
                  annotation.attribute, "\" (of ", annotation.url, ")")});
    }
  }
  return problems;
}

std::vector<AnnotationProblem> RemoveContradictions(
    std::vector<Annotation>* annotations,
    const std::function<std::string(int64_t line)>& line_name) {
  const auto name_of = [&](int64_t line) {
    return line_name == nullptr ? StrCat("line ", line) : line_name(line);
  };
  std::sort(annotations->begin(), annotations->end(), IsBefore);
  annotations->erase(
      std::unique(annotations->begin(), annotations->end(), IsSame),
      annotations->end());

  std::vector<AnnotationProblem> problems;
  std::set<std::string_view> skipped;
  // Page, attribute and record.
  using Place =
      std::tuple<std::string_view, std::string_view, std::optional<int64_t>>;
  const auto place_of = [](const Annotation& a) {
    return Place(a.url, a.attribute, a.record);
  };
  std::map<Place, const Annotation*> with_value;
  // The lines of a kind that are about the same value of a page.
  using Claim =
      std::tuple<Kind, std::string_view, std::string_view, std::string>;
  const auto claim_of = [](Kind kind, const Annotation& a) {
    return Claim(kind, a.url, a.attribute, NormalizeSpace(a.value));
  };
  std::map<Claim, std::vector<const Annotation*>> claims;
  for (const Annotation& a : *annotations) {
    if (a.kind == Kind::kSkip) skipped.insert(a.url);
    if (a.kind == Kind::kValue) with_value.try_emplace(place_of(a), &a);
    if (a.kind == Kind::kValue || a.kind == Kind::kNegative) {
      claims[claim_of(a.kind, a)].push_back(&a);
    }
  }
  // A line that says the opposite of this one; null when there is none.
  const auto opposite_of = [&](const Annotation& a) -> const Annotation* {
    const bool is_value = a.kind == Kind::kValue;
    const auto others =
        claims.find(claim_of(is_value ? Kind::kNegative : Kind::kValue, a));
    if (others == claims.end()) return nullptr;
    for (const Annotation* const other : others->second) {
      if (is_value ? Denies(*other, a) : Denies(a, *other)) return other;
    }
    return nullptr;
  };
  std::vector<Annotation> kept;
  for (const Annotation& a : *annotations) {
    const auto drop = [&](std::string_view why) {
      problems.push_back({a.line, StrCat(a.Subject(), ": ", why)});
    };
    if (a.kind == Kind::kSkip || a.kind == Kind::kComplete) {
      kept.push_back(a);
      continue;
    }
    if (skipped.count(a.url) > 0) {
      drop("the page's cluster is skipped, so this does not count");
      continue;
    }
    if (a.kind == Kind::kAbsent) {
      // What the page does not have, none of its records has.
      const auto value = a.record.has_value()
                             ? with_value.find(place_of(a))
                             : with_value.lower_bound(place_of(a));
      if (value != with_value.end() && std::get<0>(value->first) == a.url &&
          std::get<1>(value->first) == a.attribute) {
        drop(StrCat("absent, but ", name_of(value->second->line),
                    " gives a value, which counts"));
        continue;
      }
    } else if (const Annotation* const opposite = opposite_of(a)) {
      drop(StrCat(name_of(opposite->line),
                  " says the opposite; neither counts"));
      continue;
    }
    kept.push_back(a);
  }
  *annotations = std::move(kept);
  std::sort(problems.begin(), problems.end(),
            [](const AnnotationProblem& a, const AnnotationProblem& b) {
              return a.line < b.line;
            });
  return problems;
}

std::string DescribeProblems(std::string_view name,
                             const std::vector<AnnotationProblem>& problems,
                             size_t max_lines) {
  std::string text;
  for (size_t i = 0; i < std::min(problems.size(), max_lines); ++i) {
    StrAppend(&text, i == 0 ? "" : "\n", name, ":", problems[i].line, ": ",
              Printable(problems[i].message));
  }
  if (problems.size() > max_lines) {
    StrAppend(&text, "\n... and ", problems.size() - max_lines, " more");
  }
  return text;
}

}  // namespace trommel::annotation
