#include "core/rule/rule_index.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/literal_prefix.h"

namespace trommel::rule {
namespace {

constexpr char kAnyUrl[] = "(?s).*";

// Of the automaton of a site's patterns. It grows as URLs need it, is thrown
// away and begun anew when it is full, and there is one per site.
constexpr int64_t kMaxAutomatonBytes = int64_t{2} << 20;

absl::Status AboutRule(const absl::Status& status, const proto::Rule& rule) {
  return Annotate(status, StrCat("rule of cluster ", rule.cluster_id(), " of ",
                                 Printable(rule.site())));
}

std::string CommonPrefix(const std::vector<LiteralPrefix>& prefixes) {
  if (prefixes.empty()) return "";
  std::string common = prefixes[0].text;
  for (const LiteralPrefix& prefix : prefixes) {
    common.erase(std::mismatch(common.begin(), common.end(),
                               prefix.text.begin(), prefix.text.end())
                     .first,
                 common.end());
  }
  return common;
}

absl::StatusOr<cluster::Template> TemplateOf(const proto::Rule& rule) {
  cluster::Template tmpl;
  for (const proto::Signature& signature : rule.signature()) {
    TROMMEL_ASSIGN_OR_RETURN(
        const signature::MaskedVector vector,
        signature::MaskedVector::Parse(signature.signature()));
    tmpl.signatures.push_back({vector, signature.importance(), 0});
  }
  if (!rule.sketch().empty()) {
    TROMMEL_ASSIGN_OR_RETURN(tmpl.sketch,
                             cluster::TypicalSketch::Decode(rule.sketch()));
  }
  return tmpl;
}

}  // namespace

// The automaton of all patterns, and each alone for when it will not do.
//
// The patterns of a site begin alike, with its host at least. That part is
// compared as text: a step of the automaton is a look into memory that pages of
// many sites in turn never find in the cache.
struct SiteRules::Patterns {
  std::string prefix;  // of all
  // Of what follows it.
  std::vector<std::unique_ptr<const RE2>> each;
  std::unique_ptr<RE2::Set> together;

