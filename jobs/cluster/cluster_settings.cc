#include "jobs/cluster/cluster_settings.h"

namespace trommel {

void ClusterSettings::Define(cli::Flags* flags, bool is_signing) {
  flags
      ->Choice("site-key", &site_key, {"host", "registered_domain"},
               "what is one site: a host, or all hosts of a domain")
      .Recorded(is_signing);
  flags->Text("site", &site, "all pages are one site with this name")
      .Recorded(is_signing);
  flags
      ->Integer("shingle", &shingle_length,
                "length of shingles: so many tags in a row")
      .Between(kMinShingleLength, kMaxShingleLength)
      .Recorded(is_signing);
  flags
      ->Bool("merge", &merge,
             "merge clusters that are one template, and place pages that no "
             "signature covers")
      .Recorded();
}

absl::StatusOr<SiteRule> ClusterSettings::MakeSiteRule() const {
  if (!site.empty()) return SiteRule::Fixed(site);
  return SiteRule::FromTable(site_key, site);
}

}  // namespace trommel
