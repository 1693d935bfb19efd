#include "jobs/summaries/any_summary.h"

#include <type_traits>
#include <utility>

#include "core/base/json_fields.h"
#include "core/base/status.h"

namespace trommel::jobs::summaries {
namespace {

using nlohmann::ordered_json;

// Tries the alternatives one after the other.
template <typename... Summary>
absl::StatusOr<AnySummary> Parse(
    std::string_view verb, const ordered_json& json,
    std::type_identity<std::variant<std::monostate, Summary...>>) {
  absl::StatusOr<AnySummary> result = absl::InternalError(
      StrCat("nothing is known of the summary of trommel ", verb));
  const auto try_one = [&]<typename One>(std::type_identity<One>) {
    if (verb != One::kVerb) return;
    absl::StatusOr<One> summary = FromJson<One>(json);
    if (summary.ok()) {
      result = *std::move(summary);
    } else {
      result = Annotate(summary.status(),
                        StrCat("what trommel ", verb, " --json printed"));
    }
  };
  (try_one(std::type_identity<Summary>()), ...);
  return result;
}

}  // namespace

absl::StatusOr<AnySummary> ParseSummary(std::string_view verb,
                                        const ordered_json& json) {
  return Parse(verb, json, std::type_identity<AnySummary>());
}

ordered_json SummaryJson(const AnySummary& summary) {
  return std::visit(
      [](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>,
                                     std::monostate>) {
          return ordered_json();
        } else {
          return ToJson(one);
        }
      },
      summary);
}

}  // namespace trommel::jobs::summaries