  void Match(std::string_view whole_url, std::vector<size_t>* found) const {
    if (whole_url.substr(0, prefix.size()) != prefix) return;
    const re2::StringPiece url(whole_url.data() + prefix.size(),
                               whole_url.size() - prefix.size());
    if (together != nullptr) {
      std::vector<int> indices;
      RE2::Set::ErrorInfo error{RE2::Set::kNoError};
      if (together->Match(url, &indices, &error) ||
          error.kind == RE2::Set::kNoError) {
        found->assign(indices.begin(), indices.end());
        std::sort(found->begin(), found->end());
        return;
      }
    }
    for (size_t i = 0; i < each.size(); ++i) {
      if (RE2::FullMatch(url, *each[i])) found->push_back(i);
    }
  }
};

SiteRules::SiteRules(std::vector<size_t> places,
                     cluster::SiteTemplates templates,
                     std::unique_ptr<const Patterns> patterns)
    : places_(std::move(places)),
      templates_(std::move(templates)),
      patterns_(std::move(patterns)) {}
SiteRules::SiteRules(SiteRules&&) noexcept = default;
SiteRules& SiteRules::operator=(SiteRules&&) noexcept = default;
SiteRules::~SiteRules() = default;

absl::StatusOr<SiteRules> SiteRules::Create(const proto::RuleSet& rules,
                                            std::vector<size_t> places) {
  const auto rule_at = [&](size_t place) -> const proto::Rule& {
    return rules.rule(static_cast<int>(place));
  };
  std::sort(places.begin(), places.end(), [&](size_t a, size_t b) {
    const proto::Rule& x = rule_at(a);
    const proto::Rule& y = rule_at(b);
    return x.importance() != y.importance() ? x.importance() > y.importance()
                                            : x.cluster_id() < y.cluster_id();
  });
  auto patterns = std::make_unique<Patterns>();
  std::vector<LiteralPrefix> prefixes;
  for (const size_t place : places) {
    prefixes.push_back(LiteralPrefixOf(rule_at(place).url_regex()));
  }
  patterns->prefix = CommonPrefix(prefixes);
  std::vector<cluster::Template> templates;
  RE2::Options options;
  options.set_log_errors(false);
  RE2::Options set_options = options;
  set_options.set_max_mem(kMaxAutomatonBytes);
  auto together =
      std::make_unique<RE2::Set>(set_options, RE2::Anchor::ANCHOR_BOTH);
  bool all_added = true;
  for (size_t i = 0; i < places.size(); ++i) {
    const proto::Rule& rule = rule_at(places[i]);
    absl::StatusOr<cluster::Template> tmpl = TemplateOf(rule);
    if (!tmpl.ok()) return AboutRule(tmpl.status(), rule);
    templates.push_back(*std::move(tmpl));
    const size_t prefix = patterns->prefix.size();
    const std::string pattern =
        rule.url_regex().empty()
            ? kAnyUrl
            : rule.url_regex().substr(
                  prefix == 0 ? 0 : prefixes[i].ends[prefix - 1]);
    auto regex = std::make_unique<const RE2>(pattern, options);
    if (!regex->ok()) {
      return AboutRule(absl::InvalidArgumentError(
                           StrCat("its URL pattern: ", regex->error())),
                       rule);
    }
    patterns->each.push_back(std::move(regex));
    all_added = all_added && together->Add(pattern, nullptr) >= 0;
  }
  if (all_added && places.size() > 1 && together->Compile()) {
    patterns->together = std::move(together);
  }
  return SiteRules(std::move(places),
                   cluster::SiteTemplates(std::move(templates)),
                   std::move(patterns));
}

void SiteRules::MatchUrl(std::string_view url,
                         std::vector<size_t>* rules) const {
  rules->clear();
  std::string text;
  AppendUtf8Lossy(url, &text);
  patterns_->Match(text, rules);
  for (size_t& rule : *rules) rule = places_[rule];
}

std::optional<RuleMatch> SiteRules::Match(
    const signature::PageSignature& page,
    const std::vector<size_t>& candidates) const {
  const std::optional<cluster::Placement> placement = templates_.Place(page);
  if (!placement.has_value()) return std::nullopt;
  const size_t rule = places_[placement->place];
  if (std::find(candidates.begin(), candidates.end(), rule) ==
      candidates.end()) {
    return std::nullopt;
  }
  return RuleMatch{rule, placement->by};
}

absl::StatusOr<RuleIndex> RuleIndex::Create(proto::RuleSet rules) {
  RuleIndex index;
  std::set<std::string_view> clusters;
  for (int i = 0; i < rules.rule_size(); ++i) {
    const proto::Rule& rule = rules.rule(i);
    if (!clusters.insert(rule.cluster_id()).second) {
      return AboutRule(absl::InvalidArgumentError("there are two"), rule);
    }
    const proto::Rule& first = rules.rule(0);
    if (rule.site_key() != first.site_key() ||
        rule.shingle_length() != first.shingle_length()) {
      return AboutRule(
          absl::InvalidArgumentError(
              StrCat("made with site_key ", rule.site_key(),
                     ", shingle_length ", rule.shingle_length(),
                     ", but that of cluster ", first.cluster_id(), " with ",
                     first.site_key(), ", ", first.shingle_length())),
          rule);
    }
    if (rule.shingle_length() < signature::kMinShingleLength ||
        rule.shingle_length() > signature::kMaxShingleLength) {
      return AboutRule(absl::InvalidArgumentError(
                           StrCat("shingle_length ", rule.shingle_length())),
                       rule);
    }
    index.sites_[rule.site()].places.push_back(static_cast<size_t>(i));
  }
  index.rules_ = std::move(rules);
  return index;
}

absl::StatusOr<const SiteRules*> RuleIndex::Find(std::string_view site) {
  const auto found = sites_.find(site);
  if (found == sites_.end()) return nullptr;
  Site& entry = found->second;
  if (!entry.compiled.has_value()) {
    TROMMEL_ASSIGN_OR_RETURN(entry.compiled,
                             SiteRules::Create(rules_, entry.places));
  }
  return &*entry.compiled;
}

absl::Status RuleIndex::Check() const {
  for (const auto& [name, site] : sites_) {
    TROMMEL_RETURN_IF_ERROR(SiteRules::Create(rules_, site.places).status());
  }
  return absl::OkStatus();
}

}  // namespace trommel::rule
