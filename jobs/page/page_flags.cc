#include "jobs/page/page_flags.h"

#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "core/base/status.h"

namespace trommel {
namespace {

// Offsets within a document are 32 bits wide.
constexpr double kMaxPageBytes = 1 << 30;

bool ParseSetting(const std::string& text, int64_t* value) {
  return absl::SimpleAtoi(text, value);
}
bool ParseSetting(const std::string& text, double* value) {
  return absl::SimpleAtod(text, value);
}

}  // namespace

void PageFlags::Define(cli::Flags* flags) {
  flags->Choice("parser", &parser, {"direct", "lexbor", "gumbo"},
                "HTML parser; direct gives what lexbor gives");
  flags
      ->Integer("max-page-bytes", &max_page_bytes,
                "pages with more bytes are too_large")
      .Between(1, kMaxPageBytes);
  flags
      ->Integer("max-nodes", &max_nodes,
                "pages with more nodes are too_many_nodes")
      .Between(1, 1e9);
  flags
      ->Integer("max-depth", &max_depth,
                "elements nested deeper become siblings at this depth")
      .Between(8, 65534);
  flags
      ->Integer("max-attributes", &max_attributes,
                "further attributes of a tag are dropped")
      .Between(1, 1e6);
  flags
      ->Number("page-timeout", &page_timeout_s,
               "seconds to parse a page before it is a timeout")
      .Between(0.001, 86400);
}

std::unique_ptr<html::Parser> PageFlags::MakeParser() const {
  html::ParseLimits limits;
  limits.max_bytes = static_cast<size_t>(max_page_bytes);
  limits.max_nodes = static_cast<size_t>(max_nodes);
  limits.max_depth = static_cast<uint32_t>(max_depth);
  limits.max_attributes = static_cast<uint32_t>(max_attributes);
  limits.timeout = absl::Seconds(page_timeout_s);
  // The flag is a choice, so the name is known.
  return html::MakeParser(*html::ParserKindFromName(parser), limits);
}

std::vector<std::pair<std::string, std::string>> PageFlags::Settings() const {
  return {{"parser", parser},
          {"max-page-bytes", StrCat(max_page_bytes)},
          {"max-nodes", StrCat(max_nodes)},
          {"max-depth", StrCat(max_depth)},
          {"max-attributes", StrCat(max_attributes)},
          {"page-timeout", StrCat(page_timeout_s)}};
}

void PageFlags::AddTo(mr::StepSpec* spec) const {
  for (const auto& [name, value] : Settings()) spec->config[name] = value;
}

absl::StatusOr<PageFlags> PageFlags::OfTask(const mr::TaskContext& context) {
  PageFlags flags;
  const auto read = [&](const char* name, auto* value) -> absl::Status {
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, context.Config(name));
    if (ParseSetting(text, value)) return absl::OkStatus();
    return absl::InvalidArgumentError(StrCat(name, " is \"", text, "\""));
  };
  TROMMEL_ASSIGN_OR_RETURN(flags.parser, context.Config("parser"));
  TROMMEL_RETURN_IF_ERROR(html::ParserKindFromName(flags.parser).status());
  TROMMEL_RETURN_IF_ERROR(read("max-page-bytes", &flags.max_page_bytes));
  TROMMEL_RETURN_IF_ERROR(read("max-nodes", &flags.max_nodes));
  TROMMEL_RETURN_IF_ERROR(read("max-depth", &flags.max_depth));
  TROMMEL_RETURN_IF_ERROR(read("max-attributes", &flags.max_attributes));
  TROMMEL_RETURN_IF_ERROR(read("page-timeout", &flags.page_timeout_s));
  return flags;
}

}  // namespace trommel
