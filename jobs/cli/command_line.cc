#include "jobs/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <type_traits>
#include <variant>

#include "absl/strings/str_format.h"
#include "core/base/characters.h"
#include "core/base/json_fields.h"
#include "core/base/strings.h"
#include "jobs/cli/completion.h"
#include "jobs/cli/described_flags.h"
#include "jobs/cli/man_page.h"
#include "jobs/cli/path_flags.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::cli {
namespace {

constexpr char kVersion[] = TROMMEL_VERSION;
constexpr char kAbout[] =
    "trommel turns crawls of template-generated web pages into records.";

// CLI11 stays in this file.
CLI::Option* AddOption(const Flag& flag, bool* value, CLI::App* app) {
  return app->add_flag(
      "--" + flag.name, *value,
      *value ? StrCat(flag.help, " (on; --", flag.name, "=false turns it off)")
             : flag.help);
}

template <typename Value>
CLI::Option* AddOption(const Flag& flag, Value* value, CLI::App* app) {
  if (flag.is_positional) return app->add_option(flag.name, *value, flag.help);
  constexpr bool kIsNumber = std::is_arithmetic_v<Value>;
  constexpr bool kIsText = std::is_same_v<Value, std::string>;
  CLI::Option* const option = app->add_option(
      "--" + flag.name, *value,
      kIsNumber || kIsText ? flag.help : flag.help + " (repeats)");
  if constexpr (!kIsNumber && !kIsText) option->expected(1)->take_all();
  bool has_default = true;
  if constexpr (!kIsNumber) has_default = !value->empty();
  if (has_default) option->capture_default_str();
  return option;
}

void AddFlag(const Flag& flag, CLI::App* app) {
  CLI::Option* const option = std::visit(
      [&](auto* value) { return AddOption(flag, value, app); }, flag.value);
  if (flag.is_required) option->required();
  if (!flag.choices.empty()) option->check(CLI::IsMember(flag.choices));
  if (!flag.bounds.has_value()) return;
  option->check([bounds = *flag.bounds](const std::string& text) {
    const auto [low, high] = bounds;
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) ||
        (value >= low && value <= high)) {
      return std::string();
    }
    return absl::StrFormat("must be from %.15g to %.15g, not %s", low, high,
                           text);
  });
}

// What is printed may hold text of a crawl. Verbs write such text into their
// lines by Printable(), so that a line is theirs; what they have missed is held
// back here, for every verb.
void PrintLine(std::string_view line) {
  std::fprintf(stderr, "%s\n", PrintableLines(line).c_str());
}

int Fail(const std::string& context, const std::string& message,
         ExitCode code) {
  PrintLine(StrCat(context, ": ", message));
  return static_cast<int>(code);
}

int FailUsage(const std::string& context, std::string_view message) {
  return Fail(context, StrCat(message, "\nSee: ", context, " --help"),
              ExitCode::kWrongUsage);
}

