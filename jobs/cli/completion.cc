#include "jobs/cli/completion.h"

#include "absl/strings/str_join.h"
#include "core/base/strings.h"

namespace trommel::cli {
namespace {

// Bash takes "=" for the end of a word: of --engine=lo the words are --engine,
// = and lo, and only the last is completed.
constexpr char kFunction[] = R"(
_trommel() {
  local cur=${COMP_WORDS[COMP_CWORD]} flag= words=
  if [[ $cur == "=" ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]} cur=
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if [[ -n $flag ]]; then
    words=$(_trommel_values "${COMP_WORDS[1]}" "$flag")
  elif ((COMP_CWORD == 1)); then
    words=$(_trommel_flags ""; [[ $cur == -* ]] || _trommel_verbs)
  elif [[ $cur == -* ]]; then
    words=$(_trommel_flags "${COMP_WORDS[1]}")
  fi
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    compopt -o filenames
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
} 2>/dev/null

complete -F _trommel trommel
)";

std::string FlagWord(const FlagDescription& flag) {
  return StrCat("--", flag.name, flag.value.empty() ? "" : "=");
}

std::string FlagsCase(const VerbDescription& verb) {
  std::vector<std::string> words = {"--help"};
  for (const FlagDescription& flag : verb.flags) {
    if (!flag.positional) words.push_back(FlagWord(flag));
  }
  return StrCat("    ", verb.name, ") echo \"", absl::StrJoin(words, " "),
                "\" ;;\n");
}

std::string ValuesCases(const VerbDescription& verb) {
  std::string cases;
  for (const FlagDescription& flag : verb.flags) {
    if (flag.choices.empty()) continue;
    StrAppend(&cases, "    \"", verb.name, " --", flag.name, "\") echo \"",
              absl::StrJoin(flag.choices, " "), "\" ;;\n");
  }
  return cases;
}

}  // namespace

std::string BashCompletion(const std::vector<VerbDescription>& verbs) {
  std::vector<std::string> names;
  std::string flags;
  std::string values = "    \"--completion --completion\") echo \"bash\" ;;\n";
  for (const VerbDescription& verb : verbs) {
    names.push_back(verb.name);
    StrAppend(&flags, FlagsCase(verb));
    StrAppend(&values, ValuesCases(verb));
  }
  return StrCat(
      "# Completion of trommel for bash, made by: trommel --completion=bash\n",
      "\n_trommel_verbs() { echo \"", absl::StrJoin(names, " "), "\"; }\n",
      "\n_trommel_flags() {\n  case $1 in\n", flags,
      "    \"\") echo \"--help --version --man --completion=\" ;;\n  esac\n}\n",
      "\n_trommel_values() {\n  case \"$1 $2\" in\n", values, "  esac\n}\n",
      kFunction);
}

}  // namespace trommel::cli
