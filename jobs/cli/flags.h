#ifndef TROMMEL_JOBS_CLI_FLAGS_H_
#define TROMMEL_JOBS_CLI_FLAGS_H_

// Flags and settings, defined once: parsing, --help, the man page, shell
// completion, the manifest of an output and the settings of a job's steps
// (settings.h) all come from these definitions.
//
//   flags->Text("out", &out_, "where it is written").Output().Required();
//   flags->Choice("from", &from_, {"warc", "dir", "jsonl"}, "kind of input");
//   flags->Positional("INPUT", &inputs_, "files or directories").Input();
//
// The value a variable has when its flag is defined is the flag's default and
// is shown by --help.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trommel::jobs::cli {

// What the text of a flag is to the verb. path_flags.h decides from it which
// paths may go together.
enum class PathUse {
  kUndeclared,  // no flag of a verb that is a text stays so
  kNone,        // no path
  kInput,       // is read
  kInPlace,     // is read, and changed where it is
  kOutput,      // is written, and replaced as a whole
};

// What is read of an input that is a folder.
enum class FolderReading {
  kAll,     // whatever is in it
  kByName,  // what has the names that are looked for: rules.binpb, *.warc.gz
};

// One flag, and the variable that has its value.
struct Flag {
  using Value = std::variant<std::string*, std::vector<std::string>*,
                             std::set<std::string, std::less<>>*, int64_t*,
                             double*, bool*>;

  std::string name;  // without the dashes
  std::string help;
  Value value;
  std::vector<std::string> choices;  // any value if empty
  std::optional<std::pair<double, double>> bounds;
  bool is_positional = false;
  bool is_required = false;
  bool is_recorded = false;
  PathUse path_use = PathUse::kUndeclared;
  FolderReading folder_reading = FolderReading::kAll;
  bool is_after_name = false;

  Flag& Required() {
    is_required = true;
    return *this;
  }
  // Values outside are usage errors. For Integer and Number.
  Flag& Between(double low, double high) {
    bounds.emplace(low, high);
    return *this;
  }
  // The manifest of the output says its value, because it decides rows.
  Flag& Recorded(bool is = true) {
    is_recorded = is;
    return *this;
  }
  // Of a text that a verb takes, one of these four says what it is.
  Flag& Input(FolderReading reading = FolderReading::kAll) {
    path_use = PathUse::kInput;
    folder_reading = reading;
    return *this;
  }
  Flag& InPlace() {
    path_use = PathUse::kInPlace;
    return *this;
  }
  Flag& Output() {
    path_use = PathUse::kOutput;
    return *this;
  }
  Flag& NotAPath() {
    path_use = PathUse::kNone;
    return *this;
  }
  // The path is what follows the first "=" of the value: NAME=PATH.
  Flag& AfterName() {
    is_after_name = true;
    return *this;
  }
};

class Flags {
 public:
  Flag& Text(std::string name, std::string* value, std::string help) {
    return Add(std::move(name), value, std::move(help));
  }
  // May be given several times.
  Flag& Texts(std::string name, std::vector<std::string>* values,
              std::string help) {
    return Add(std::move(name), values, std::move(help));
  }
  Flag& Texts(std::string name, std::set<std::string, std::less<>>* values,
              std::string help) {
    return Add(std::move(name), values, std::move(help));
  }
  Flag& Integer(std::string name, int64_t* value, std::string help) {
    return Add(std::move(name), value, std::move(help));
  }
  Flag& Number(std::string name, double* value, std::string help) {
    return Add(std::move(name), value, std::move(help));
  }
  // --name, --name=true or --name=false.
  Flag& Bool(std::string name, bool* value, std::string help) {
    return Add(std::move(name), value, std::move(help));
  }
  Flag& Choice(std::string name, std::string* value,
               std::vector<std::string> choices, std::string help) {
    Flag& flag = Add(std::move(name), value, std::move(help));
    flag.choices = std::move(choices);
    return flag;
  }
  // Arguments without a flag name.
  Flag& Positional(std::string name, std::vector<std::string>* values,
                   std::string help) {
    Flag& flag = Add(std::move(name), values, std::move(help));
    flag.is_positional = true;
    return flag;
  }

  // In the order of their definitions.
  const std::deque<Flag>& all() const { return flags_; }

 private:
  Flag& Add(std::string name, Flag::Value value, std::string help) {
    return flags_.emplace_back(
        Flag{std::move(name), std::move(help), value, {}, {}});
  }

  std::deque<Flag> flags_;  // stay where they are when others are added
};

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_FLAGS_H_
