#include "synth/generator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "synth/changes.h"
#include "synth/page.h"
#include "synth/plan.h"
#include "synth/prose.h"
#include "synth/traps.h"
#include "synth/words.h"

// Which page is where. The index of a page is split into entry of the spec,
// site of the entry, template of the site, and slot of the template. A slot
// holds a page; turnover puts a new page into it.
//
// Turnover. On every day from 1 on, m = round(turnover * slots) slots get a
// new page: those of a window that moves by m each day over the slots in a
// scattered order, so the pages that have been there longest go first and the
// share is exact. Which day a slot was last renewed is then found by looking
// back over the days.

namespace trommel::synth {
namespace {

// A site of the web on a day.
struct SiteView {
  const proto::Site& spec;
  const SitePlan& plan;
  std::string host;
  uint64_t seed;
  SiteTraits traits;
  int day;
};

Traps TrapsOf(const SiteView& site, const TemplatePlan& plan) {
  // That they can be laid was found when the web was planned.
  return Traps::Lay(*site.plan.vertical, plan.traps,
                    Hash64(plan.name, site.seed))
      .value();
}

// What stands in a slot of a template: the seed of its entity or page, and the
// number in its URL.
struct Occupant {
  uint64_t seed;
  uint64_t number;
};

int LastRenewal(const SiteView& site, int64_t slots, int64_t slot) {
  const int64_t renewed =
      std::llround(site.spec.daily_turnover() * static_cast<double>(slots));
  if (renewed == 0) return 0;
  // A stride near the golden section of the slots, made coprime to them.
  int64_t stride = std::max<int64_t>(1, slots * 618 / 1000);
  while (std::gcd(stride, slots) != 1) ++stride;
  const int64_t position = static_cast<int64_t>(
      static_cast<unsigned __int128>(slot) * static_cast<uint64_t>(stride) %
      static_cast<uint64_t>(slots));
  for (int day = site.day; day >= 1; --day) {
    const int64_t window = static_cast<int64_t>(
        static_cast<unsigned __int128>(day - 1) *
        static_cast<uint64_t>(renewed) % static_cast<uint64_t>(slots));
    const int64_t offset = (position - window + slots) % slots;
    if (offset < renewed) return day;
  }
  return 0;
}

Occupant OccupantOf(const SiteView& site, const TemplatePlan& plan,
                    int64_t slot) {
  const bool detail = plan.kind == TemplateKind::kDetail;
  const int renewal = detail ? LastRenewal(site, plan.count, slot) : 0;
  const uint64_t serial =
      static_cast<uint64_t>(renewal) * static_cast<uint64_t>(plan.count) +
      static_cast<uint64_t>(slot);
  Occupant occupant;
  occupant.seed = Mix64(Hash64(plan.name, site.seed) + serial * 0x9E3779B9u);
  if (plan.kind == TemplateKind::kList) {
    occupant.number = serial;  // Split into category and page by the URL.
  } else {
    // Numbers rise with gaps, as those of real databases.
    occupant.number = 1000 + site.seed % 90000 + serial * 7 + occupant.seed % 7;
  }
  return occupant;
}

std::string_view PathPrefix(const TemplatePlan& plan) {
  const bool named =
      plan.name != kTemplateKindNames[static_cast<int>(plan.kind)];
  return named ? std::string_view(plan.name) : std::string_view();
}

// The records of a list page: neighbouring slots of the site's first detail
// template, or things without a page of their own where there is none.
void ListEntities(const SiteView& site, const TemplatePlan& list, int64_t slot,
                  std::vector<PageEntity>* entities) {
  const TemplatePlan* source = &list;
  for (const TemplatePlan& plan : site.plan.templates) {
    if (plan.kind == TemplateKind::kDetail && plan.count > 0) {
      source = &plan;
      break;
    }
  }
  const bool linked = source != &list;
  const Traps traps = TrapsOf(site, *source);
  int64_t size = 10 + static_cast<int64_t>(site.seed / 7 % 8);
  if (linked) size = std::min(size, source->count);
  for (int64_t i = 0; i < size; ++i) {
    const int64_t position = slot * size + i;
    Occupant occupant;
    if (linked) {
      occupant = OccupantOf(site, *source, position % source->count);
    } else {
      occupant.seed = Mix64(Hash64("listed", site.seed) +
                            static_cast<uint64_t>(position) * 0x9E3779B9u);
      occupant.number = 1000 + static_cast<uint64_t>(position);
    }
    PageEntity item;
    item.entity = MakeEntity(*site.plan.vertical, site.traits, occupant.seed);
    traps.ChangeValues(*site.plan.vertical, site.traits, &item.entity);
    AppendPath(*site.plan.vertical, site.traits,
               {TemplateKind::kDetail,
                linked ? PathPrefix(*source) : std::string_view(),
                occupant.number, item.entity.headline()},
               &item.path);
    entities->push_back(std::move(item));
  }
}

std::string TitleOf(const SiteView& site, const TemplatePlan& plan,
                    const Occupant& occupant) {
  const Vertical& vertical = *site.plan.vertical;
  Random random(occupant.seed);
  std::string title;
  switch (plan.kind) {
    case TemplateKind::kDetail:
    case TemplateKind::kReview:
      return MakeHeadline(vertical, site.traits, occupant.seed);
    case TemplateKind::kList: {
      const uint64_t categories = std::size(vertical.categories);
      return StrCat(EntryAt(vertical.categories, occupant.number), ", page ",
                    occupant.number / categories + 1);
    }
    case TemplateKind::kSeller:
      AppendCompany(&random, &title);
      return title;
    case TemplateKind::kHelp:
      return std::string(Pick(Words().headline(), &random));
    case TemplateKind::kSearch: {
      const std::string& noun = Pick(Words().noun(), &random);
      return StrCat(Pick(Words().adjective(), &random), " ", noun);
    }
    case TemplateKind::kCart:
      return "Shopping Cart";
    case TemplateKind::kArticle:
      AppendTitle(&random, &title);
      return title;
  }
  return title;
}

}  // namespace

WebGenerator::WebGenerator(WebPlan plan)
    : plan_(std::make_shared<const WebPlan>(std::move(plan))) {
  for (const Vertical& vertical : Verticals()) {
    const bool used = std::any_of(
        plan_->sites.begin(), plan_->sites.end(),
        [&](const SitePlan& site) { return site.vertical == &vertical; });
    if (used) schemas_.push_back(vertical.schema);
  }
}

absl::StatusOr<WebGenerator> WebGenerator::Create(const proto::WebSpec& spec) {
  TROMMEL_ASSIGN_OR_RETURN(WebPlan plan, MakePlan(spec));
  return WebGenerator(std::move(plan));
}

int WebGenerator::num_days() const { return plan_->num_days; }

std::string WebGenerator::DayName(int day) const {
  return absl::FormatCivilTime(plan_->start + day);
}

int64_t WebGenerator::NumPages(int) const { return plan_->num_pages; }

void WebGenerator::Generate(int day, int64_t index, GeneratedPage* page) const {
  const auto entry = std::prev(std::upper_bound(
      plan_->sites.begin(), plan_->sites.end(), index,
      [](int64_t at, const SitePlan& site) { return at < site.first_page; }));
  const proto::Site& spec =
      plan_->spec.site(static_cast<int>(entry - plan_->sites.begin()));
  const int64_t in_entry = index - entry->first_page;
  const int64_t in_site = in_entry % entry->pages_per_site;
  const std::string host = HostName(spec, in_entry / entry->pages_per_site + 1);
  const uint64_t seed = Hash64(host, plan_->spec.seed());
  const SiteView site{spec, *entry, host, seed, MakeTraits(seed), day};
  const auto found =
      std::find_if(entry->templates.begin(), entry->templates.end(),
                   [&](const TemplatePlan& candidate) {
                     return in_site < candidate.first + candidate.count;
                   });
  const TemplatePlan& plan = *found;
  const int64_t slot = in_site - plan.first;
  const Occupant occupant = OccupantOf(site, plan, slot);

  PagePlan page_plan{
      .vertical = entry->vertical,
      .traits = site.traits,
      .host = site.host,
      .kind = plan.kind,
      .template_name = plan.name,
      .state = StateOn(spec, plan.name, day),
      .page_seed = occupant.seed,
      .day_seed = Mix64(occupant.seed + static_cast<uint64_t>(day) + 1),
      .title = TitleOf(site, plan, occupant),
      .entities = {},
      .traps = TrapsOf(site, plan)};
  if (plan.kind == TemplateKind::kDetail) {
    page_plan.entities.push_back(
        {MakeEntity(*entry->vertical, site.traits, occupant.seed), ""});
    page_plan.traps.ChangeValues(*entry->vertical, site.traits,
                                 &page_plan.entities.back().entity);
  } else if (plan.kind == TemplateKind::kList) {
    ListEntities(site, plan, slot, &page_plan.entities);
  }

  page->url = seed % 3 == 0 ? "https://" : "http://";
  page->url.append(host);
  AppendPath(*entry->vertical, site.traits,
             {plan.kind, PathPrefix(plan), occupant.number, page_plan.title},
             &page->url);
  page->site = host;
  page->template_name = plan.name;
  page->charset = CharsetName(site.traits);
  constexpr int64_t kMillisecondsPerDay = 86400000;
  const int64_t days_since_1970 =
      (plan_->start + day) - absl::CivilDay(1970, 1, 1);
  page->fetch_time_ms =
      days_since_1970 * kMillisecondsPerDay +
      static_cast<int64_t>(page_plan.day_seed % kMillisecondsPerDay);
  RenderPage(page_plan, page);
}

}  // namespace trommel::synth
