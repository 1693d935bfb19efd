#include "jobs/cli/completion.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/base/strings.h"

namespace trommel::jobs::cli {
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

// Of zsh: hands what follows the verb to the function of the verb.
constexpr char kZshFunction[] = R"(
_trommel() {
  if ((CURRENT == 2)); then
    _trommel_first
  elif ((${+functions[_trommel_verb_$words[2]]})); then
    local verb=$words[2]
    shift words
    ((CURRENT--))
    _trommel_verb_$verb
  fi
}

if [[ $funcstack[1] == _trommel ]]; then
  _trommel "$@"
else
  compdef _trommel trommel
fi
)";

// A word of a zsh script, in quotes.
std::string ZshWord(std::string_view text) {
  return StrCat("'", absl::StrReplaceAll(ToAbsl(text), {{"'", "'\\''"}}), "'");
}

// Text in a specification of _arguments, where these mean something.
std::string ZshText(std::string_view text) {
  return absl::StrReplaceAll(
      ToAbsl(text), {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

// What _arguments is told of a flag: --engine=[help]:TEXT:(local hadoop).
std::string ZshSpec(const FlagDescription& flag) {
  std::string values = "_files";
  if (flag.value == "N" || flag.value == "NUMBER") values = " ";
  if (!flag.choices.empty()) {
    values = StrCat("(", absl::StrJoin(flag.choices, " "), ")");
  }
  if (flag.positional) {
    return StrCat(flag.repeats ? "*:" : ":", ZshText(flag.name), ":", values);
  }
  return StrCat(flag.repeats ? "*" : "", "--", flag.name,
                flag.value.empty() ? "" : "=", "[", ZshText(flag.help), "]",
                flag.value.empty() ? "" : StrCat(":", flag.value, ":", values));
}

std::string ZshVerb(const VerbDescription& verb) {
  std::string text =
      StrCat("\n_trommel_verb_", verb.name,
             "() {\n  _arguments \\\n    '--help[print help and exit]'");
  for (const FlagDescription& flag : verb.flags) {
    StrAppend(&text, " \\\n    ", ZshWord(ZshSpec(flag)));
  }
  return StrCat(text, "\n}\n");
}

}  // namespace

std::string ZshCompletion(const std::vector<VerbDescription>& verbs) {
  std::string names;
  std::string functions;
  for (const VerbDescription& verb : verbs) {
    StrAppend(&names, "    ", ZshWord(StrCat(verb.name, ":", verb.summary)),
              "\n");
    StrAppend(&functions, ZshVerb(verb));
  }
  return StrCat(
      "#compdef trommel\n",
      "# Completion of trommel for zsh, made by: trommel --completion=zsh\n",
      "\n_trommel_first() {\n  if [[ $PREFIX == -* ]]; then\n"
      "    _arguments \\\n"
      "      '--help[print help and exit]' \\\n"
      "      '--version[print the version and exit]' \\\n"
      "      '--man[print the manual page (troff) and exit]' \\\n"
      "      '--completion=[print shell completion and exit]:shell:(bash "
      "zsh)'\n"
      "    return\n  fi\n  local -a verbs=(\n",
      names, "  )\n  _describe -t verbs verb verbs\n}\n", functions,
      kZshFunction);
}

std::string BashCompletion(const std::vector<VerbDescription>& verbs) {
  std::vector<std::string> names;
  std::string flags;
  std::string values =
      "    \"--completion --completion\") echo \"bash zsh\" ;;\n";
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

}  // namespace trommel::jobs::cli
