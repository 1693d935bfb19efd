#include "jobs/cli/settings.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/base/exact_text.h"

namespace trommel::jobs::cli {
namespace {

// No site, file name or URL has one.
constexpr char kBetweenItems[] = "\n";

std::string TextOf(const std::string& value, const char*) { return value; }
std::string TextOf(bool value, const char*) { return value ? "true" : "false"; }
std::string TextOf(int64_t value, const char*) { return StrCat(value); }
std::string TextOf(double value, const char*) { return ExactText(value); }
template <typename List>
std::string TextOf(const List& values, const char* between) {
  return absl::StrJoin(values, between);
}

std::string TextOf(const Flag& flag, const char* between) {
  return std::visit([&](auto* value) { return TextOf(*value, between); },
                    flag.value);
}

bool Parse(const std::string& text, std::string* value) {
  *value = text;
  return true;
}
bool Parse(const std::string& text, bool* value) {
  return absl::SimpleAtob(text, value);
}
bool Parse(const std::string& text, int64_t* value) {
  return absl::SimpleAtoi(text, value);
}
bool Parse(const std::string& text, double* value) {
  return absl::SimpleAtod(text, value);
}
template <typename List>
bool Parse(const std::string& text, List* values) {
  *values = List(absl::StrSplit(text, kBetweenItems, absl::SkipEmpty()));
  return true;
}

bool IsAllowed(const Flag& flag, const std::string& text) {
  if (flag.bounds.has_value()) {
    double number = 0;
    if (!absl::SimpleAtod(text, &number) || number < flag.bounds->first ||
        number > flag.bounds->second) {
      return false;
    }
  }
  return flag.choices.empty() ||
         std::count(flag.choices.begin(), flag.choices.end(), text) > 0;
}

}  // namespace

void AddFlags(const Flags& flags, mr::StepSpec* spec) {
  for (const Flag& flag : flags.all()) {
    spec->config[flag.name] = TextOf(flag, kBetweenItems);
  }
}

absl::Status ReadFlags(const mr::TaskContext& context, const Flags& flags) {
  for (const Flag& flag : flags.all()) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, context.Config(flag.name));
    if (!IsAllowed(flag, text) ||
        !std::visit([&](auto* value) { return Parse(text, value); },
                    flag.value)) {
      return absl::InvalidArgumentError(
          StrCat(flag.name, " is \"", text, "\""));
    }
  }
  return absl::OkStatus();
}

std::vector<std::pair<std::string, std::string>> RecordedFlags(
    const Flags& flags) {
  std::vector<std::pair<std::string, std::string>> recorded;
  for (const Flag& flag : flags.all()) {
    if (flag.is_recorded) recorded.emplace_back(flag.name, TextOf(flag, ","));
  }
  return recorded;
}

}  // namespace trommel::jobs::cli
