#ifndef TROMMEL_CORE_RULE_RULE_INDEX_H_
#define TROMMEL_CORE_RULE_RULE_INDEX_H_

// Which rule a page meets (section IV-A of the Vertex paper).
//
//   TROMMEL_ASSIGN_OR_RETURN(RuleIndex index, RuleIndex::Create(rules));
//   TROMMEL_ASSIGN_OR_RETURN(const SiteRules* site, index.Find(name));
//   if (site == nullptr) ...                      // no rule
//   site->MatchUrl(url, &candidates);
//   if (candidates.empty()) ...                   // no URL match
//   const std::optional<RuleMatch> match =
//       site->Match(*signer.Sign(content, charset), candidates);
//   if (!match.has_value()) ...                   // no template
//
// From cheap to dear: the site is a look-up, the URL one pass of an automaton
// over all patterns of the site, and only a page that comes through both is
// scanned for its signature. What a page costs does not grow with the rules of
// other sites.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/cluster/placement.h"
#include "core/signature/page_signature.h"
#include "proto/rule.pb.h"

namespace trommel::rule {

struct RuleMatch {
  size_t rule;  // its place among those the index was made of
  cluster::PlacedBy by;
};

// The rules of one site. Does not change; may be used by several threads.
class SiteRules {
 public:
  // `places` are those of the site among all rules. InvalidArgument names the
  // cluster whose pattern, signature or sketch is none.
  static absl::StatusOr<SiteRules> Create(const proto::RuleSet& rules,
                                          std::vector<size_t> places);
  SiteRules(SiteRules&&) noexcept;
  SiteRules& operator=(SiteRules&&) noexcept;
  ~SiteRules();

  // The rules whose URL pattern matches the whole URL, the more important
  // first. Bytes that are not UTF-8 count as U+FFFD, as in tables. A rule
  // without a pattern matches any URL.
  void MatchUrl(std::string_view url, std::vector<size_t>* rules) const;

  // The rule of the template that the page is of, if that is one of
  // `candidates`, which are from MatchUrl(). The page is placed among all
  // templates of the site that have rules: one that is more like the page than
  // any candidate keeps the page from them.
  std::optional<RuleMatch> Match(const signature::PageSignature& page,
                                 const std::vector<size_t>& candidates) const;

 private:
  struct Patterns;
  SiteRules(std::vector<size_t> places, cluster::SiteTemplates templates,
            std::unique_ptr<const Patterns> patterns);

  std::vector<size_t> places_;  // by importance; of templates and patterns
  cluster::SiteTemplates templates_;
  std::unique_ptr<const Patterns> patterns_;
};

// The rules of all sites. What belongs to a site is compiled when the site is
// first asked for, so loading many rules for a few pages is cheap. For one
// thread.
class RuleIndex {
 public:
  // InvalidArgument where a cluster has two rules, and where rules differ in
  // how pages are assigned to sites or signed.
  static absl::StatusOr<RuleIndex> Create(proto::RuleSet rules);

  const proto::RuleSet& rules() const { return rules_; }

  // Null for a site without rules.
  absl::StatusOr<const SiteRules*> Find(std::string_view site);

  // Whether all sites compile; keeps nothing.
  absl::Status Check() const;

 private:
  struct Site {
    std::vector<size_t> places;
    std::optional<SiteRules> compiled;
  };

  proto::RuleSet rules_;
  std::map<std::string, Site, std::less<>> sites_;
};

}  // namespace trommel::rule

#endif  // TROMMEL_CORE_RULE_RULE_INDEX_H_
