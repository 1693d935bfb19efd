#ifndef TROMMEL_JOBS_CLI_DESCRIBED_FLAGS_H_
#define TROMMEL_JOBS_CLI_DESCRIBED_FLAGS_H_

// Verbs and their flags as data: what the man page and shell completion are
// made of. The flags are those that parsing uses; a verb defines them once.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/cli/flags.h"
#include "jobs/cli/verb.h"

namespace trommel::jobs::cli {

struct FlagDescription {
  std::string name;  // without the dashes
  std::string help;
  // What stands for the value: TEXT, N, NUMBER; empty for on and off.
  std::string value;
  std::string default_value;
  std::vector<std::string> choices;  // any value if empty
  bool required = false;
  bool repeats = false;
  bool positional = false;

  bool operator==(const FlagDescription&) const = default;
};

struct VerbDescription {
  std::string name;
  std::string summary;
  std::string description;
  std::string example;
  std::vector<FlagDescription> flags;
};

// Of all verbs, in order.
std::vector<VerbDescription> DescribeVerbs(
    const std::vector<std::unique_ptr<Verb>>& verbs);

// Flags that at least three verbs define alike, in the order of their first
// mention: said once, they need not be said again with each verb.
std::vector<FlagDescription> SharedFlags(
    const std::vector<VerbDescription>& verbs);

// The flags that every verb has beside those that it defines itself.
struct FlagsOfEveryVerb {
  bool verify = false;
  bool json = false;

  void Define(Flags* flags);
};

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_DESCRIBED_FLAGS_H_
