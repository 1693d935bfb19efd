#include "jobs/cluster/cluster_settings.h"

namespace trommel::jobs::cluster_job {

void ClusterSettings::Define(cli::Flags* flags, bool is_signing) {
  flags
      ->Choice("site-key", &site_key, {"host", "registered_domain"},
               "what is one site: a host, or all hosts of a domain")
      .Recorded(is_signing);
  flags->Text("site", &site, "all pages are one site with this name")
      .NotAPath()
      .Recorded(is_signing);
  flags
      ->Integer("shingle", &shingle_length,
                "length of shingles: so many tags in a row")
      .Between(signature::kMinShingleLength, signature::kMaxShingleLength)
      .Recorded(is_signing);
  flags
      ->Bool("merge", &merge,
             "merge clusters that are one template, and place pages that no "
             "signature covers")
      .Recorded();
}

absl::StatusOr<tables::SiteRule> ClusterSettings::MakeSiteRule() const {
  if (!site.empty()) return tables::SiteRule::Fixed(site);
  return tables::SiteRule::FromTable(site_key, site);
}

}  // namespace trommel::jobs::cluster_job
