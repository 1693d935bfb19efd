#include "jobs/cli/described_flags.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"

namespace trommel::cli {
namespace {

// Keeps what a verb defines instead of parsing with it.
class DescribedFlags final : public Flags {
 public:
  Flag& Text(const std::string& name, std::string* value,
             const std::string& help) override {
    return Add({name, help, "TEXT", *value});
  }
  Flag& Texts(const std::string& name, std::vector<std::string>* values,
              const std::string& help) override {
    FlagDescription flag = {name, help, "TEXT", absl::StrJoin(*values, ", ")};
    flag.repeats = true;
    return Add(std::move(flag));
  }
  Flag& Integer(const std::string& name, int64_t* value,
                const std::string& help) override {
    return Add({name, help, "N", StrCat(*value)});
  }
  Flag& Number(const std::string& name, double* value,
               const std::string& help) override {
    return Add({name, help, "NUMBER", StrCat(*value)});
  }
  Flag& Bool(const std::string& name, bool* value,
             const std::string& help) override {
    return Add({name, help, "", *value ? "true" : ""});
  }
  Flag& Choice(const std::string& name, std::string* value,
               const std::vector<std::string>& choices,
               const std::string& help) override {
    return Add({name, help, "TEXT", *value, choices});
  }
  Flag& Positional(const std::string& name, std::vector<std::string>*,
                   const std::string& help) override {
    FlagDescription flag = {name, help};
    flag.repeats = true;
    flag.positional = true;
    return Add(std::move(flag));
  }

  std::vector<FlagDescription> Take() const {
    std::vector<FlagDescription> result;
    for (const DescribedFlag& flag : flags_) {
      result.push_back(flag.description());
    }
    return result;
  }

 private:
  class DescribedFlag final : public Flag {
   public:
    explicit DescribedFlag(FlagDescription description)
        : description_(std::move(description)) {}
    Flag& Required() override {
      description_.required = true;
      return *this;
    }
    Flag& Between(double, double) override { return *this; }
    const FlagDescription& description() const { return description_; }

   private:
    FlagDescription description_;
  };

  Flag& Add(FlagDescription description) {
    return flags_.emplace_back(std::move(description));
  }

  std::list<DescribedFlag> flags_;
};

}  // namespace

std::vector<VerbDescription> DescribeVerbs(
    const std::vector<std::unique_ptr<Verb>>& verbs) {
  std::vector<VerbDescription> result;
  bool as_json = false;
  for (const std::unique_ptr<Verb>& verb : verbs) {
    DescribedFlags flags;
    verb->DefineFlags(&flags);
    flags.Bool(kJsonFlag, &as_json, kJsonHelp);
    result.push_back({std::string(verb->name()), std::string(verb->summary()),
                      std::string(verb->description()),
                      std::string(verb->example()), flags.Take()});
  }
  return result;
}

std::vector<FlagDescription> SharedFlags(
    const std::vector<VerbDescription>& verbs) {
  constexpr int kVerbs = 3;
  std::vector<FlagDescription> shared;
  for (const VerbDescription& verb : verbs) {
    for (const FlagDescription& flag : verb.flags) {
      const auto has_it = [&flag](const VerbDescription& other) {
        return std::count(other.flags.begin(), other.flags.end(), flag) > 0;
      };
      if (std::count_if(verbs.begin(), verbs.end(), has_it) >= kVerbs &&
          std::count(shared.begin(), shared.end(), flag) == 0) {
        shared.push_back(flag);
      }
    }
  }
  return shared;
}

}  // namespace trommel::cli
