#include "synth/plan.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/base/status.h"
#include "core/base/strings.h"

namespace trommel::synth {
namespace {

constexpr int kMaxDays = 3660;
constexpr int kMaxSitesPerEntry = 1000000;
constexpr int64_t kMaxPagesPerSite = 1000000000;

template <typename... Args>
absl::Status Invalid(const Args&... message) {
  return absl::InvalidArgumentError(StrCat(message...));
}

std::string Quoted(std::string_view text) { return StrCat("\"", text, "\""); }

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

absl::StatusOr<absl::CivilDay> ParseStart(const std::string& text) {
  if (text.empty()) return absl::CivilDay(2026, 1, 1);
  absl::CivilDay day;
  if (text.size() != 10 || !absl::ParseCivilTime(text, &day)) {
    return Invalid("start_date ", Quoted(text), ": not a date YYYY-MM-DD");
  }
  return day;
}

absl::Status CheckHost(const proto::Site& site, const std::string& field) {
  const std::string& host = site.host();
  if (host.empty()) return Invalid(field, ".host: missing");
  if (site.count() < 0 || site.count() > kMaxSitesPerEntry) {
    return Invalid(field, ".count ", site.count(), ": not in 0 to ",
                   kMaxSitesPerEntry);
  }
  const bool numbered = host.find("{n}") != std::string::npos;
  if (site.count() > 1 && !numbered) {
    return Invalid(field, ".host ", Quoted(host), ": needs \"{n}\" because ",
                   "count is ", site.count());
  }
  const std::string sample = HostName(site, 1);
  const bool valid = std::all_of(sample.begin(), sample.end(), [](char c) {
    return IsNameCharacter(c) || c == '.';
  });
  if (!valid || sample.front() == '.' || sample.front() == '-' ||
      sample.back() == '.' || sample.find("..") != std::string::npos) {
    return Invalid(field, ".host ", Quoted(host),
                   ": not a host name in lower case");
  }
  return absl::OkStatus();
}

absl::StatusOr<TemplateKind> FindKind(const std::string& name,
                                      const std::string& field) {
  for (int i = 0; i < kNumTemplateKinds; ++i) {
    if (kTemplateKindNames[i] == name) return static_cast<TemplateKind>(i);
  }
  return Invalid(field, ".kind ", Quoted(name), ": unknown; known: ",
                 absl::StrJoin(kTemplateKindNames, ", ",
                               [](std::string* out, std::string_view known) {
                                 out->append(known);
                               }));
}

// Gives every template its share of the pages by weight, the remainder to the
// templates that were cut most (the first ones among equals).
void ShareOut(const std::vector<double>& weights, int64_t pages,
              std::vector<TemplatePlan>* templates) {
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<std::pair<double, size_t>> cut;
  int64_t given = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const double exact = static_cast<double>(pages) * (weights[i] / total);
    const int64_t whole = std::min(static_cast<int64_t>(exact), pages - given);
    (*templates)[i].count = whole;
    given += whole;
    cut.emplace_back(static_cast<double>(whole) - exact, i);
  }
  std::sort(cut.begin(), cut.end());
  for (size_t i = 0; given < pages; i = (i + 1) % cut.size(), ++given) {
    ++(*templates)[cut[i].second].count;
  }
  int64_t first = 0;
  for (TemplatePlan& plan : *templates) {
    plan.first = first;
    first += plan.count;
  }
}

absl::StatusOr<std::vector<Trap>> FindTraps(const proto::Template& entry,
                                            TemplateKind kind,
                                            const Vertical& vertical,
                                            const std::string& field) {
  std::vector<Trap> traps;
  for (int i = 0; i < entry.trap_size(); ++i) {
    const Trap trap = entry.trap(i);
    const std::string trap_field = StrCat(field, ".trap[", i, "]");
    if (trap == proto::Template::TRAP_UNSPECIFIED ||
        !proto::Template::Trap_IsValid(trap)) {
      return Invalid(trap_field, ": missing or unknown");
    }
    if (std::find(traps.begin(), traps.end(), trap) != traps.end()) {
      return Invalid(trap_field, " ", proto::Template::Trap_Name(trap),
                     ": given twice");
    }
    if (kind != TemplateKind::kDetail) {
      return Invalid(trap_field, " ", proto::Template::Trap_Name(trap),
                     ": only templates of kind detail have traps");
    }
    traps.push_back(trap);
  }
  const absl::StatusOr<Traps> laid = Traps::Lay(vertical, traps, /*seed=*/0);
  if (!laid.ok()) return Annotate(laid.status(), StrCat(field, ".trap"));
  return traps;
}

absl::StatusOr<std::vector<TemplatePlan>> PlanTemplates(
    const proto::Site& site, const Vertical& vertical,
    const std::string& site_field) {
  std::vector<TemplatePlan> templates;
  std::vector<double> weights;
  if (site.template_().empty()) {
    templates = {{TemplateKind::kDetail, "detail", 0, 0},
                 {TemplateKind::kList, "list", 0, 0},
                 {TemplateKind::kHelp, "help", 0, 0}};
    weights = {8, 1, 1};
  }
  for (int i = 0; i < site.template_().size(); ++i) {
    const proto::Template& entry = site.template_(i);
    const std::string field = StrCat(site_field, ".template[", i, "]");
    TROMMEL_ASSIGN_OR_RETURN(const TemplateKind kind,
                             FindKind(entry.kind(), field));
    const std::string& name =
        entry.name().empty() ? entry.kind() : entry.name();
    if (!std::all_of(name.begin(), name.end(),
                     [](char c) { return IsNameCharacter(c) || c == '_'; })) {
      return Invalid(field, ".name ", Quoted(name),
                     ": only a-z, 0-9, '-' and '_'");
    }
    for (const TemplatePlan& other : templates) {
      if (other.name == name) {
        return Invalid(field, ".name ", Quoted(name),
                       ": two templates of this site have it");
      }
    }
    if (!(entry.weight() >= 0) || std::isinf(entry.weight())) {
      return Invalid(field, ".weight ", entry.weight(), ": negative or not ",
                     "a number");
    }
    TROMMEL_ASSIGN_OR_RETURN(std::vector<Trap> traps,
                             FindTraps(entry, kind, vertical, field));
    templates.push_back({kind, name, 0, 0, std::move(traps)});
    weights.push_back(entry.weight() == 0 ? 1 : entry.weight());
  }
  ShareOut(weights, site.pages(), &templates);
  return templates;
}

absl::Status CheckChanges(const proto::Site& site,
                          const std::vector<TemplatePlan>& templates,
                          const std::string& site_field) {
  for (int i = 0; i < site.change_size(); ++i) {
    const proto::Change& change = site.change(i);
    const std::string field = StrCat(site_field, ".change[", i, "]");
    if (change.kind() == proto::Change::KIND_UNSPECIFIED ||
        !proto::Change::Kind_IsValid(change.kind())) {
      return Invalid(field, ".kind: missing or unknown");
    }
    if (change.day() < 1) {
      return Invalid(field, ".day ", change.day(),
                     ": must be 1 or later (day 0 is the first)");
    }
    for (const std::string& name : change.template_()) {
      const bool known = std::any_of(
          templates.begin(), templates.end(),
          [&](const TemplatePlan& plan) { return plan.name == name; });
      if (known) continue;
      return Invalid(
          field, ".template ", Quoted(name), ": unknown; known: ",
          absl::StrJoin(templates, ", ",
                        [](std::string* out, const TemplatePlan& plan) {
                          out->append(plan.name);
                        }));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<SitePlan> PlanSite(const proto::Site& site,
                                  const std::string& field) {
  TROMMEL_RETURN_IF_ERROR(CheckHost(site, field));
  SitePlan plan;
  plan.vertical = FindVertical(site.vertical());
  if (plan.vertical == nullptr) {
    return Invalid(field, ".vertical ", Quoted(site.vertical()),
                   ": unknown; known: ",
                   absl::StrJoin(Verticals(), ", ",
                                 [](std::string* out, const Vertical& known) {
                                   out->append(known.name);
                                 }));
  }
  if (site.pages() < 1 || site.pages() > kMaxPagesPerSite) {
    return Invalid(field, ".pages ", site.pages(), ": not in 1 to ",
                   kMaxPagesPerSite);
  }
  if (!(site.daily_turnover() >= 0 && site.daily_turnover() <= 1)) {
    return Invalid(field, ".daily_turnover ", site.daily_turnover(),
                   ": not in 0 to 1");
  }
  TROMMEL_ASSIGN_OR_RETURN(plan.templates,
                           PlanTemplates(site, *plan.vertical, field));
  TROMMEL_RETURN_IF_ERROR(CheckChanges(site, plan.templates, field));
  plan.num_sites = std::max(1, site.count());
  plan.pages_per_site = site.pages();
  return plan;
}

}  // namespace

std::string HostName(const proto::Site& site, int64_t number) {
  return absl::StrReplaceAll(site.host(), {{"{n}", StrCat(number)}});
}

absl::StatusOr<WebPlan> MakePlan(const proto::WebSpec& spec) {
  WebPlan plan;
  plan.spec = spec;
  TROMMEL_ASSIGN_OR_RETURN(plan.start, ParseStart(spec.start_date()));
  if (spec.days() < 0 || spec.days() > kMaxDays) {
    return Invalid("days ", spec.days(), ": not in 0 to ", kMaxDays);
  }
  plan.num_days = std::max(1, spec.days());
  if (spec.site().empty()) return Invalid("site: none given");
  plan.num_pages = 0;
  absl::flat_hash_set<std::string> hosts;
  for (int i = 0; i < spec.site_size(); ++i) {
    const std::string field = StrCat("site[", i, "]");
    TROMMEL_ASSIGN_OR_RETURN(SitePlan site, PlanSite(spec.site(i), field));
    for (int64_t n = 1; n <= site.num_sites; ++n) {
      std::string host = HostName(spec.site(i), n);
      if (!hosts.insert(host).second) {
        return Invalid(field, ".host ", Quoted(host), ": given twice");
      }
    }
    site.first_page = plan.num_pages;
    plan.num_pages += site.num_sites * site.pages_per_site;
    plan.sites.push_back(std::move(site));
  }
  return plan;
}

}  // namespace trommel::synth
