#include "jobs/cli/verb.h"

#include <nlohmann/json.hpp>

namespace trommel::jobs::cli {
namespace {

// What stands before the first `mark`; `text` begins behind it afterwards.
std::string_view Before(std::string_view mark, std::string_view* text) {
  const size_t end = text->find(mark);
  if (end == std::string_view::npos) return {};
  const std::string_view before = text->substr(0, end);
  text->remove_prefix(end + mark.size());
  return before;
}

}  // namespace

Report::Report() : json(std::make_unique<nlohmann::ordered_json>()) {
  *json = nlohmann::ordered_json::object();
}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

Verb::Verb(std::string_view name, std::string_view help)
    : name_(name),
      summary_(Before("\n\n", &help)),
      description_(Before("\n\nExample:\n  ", &help)),
      example_(help.substr(0, help.rfind('\n'))) {}

}  // namespace trommel::jobs::cli
