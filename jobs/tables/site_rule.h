#ifndef TROMMEL_JOBS_TABLES_SITE_RULE_H_
#define TROMMEL_JOBS_TABLES_SITE_RULE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/url/url.h"

namespace trommel::jobs::tables {

// Which site a page belongs to: chosen when a crawl is clustered, stored with
// the clusters, and taken from there by whoever uses them.
class SiteRule {
 public:
  SiteRule() = default;  // by host
  // All pages are of one site.
  static SiteRule Fixed(std::string_view site);
  // By the text in tables: "host", "registered_domain", or "fixed" with the
  // name of the site.
  static absl::StatusOr<SiteRule> FromTable(std::string_view key,
                                            std::string_view site);

  friend bool operator==(const SiteRule&, const SiteRule&) = default;

  std::string_view key() const;
  // The flag that has `trommel cluster` choose it; empty for hosts, which it
  // does anyway.
  std::string ClusterFlag() const;
  std::string SiteOf(std::string_view url) const;

 private:
  url::SiteKey key_ = url::SiteKey::kHost;
  std::string fixed_;  // the name, if it is fixed
};

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_SITE_RULE_H_
