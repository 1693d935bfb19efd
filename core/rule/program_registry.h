#ifndef TROMMEL_CORE_RULE_PROGRAM_REGISTRY_H_
#define TROMMEL_CORE_RULE_PROGRAM_REGISTRY_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::rule {

// Compiles the program of a rule. InvalidArgument names the cluster and what is
// wrong with its program, or the kind that nobody registered.
absl::StatusOr<std::unique_ptr<PageExtractor>> CompileRule(
    const proto::Rule& rule);

// A kind of program that proto/rule.proto does not know: rules hold it as
// OtherProgram, whose content only the kind understands.
struct ProgramKind {
  std::string name;
  // Of a rule whose program is other(), of this kind.
  std::function<absl::StatusOr<std::unique_ptr<PageExtractor>>(
      const proto::Rule& rule)>
      compile;
};

// Makes a kind known to CompileRule(). Is called before anything else runs, by
// the main program that links the kind.
void RegisterProgramKind(const ProgramKind& kind);

}  // namespace trommel::rule

#endif  // TROMMEL_CORE_RULE_PROGRAM_REGISTRY_H_
