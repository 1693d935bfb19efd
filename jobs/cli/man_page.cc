#include "jobs/cli/man_page.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"

namespace trommel::jobs::cli {
namespace {

// Text as it is: troff takes backslashes, and dots and quotes that begin a
// line, for its own, and sets "-" as a hyphen, which nobody can copy.
std::string Escaped(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Descriptions are set by hand, with columns that must stay columns.
std::string Preformatted(std::string_view text) {
  return StrCat(".nf\n", Escaped(text), "\n.fi\n");
}

std::string FlagEntry(const FlagDescription& flag) {
  std::string head = flag.positional ? StrCat("\\fI", Escaped(flag.name))
                                     : StrCat("\\fB\\-\\-", Escaped(flag.name));
  if (!flag.value.empty()) {
    // A line may end after a "|", without a hyphen.
    StrAppend(&head, "=\\fI",
              flag.choices.empty() ? flag.value
                                   : absl::StrJoin(flag.choices, "|\\:"));
  }
  StrAppend(&head, "\\fR");
  if (flag.required) StrAppend(&head, " (required)");
  if (flag.repeats) StrAppend(&head, " (repeats)");
  std::string text = flag.help;
  if (flag.value.empty() && flag.default_value == "true") {
    StrAppend(&text, " (on; --", flag.name, "=false turns it off)");
  } else if (!flag.default_value.empty()) {
    StrAppend(&text, " [", flag.default_value, "]");
  }
  return StrCat(".TP\n", head, "\n", Escaped(text), "\n");
}

std::string Synopsis(const VerbDescription& verb) {
  std::string line = StrCat("\\fBtrommel ", Escaped(verb.name), "\\fR");
  for (const FlagDescription& flag : verb.flags) {
    if (!flag.required) continue;
    StrAppend(&line, " ",
              flag.positional ? StrCat("\\fI", Escaped(flag.name), "\\fR...")
                              : StrCat("\\fB\\-\\-", Escaped(flag.name),
                                       "\\fR=\\fI", flag.value, "\\fR"));
  }
  return StrCat(line, " [\\fIflags\\fR]\n.br\n");
}

std::string VerbSection(const VerbDescription& verb,
                        const std::vector<FlagDescription>& shared) {
  std::string text =
      StrCat(".SS trommel ", Escaped(verb.name), "\n", Escaped(verb.summary),
             "\n.PP\n", Preformatted(verb.description));
  int left_out = 0;
  for (const FlagDescription& flag : verb.flags) {
    if (std::count(shared.begin(), shared.end(), flag) > 0) {
      ++left_out;
    } else {
      StrAppend(&text, FlagEntry(flag));
    }
  }
  if (left_out > 0) {
    StrAppend(&text, ".PP\nAnd ", left_out, " of the shared flags: ");
    std::string names;
    for (const FlagDescription& flag : verb.flags) {
      if (std::count(shared.begin(), shared.end(), flag) == 0) continue;
      StrAppend(&names, names.empty() ? "" : ", ", "\\fB\\-\\-",
                Escaped(flag.name), "\\fR");
    }
    StrAppend(&text, names, ".\n");
  }
  return StrCat(text, ".PP\nExample:\n.PP\n", Preformatted(verb.example));
}

// For preconv, which man runs before troff.
constexpr char kEncoding[] = ".\\\" -*- coding: utf-8 -*-\n";

constexpr char kExitStatus[] = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
failed; the message on standard error names the file and the reason
.TP
2
wrong usage; the message names the flag
.TP
3
the work is done and a check found something (\fB\-\-fail\-on\-break\fR,
\fB\-\-fail\-on\-drop\fR, \fB\-\-fail\-on\-alert\fR)
.SH ENVIRONMENT
.TP
HADOOP_HOME, HADOOP_CONF_DIR
the installation and the configuration of Hadoop, for \fB\-\-engine=hadoop\fR and
hdfs: URIs
.SH SEE ALSO
hadoop(1), duckdb(1)
)";

}  // namespace

std::string ManPage(std::string_view version, std::string_view about,
                    const std::vector<VerbDescription>& verbs) {
  std::string text =
      StrCat(kEncoding, ".TH TROMMEL 1 \"\" \"trommel ", version,
             "\" \"User Commands\"\n.SH NAME\ntrommel \\- web crawls in, "
             "records out\n.SH SYNOPSIS\n.nh\n.ad l\n");
  for (const VerbDescription& verb : verbs) StrAppend(&text, Synopsis(verb));
  StrAppend(
      &text, ".SH DESCRIPTION\n", Escaped(about),
      "\nResults go to standard output, progress and messages to standard "
      "error.\nPaths are local or URIs (file:, hdfs:). An output appears "
      "all at once,\nwith a manifest _SUCCESS; a finished one is replaced "
      "only with \\fB\\-\\-force\\fR,\nand never with an input or a file "
      "that trommel did not write inside.\n.SH VERBS\n");
  const std::vector<FlagDescription> shared = SharedFlags(verbs);
  for (const VerbDescription& verb : verbs) {
    StrAppend(&text, VerbSection(verb, shared));
  }
  StrAppend(&text,
            ".SH SHARED FLAGS\nThese mean the same wherever they are.\n");
  for (const FlagDescription& flag : shared) {
    StrAppend(&text, FlagEntry(flag));
  }
  return StrCat(text, kExitStatus);
}

}  // namespace trommel::jobs::cli
