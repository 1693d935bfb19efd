#include "jobs/tables/site_rule.h"

#include "core/base/strings.h"

namespace trommel::jobs::tables {

SiteRule SiteRule::Fixed(std::string_view site) {
  SiteRule rule;
  rule.fixed_ = site;
  return rule;
}

absl::StatusOr<SiteRule> SiteRule::FromTable(std::string_view key,
                                             std::string_view site) {
  SiteRule rule;
  if (key == "host") return rule;
  if (key == "registered_domain") {
    rule.key_ = url::SiteKey::kRegisteredDomain;
    return rule;
  }
  if (key == "fixed" && !site.empty()) return Fixed(site);
  if (key == "fixed") {
    return absl::InvalidArgumentError("site_key \"fixed\" without a site");
  }
  return absl::InvalidArgumentError(StrCat(
      "site_key \"", key, "\" is none of host, registered_domain and fixed"));
}

std::string_view SiteRule::key() const {
  if (!fixed_.empty()) return "fixed";
  return key_ == url::SiteKey::kHost ? "host" : "registered_domain";
}

std::string SiteRule::ClusterFlag() const {
  if (!fixed_.empty()) return StrCat("--site=", fixed_);
  return key_ == url::SiteKey::kHost ? "" : StrCat("--site-key=", key());
}

std::string SiteRule::SiteOf(std::string_view url) const {
  return fixed_.empty() ? url::SiteOf(url, key_) : fixed_;
}

}  // namespace trommel::jobs::tables
