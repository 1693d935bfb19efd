#include "jobs/cli/path_flags.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "mapreduce/io/location.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::cli {
namespace {

struct LocatedPath {
  GivenPath given;
  io::Location location;
};

bool IsPath(const Flag& flag) {
  return flag.path_use != PathUse::kUndeclared &&
         flag.path_use != PathUse::kNone;
}

std::vector<std::string> TextsOf(const Flag& flag) {
  return std::visit(
      [](const auto* value) -> std::vector<std::string> {
        using Value = std::remove_cv_t<std::remove_pointer_t<decltype(value)>>;
        if constexpr (std::is_same_v<Value, std::string>) {
          return {*value};
        } else if constexpr (std::is_arithmetic_v<Value>) {
          return {};
        } else {
          return {value->begin(), value->end()};
        }
      },
      flag.value);
}

absl::Status Refused(const GivenPath& input, std::string_view relation,
                     const GivenPath& output, std::string_view consequence) {
  return absl::InvalidArgumentError(StrCat(input.argument, " ", relation, " ",
                                           output.argument, ", ", consequence,
                                           "; write the output elsewhere"));
}

absl::Status CheckApart(const LocatedPath& input, const LocatedPath& output) {
  constexpr char kReplaced[] = "which is replaced as a whole";
  if (input.location == output.location) {
    return Refused(input.given, "is the same place as", output.given,
                   kReplaced);
  }
  if (output.location.Contains(input.location)) {
    return Refused(input.given, "lies inside", output.given, kReplaced);
  }
  if (io::IsStagingOf(output.location, input.location)) {
    return Refused(input.given, "is what an interrupted run left beside",
                   output.given, "which cleans it up");
  }
  if (input.given.flag->folder_reading == FolderReading::kAll &&
      input.location.Contains(output.location)) {
    return Refused(output.given, "lies inside", input.given,
                   "as a part of which it would be read");
  }
  if (const std::optional<std::string> link =
          input.location.FindLinkTo(output.location)) {
    return Refused(input.given, StrCat("has the link ", *link, " to"),
                   output.given, kReplaced);
  }
  return absl::OkStatus();
}

}  // namespace

std::string GivenPath::FlagName() const {
  return flag->is_positional ? flag->name : StrCat("--", flag->name);
}

std::vector<GivenPath> GivenPaths(const Flags& flags) {
  std::vector<GivenPath> paths;
  for (const Flag& flag : flags.all()) {
    if (!IsPath(flag)) continue;
    for (const std::string& text : TextsOf(flag)) {
      const size_t name_end =
          flag.is_after_name ? text.find('=') : std::string::npos;
      std::string path =
          name_end == std::string::npos ? text : text.substr(name_end + 1);
      if (path.empty()) continue;
      GivenPath& given =
          paths.emplace_back(GivenPath{"", std::move(path), &flag});
      given.argument =
          StrCat(given.FlagName(), flag.is_positional ? " " : "=", text);
    }
  }
  return paths;
}

absl::Status CheckPaths(const Flags& flags) {
  std::vector<LocatedPath> inputs;
  std::vector<LocatedPath> outputs;
  for (GivenPath& given : GivenPaths(flags)) {
    absl::StatusOr<io::Location> location = io::Location::Of(given.path);
    if (!location.ok()) return Annotate(location.status(), given.FlagName());
    const bool is_output = given.flag->path_use == PathUse::kOutput;
    (is_output ? outputs : inputs)
        .push_back({std::move(given), *std::move(location)});
  }
  for (const LocatedPath& output : outputs) {
    for (const LocatedPath& input : inputs) {
      TROMMEL_RETURN_IF_ERROR(CheckApart(input, output));
    }
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::cli
