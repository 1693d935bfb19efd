#ifndef TROMMEL_JOBS_CLUSTER_CLUSTER_SETTINGS_H_
#define TROMMEL_JOBS_CLUSTER_CLUSTER_SETTINGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/flags.h"
#include "jobs/tables/site_rule.h"

namespace trommel::jobs::cluster_job {

// How pages are signed and clustered.
struct ClusterSettings {
  std::string site_key = "host";
  std::string site;
  int64_t shingle_length = signature::kDefaultShingleLength;
  bool merge = true;

  // Manifests do not record how pages are signed where they were signed
  // earlier.
  void Define(cli::Flags* flags, bool is_signing = true);
  absl::StatusOr<tables::SiteRule> MakeSiteRule() const;
};

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_CLUSTER_SETTINGS_H_
