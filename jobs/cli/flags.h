#ifndef TROMMEL_JOBS_CLI_FLAGS_H_
#define TROMMEL_JOBS_CLI_FLAGS_H_

// The flags of a verb, defined once: parsing, --help, the man page and shell
// completion all come from these definitions.
//
//   flags->Text("out", &out_, "where the crawl is written").Required();
//   flags->Choice("from", &from_, {"warc", "dir", "jsonl"}, "kind of input");
//   flags->Positional("INPUT", &inputs_, "files or directories").Required();
//
// The value a variable has when its flag is defined is the flag's default and
// is shown by --help.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::cli {

class Flags {
 public:
  // Handle of one flag just defined.
  class Flag {
   public:
    virtual ~Flag() = default;
    virtual Flag& Required() = 0;
    // Values outside are usage errors. For Integer and Number.
    virtual Flag& Between(double low, double high) = 0;
  };

  virtual ~Flags() = default;

  virtual Flag& Text(const std::string& name, std::string* value,
                     const std::string& help) = 0;
  // May be given several times.
  virtual Flag& Texts(const std::string& name, std::vector<std::string>* values,
                      const std::string& help) = 0;
  virtual Flag& Integer(const std::string& name, int64_t* value,
                        const std::string& help) = 0;
  virtual Flag& Number(const std::string& name, double* value,
                       const std::string& help) = 0;
  // --name, --name=true or --name=false.
  virtual Flag& Bool(const std::string& name, bool* value,
                     const std::string& help) = 0;
  virtual Flag& Choice(const std::string& name, std::string* value,
                       const std::vector<std::string>& choices,
                       const std::string& help) = 0;
  // Arguments without a flag name.
  virtual Flag& Positional(const std::string& name,
                           std::vector<std::string>* values,
                           const std::string& help) = 0;
};

}  // namespace trommel::cli

#endif  // TROMMEL_JOBS_CLI_FLAGS_H_
