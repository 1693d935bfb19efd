#include "mapreduce/job/job.h"

#include "core/base/status.h"

namespace trommel::mr {

absl::StatusOr<const Step*> FindStep(const StepRegistry& registry,
                                     std::string_view name) {
  std::string names;
  for (const std::unique_ptr<Step>& step : registry) {
    if (step->name() == name) return step.get();
    StrAppend(&names, names.empty() ? "" : ", ", step->name());
  }
  return absl::NotFoundError(
      StrCat("there is no step \"", name, "\"; there are: ", names));
}

int64_t CounterOf(const Counters& counters, std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

Counters RejectsByReason(const Counters& counters) {
  Counters rejects;
  for (auto counter = counters.lower_bound(kRejectedPrefix);
       counter != counters.end() &&
       counter->first.compare(0, kRejectedPrefix.size(), kRejectedPrefix) == 0;
       ++counter) {
    rejects[counter->first.substr(kRejectedPrefix.size())] = counter->second;
  }
  return rejects;
}

}  // namespace trommel::mr