// The arguments in the order in which CLI11 takes them (last first), with the
// habits of CLI11 that would surprise a user kept out:
//   --flag=       would take the next argument as its value;
//   [a,b]         would be split like a list; as a path it is ./[a,b];
//   -x.html       would be taken apart as short flags, of which there are none.
absl::StatusOr<std::vector<std::string>> PrepareArguments(
    int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool flags_ended = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    const auto is_list = [](std::string_view text) {
      return text.size() > 1 && text.front() == '[' && text.back() == ']';
    };
    if (argument == "--") flags_ended = true;
    const bool is_flag = !flags_ended && argument.compare(0, 2, "--") == 0;
    const size_t equals = is_flag ? argument.find('=') : std::string::npos;
    if (equals != std::string::npos && equals + 1 == argument.size()) {
      return absl::InvalidArgumentError(
          StrCat(argument.substr(0, equals), " needs a value"));
    }
    if (equals != std::string::npos &&
        is_list(std::string_view(argument).substr(equals + 1))) {
      argument.insert(equals + 1, "./");
    } else if (!is_flag && is_list(argument)) {
      argument.insert(0, "./");
    } else if (!flags_ended && !is_flag && argument.size() > 1 &&
               argument[0] == '-') {
      return absl::InvalidArgumentError(StrCat(
          "unknown flag ", argument, "; a file of that name is ./", argument));
    }
    arguments.push_back(std::move(argument));
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

int RunVerb(Verb* verb, bool as_json) {
  const std::string context = StrCat("trommel ", verb->name());
  // What a flag declares may depend on the values of others.
  Flags flags;
  verb->DefineFlags(&flags);
  absl::Status status = CheckPaths(flags);
  if (status.ok()) status = verb->CheckFlags();
  if (!status.ok()) return FailUsage(context, ToStd(status.message()));
  absl::StatusOr<Report> report = absl::UnknownError("");
  try {
    report = verb->Run();
  } catch (const std::bad_alloc&) {
    report = absl::ResourceExhaustedError("out of memory");
  }
  if (!report.ok()) {
    return Fail(context, std::string(report.status().message()),
                ExitCode::kFailed);
  }
  for (const std::string& warning : report->warnings) PrintLine(warning);
  std::cout << (as_json ? JsonLineText(*report->json) + "\n"
                        : PrintableLines(report->text))
            << std::flush;
  if (!std::cout) {
    return Fail(context, "cannot write to standard output", ExitCode::kFailed);
  }
  return static_cast<int>(report->exit_code);
}

// Flags that print a text about trommel and exit, like --version: CLI11 ends a
// parse that way when it is thrown what --version throws.
void DefineTextFlags(CLI::App* app,
                     const std::vector<std::unique_ptr<Verb>>& verbs) {
  app->add_flag_callback(
      "--man",
      [&verbs] {
        throw CLI::CallForVersion(
            ManPage(kVersion, kAbout, DescribeVerbs(verbs)), 0);
      },
      "print the manual page (troff) and exit");
  app->add_option_function<std::string>(
         "--completion",
         [&verbs](const std::string& shell) {
           const std::vector<VerbDescription> all = DescribeVerbs(verbs);
           throw CLI::CallForVersion(
               shell == "zsh" ? ZshCompletion(all) : BashCompletion(all), 0);
         },
         "print shell completion and exit")
      ->check(CLI::IsMember({"bash", "zsh"}));
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv,
                   const std::vector<std::unique_ptr<Verb>>& verbs) {
  CLI::App app(kAbout, "trommel");
  app.set_version_flag("--version", std::string("trommel ") + kVersion);
  app.require_subcommand(1);
  app.footer("Run \"trommel VERB --help\" for the flags of a verb.");
  FlagsOfEveryVerb common_flags;
  struct Entry {
    Verb* verb;
    CLI::App* app;
  };
  std::vector<Entry> entries;
  for (const std::unique_ptr<Verb>& verb : verbs) {
    CLI::App* const sub = app.add_subcommand(std::string(verb->name()),
                                             std::string(verb->summary()));
    sub->footer(
        StrCat(verb->description(), "\n\nExample:\n  ", verb->example(), "\n"));
    sub->set_help_flag("--help", "print this help and exit");
    sub->get_formatter()->column_width(34);
    Flags flags;
    verb->DefineFlags(&flags);
    common_flags.Define(&flags);
    for (const Flag& flag : flags.all()) AddFlag(flag, sub);
    entries.push_back({verb.get(), sub});
  }
  app.set_help_flag("--help", "print this help and exit");
  DefineTextFlags(&app, verbs);
  if (argc > 1 && argv[1][0] != '-' &&
      std::none_of(verbs.begin(), verbs.end(),
                   [&](const auto& verb) { return verb->name() == argv[1]; })) {
    return FailUsage("trommel", StrCat("unknown verb \"", argv[1], "\""));
  }
  absl::StatusOr<std::vector<std::string>> arguments =
      PrepareArguments(argc, argv);
  if (!arguments.ok()) {
    return FailUsage(StrCat("trommel ", argv[1]),
                     ToStd(arguments.status().message()));
  }
  try {
    app.parse(*std::move(arguments));
  } catch (const CLI::Success& text) {  // --help, --version and their like
    return app.exit(text);
  } catch (const CLI::ParseError& error) {
    std::string context = "trommel";
    for (const Entry& entry : entries) {
      if (entry.app->parsed()) StrAppend(&context, " ", entry.verb->name());
    }
    return FailUsage(context, error.what());
  }
  for (const Entry& entry : entries) {
    if (!entry.app->parsed()) continue;
    io::SetVerifyDigests(common_flags.verify);
    return RunVerb(entry.verb, common_flags.json);
  }
  return static_cast<int>(ExitCode::kWrongUsage);
}

}  // namespace trommel::jobs::cli
