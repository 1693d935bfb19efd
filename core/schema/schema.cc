#include "core/schema/schema.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "core/base/status.h"
#include "core/base/strings.h"

namespace trommel::schema {
namespace {

constexpr std::string_view kFixedColumns[] = {
    "url",
    "site",
    "cluster_id",
    "rule_id",
    "record_index",
    "fetch_time",
    "content_digest",
    "confidence",
    "attribute_confidence",
    "schema",  // the partition
};

bool IsPlainName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// Spark and DuckDB do not tell Url from url.
bool IsFixedColumn(std::string_view name) {
  return std::any_of(std::begin(kFixedColumns), std::end(kFixedColumns),
                     [&](std::string_view column) {
                       return absl::EqualsIgnoreCase(ToAbsl(column),
                                                     ToAbsl(name));
                     });
}

absl::Status CheckName(std::string_view what, std::string_view name) {
  if (IsPlainName(name)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      name.empty() ? StrCat("the name of ", what, " is missing")
                   : StrCat("the name of ", what, ", \"", name,
                            "\", is not of letters, digits, '_' and '-'"));
}

}  // namespace

absl::Span<const std::string_view> FixedRecordColumns() {
  return kFixedColumns;
}

bool IsAttributeName(std::string_view name) {
  return IsPlainName(name) && !IsFixedColumn(name);
}

absl::Status CheckSchema(const proto::Schema& schema) {
  TROMMEL_RETURN_IF_ERROR(CheckName("the schema", schema.name()));
  if (schema.attribute().empty()) {
    return absl::InvalidArgumentError(
        StrCat("the schema ", schema.name(), " has no attribute"));
  }
  std::set<std::string> names;
  for (const proto::Attribute& attribute : schema.attribute()) {
    TROMMEL_RETURN_IF_ERROR(CheckName("an attribute", attribute.name()));
    if (!names.insert(attribute.name()).second) {
      return absl::InvalidArgumentError(
          StrCat("the attribute ", attribute.name(), " comes twice"));
    }
    if (IsFixedColumn(attribute.name())) {
      return absl::InvalidArgumentError(
          StrCat("the attribute ", attribute.name(),
                 " is called like a column that every record has"));
    }
    if (!proto::Attribute::Type_IsValid(attribute.type())) {
      return absl::InvalidArgumentError(
          StrCat("the attribute ", attribute.name(), " has the unknown type ",
                 static_cast<int>(attribute.type())));
    }
    if (attribute.regex().empty()) continue;
    const RE2 regex(attribute.regex(), RE2::Quiet);
    if (!regex.ok()) {
      return absl::InvalidArgumentError(StrCat("the regex of the attribute ",
                                               attribute.name(), ": ",
                                               regex.error()));
    }
  }
  return absl::OkStatus();
}

bool HasMandatory(const proto::Schema& schema) {
  return std::any_of(
      schema.attribute().begin(), schema.attribute().end(),
      [](const proto::Attribute& attribute) { return attribute.mandatory(); });
}

std::string ValuePattern(const proto::Attribute& attribute) {
  if (!attribute.regex().empty()) return attribute.regex();
  switch (attribute.type()) {
    case proto::Attribute::PRICE:
      return R"((?:[$€£¥₹]|USD|EUR|GBP|Rs\.?)\s?\d(?:[\d.,]*\d)?|\d(?:[\d.,]*\d)?\s?(?:[$€£¥₹]|USD|EUR|GBP))";
    case proto::Attribute::PHONE:
      return R"(\+?\(?\d[\d ()./-]{5,}\d)";
    case proto::Attribute::DATE:
      return R"((?i)\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|)"
             R"((?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?\d{4})";
    case proto::Attribute::ISBN:
      return R"((?:97[89][ -]?)?(?:\d[ -]?){9}[\dXx])";
    case proto::Attribute::ZIP:
      return R"(\b\d{5}(?:-\d{4})?\b)";
    case proto::Attribute::NUMBER:
      return R"([-+]?\d(?:[\d,]*\d)?(?:\.\d+)?)";
    case proto::Attribute::URL:
      return R"((?:https?://|www\.)\S+)";
    default:
      return "";
  }
}

std::string CheckPattern(const proto::Attribute& attribute) {
  if (!attribute.regex().empty()) return attribute.regex();
  switch (attribute.type()) {
    case proto::Attribute::PRICE:
    case proto::Attribute::PHONE:
    case proto::Attribute::DATE:
    case proto::Attribute::ISBN:
    case proto::Attribute::ZIP:
    case proto::Attribute::NUMBER:
      return R"(\d)";
    case proto::Attribute::URL:
      return R"(\.)";
    default:
      return "";
  }
}

bool IsLink(const proto::Attribute& attribute) {
  return attribute.type() == proto::Attribute::URL ||
         attribute.type() == proto::Attribute::IMAGE;
}

const proto::Attribute* FindAttribute(const proto::Schema& schema,
                                      std::string_view name) {
  for (const proto::Attribute& attribute : schema.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

}  // namespace trommel::schema
