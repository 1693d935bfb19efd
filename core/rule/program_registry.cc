#include "core/rule/program_registry.h"

#include <map>

#include "core/base/status.h"
#include "core/rule/fields/fields_extractor.h"

namespace trommel::rule {
namespace {

std::map<std::string, ProgramKind>& OtherKinds() {
  static auto* const kinds = new std::map<std::string, ProgramKind>;
  return *kinds;
}

absl::StatusOr<std::unique_ptr<PageExtractor>> CompileProgram(
    const proto::Rule& rule) {
  switch (rule.program().kind_case()) {
    case proto::Program::kFields:
      return fields::CompileFields(rule);
    case proto::Program::kOther: {
      const std::string& name = rule.program().other().kind();
      const auto kind = OtherKinds().find(name);
      if (kind != OtherKinds().end()) return kind->second.compile(rule);
      return absl::InvalidArgumentError(
          StrCat("its program is of the kind \"", name,
                 "\", which this program does not know"));
    }
    case proto::Program::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("it has no program");
}

}  // namespace

absl::StatusOr<std::unique_ptr<PageExtractor>> CompileRule(
    const proto::Rule& rule) {
  absl::StatusOr<std::unique_ptr<PageExtractor>> extractor =
      CompileProgram(rule);
  if (extractor.ok()) return extractor;
  return Annotate(extractor.status(),
                  StrCat("rule of cluster ", rule.cluster_id()));
}

void RegisterProgramKind(const ProgramKind& kind) {
  OtherKinds().insert_or_assign(kind.name, kind);
}

}  // namespace trommel::rule
