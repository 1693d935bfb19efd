#include "jobs/cli/described_flags.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"

namespace trommel::jobs::cli {
namespace {

// What stands for the value, and the default.
struct ValueText {
  std::string value;
  std::string default_value;
};

ValueText Describe(const std::string& value) { return {"TEXT", value}; }
ValueText Describe(int64_t value) { return {"N", StrCat(value)}; }
ValueText Describe(double value) { return {"NUMBER", StrCat(value)}; }
ValueText Describe(bool value) { return {"", value ? "true" : ""}; }
template <typename List>
ValueText Describe(const List& values) {
  return {"TEXT", absl::StrJoin(values, ", ")};
}

FlagDescription Describe(const Flag& flag) {
  FlagDescription description = {flag.name, flag.help};
  description.choices = flag.choices;
  description.required = flag.is_required;
  description.positional = flag.is_positional;
  std::visit(
      [&](auto* value) {
        using Value = std::remove_pointer_t<decltype(value)>;
        description.repeats =
            !std::is_arithmetic_v<Value> && !std::is_same_v<Value, std::string>;
        if (flag.is_positional) return;
        ValueText text = Describe(*value);
        description.value = std::move(text.value);
        description.default_value = std::move(text.default_value);
      },
      flag.value);
  return description;
}

}  // namespace

void FlagsOfEveryVerb::Define(Flags* flags) {
  flags->Bool("verify", &verify,
              "read input files that have a manifest twice, to compare their "
              "digests");
  flags->Bool("json", &json,
              "print one JSON summary object on standard output");
}

std::vector<VerbDescription> DescribeVerbs(
    const std::vector<std::unique_ptr<Verb>>& verbs) {
  std::vector<VerbDescription> result;
  FlagsOfEveryVerb common_flags;
  for (const std::unique_ptr<Verb>& verb : verbs) {
    Flags flags;
    verb->DefineFlags(&flags);
    common_flags.Define(&flags);
    VerbDescription& description =
        result.emplace_back(VerbDescription{std::string(verb->name()),
                                            std::string(verb->summary()),
                                            std::string(verb->description()),
                                            std::string(verb->example()),
                                            {}});
    for (const Flag& flag : flags.all()) {
      description.flags.push_back(Describe(flag));
    }
  }
  return result;
}

std::vector<FlagDescription> SharedFlags(
    const std::vector<VerbDescription>& verbs) {
  constexpr int kVerbs = 3;
  std::vector<FlagDescription> shared;
  for (const VerbDescription& verb : verbs) {
    for (const FlagDescription& flag : verb.flags) {
      const auto has_it = [&flag](const VerbDescription& other) {
        return std::count(other.flags.begin(), other.flags.end(), flag) > 0;
      };
      if (std::count_if(verbs.begin(), verbs.end(), has_it) >= kVerbs &&
          std::count(shared.begin(), shared.end(), flag) == 0) {
        shared.push_back(flag);
      }
    }
  }
  return shared;
}

}  // namespace trommel::jobs::cli
