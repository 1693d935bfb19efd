#ifndef TROMMEL_TESTS_CORE_MONITOR_SIMULATED_SITE_H_
#define TROMMEL_TESTS_CORE_MONITOR_SIMULATED_SITE_H_

// A site night after night, as crawls see it: pages come and go, some fail,
// weekends are smaller, some values change. It is judged as `compare` does it,
// without pages and tables.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/monitor/delivery.h"
#include "core/monitor/delivery_verdict.h"

namespace trommel::testing_support {

// What happens to a site every night, and is nothing that people should hear
// of.
struct SiteHabits {
  int64_t pages = 100;
  size_t attributes = 8;
  double turnover = 0.02;   // share of pages that others take the place of
  double away = 0;          // share of pages that are not found tonight
  double failing = 0.02;    // share of pages without a record, any pages
  double weekend = 1;       // share of pages that weekends have
  double growth = 0;        // of the number of pages, each night
  int doubling_night = -1;  // the site has twice as many pages from then on
  double fill_drift = 0;    // share of values that go for good, each night
  double flicker = 0.0005;  // share of values that are missed tonight only
  double other_rule = 0.4;  // share of pages that are of the second rule
};

// What goes wrong on one night.
struct Accident {
  double lost_values = 0;    // share of the pages with the attribute
  double lost_pages = 0;     // share of the crawl
  bool has_no_rule = false;  // the second rule finds nothing
  bool is_refused = false;   // pages are answered with an error
  std::string replacement;   // of all values of the attribute
  size_t attribute = 0;
};

class SimulatedSite {
 public:
  using Found = std::set<std::string>;  // "fill_drop of 3", "site_missing"

  SimulatedSite(const SiteHabits& habits, uint64_t seed)
      : habits_(habits),
        random_(seed),
        attribute_histories_(habits.attributes) {
    for (size_t k = 0; k < habits.attributes; ++k) {
      // The first ones are mandatory, the others have any share of the pages.
      fill_.push_back(k < 2 ? 1.0 : 0.6 + 0.4 * random_.Unit());
    }
    for (int64_t i = 0; i < habits.pages; ++i) AddPage();
  }

  // Goes on to the next night, judges it, and makes it a day before.
  Found Night(const Accident& accident = {}) {
    const Nightly tonight = Crawl(accident);
    const Found found = Judge(tonight);
    Keep(tonight, found);
    ++night_;
    Age();
    return found;
  }
  // Only judges what the night would be with an accident.
  Found Try(const Accident& accident) { return Judge(Crawl(accident)); }

  double fill(size_t attribute) const { return fill_[attribute]; }
  size_t num_attributes() const { return fill_.size(); }

 private:
  struct SimulatedPage {
    int64_t id = 0;
    std::vector<bool> has;  // by attribute
  };
  // What is delivered: of the site, its rules, its attributes.
  struct Nightly {
    monitor::Delivery site;
    std::vector<monitor::Delivery> rules;
    std::vector<monitor::Delivery> attributes;
  };

  void AddPage() {
    SimulatedPage page{next_id_++, {}};
    for (const double fill : fill_) page.has.push_back(random_.Chance(fill));
    pages_.push_back(std::move(page));
  }

  void Age() {
    const auto count = static_cast<double>(pages_.size());
    for (SimulatedPage& page : pages_) {
      for (size_t k = 2; k < page.has.size(); ++k) {
        if (random_.Chance(habits_.fill_drift)) page.has[k] = false;
      }
    }
    int64_t added = 0;
    for (size_t i = 0; i < pages_.size();) {
      if (random_.Chance(habits_.turnover)) {
        pages_[i] = std::move(pages_.back());
        pages_.pop_back();
        ++added;
      } else {
        ++i;
      }
    }
    for (double grown = habits_.growth * count; grown >= 1; --grown) ++added;
    if (night_ == habits_.doubling_night) added += static_cast<int64_t>(count);
    for (int64_t i = 0; i < added; ++i) AddPage();
    for (double gone = -habits_.growth * count; gone >= 1; --gone) {
      pages_.pop_back();
    }
  }

  // A value of the attribute: some are the same every day, some are not.
  std::string Value(int64_t id, size_t attribute) const {
    const auto number = [&](std::string_view what, uint64_t below) {
      return Hash64(StrCat(what, " ", attribute, " ", id), 77) % below;
    };
    switch (attribute % 8) {
      case 0:
        return StrCat("The ", number("title", 1000000), " Things of ", id);
      case 1:  // another price every day
        return StrCat("$", 10 + number(StrCat(night_), 90), ".99");
      case 2: {
        constexpr const char* kCategories[] = {"Toys", "Books", "Garden tools",
                                               "Music", "Home & Kitchen"};
        return kCategories[number("category", 5)];
      }
      case 3:
        return StrCat(1 + number("day", 28), " May ",
                      1990 + number("year", 30));
      case 4:
        return std::string(20 + number("length", 300), 'x');
      case 5:  // changes on one page in twenty
        return number(StrCat("stock", night_), 20) == 0 ? "3 left" : "In stock";
      case 6:  // goes up and down on one page in fifty
        return StrCat(number("price", 300) +
                          (number(StrCat("new", night_), 50) == 0 ? 1 : 0),
                      ",00 EUR");
      default:
        return StrCat(number("rating", 5), ".", number("tenth", 10));
    }
  }

  // The pages that are crawled tonight.
  std::vector<const SimulatedPage*> Crawled(const Accident& accident) {
    std::vector<const SimulatedPage*> crawled;
    for (const SimulatedPage& page : pages_) {
      if (!random_.Chance(habits_.away)) crawled.push_back(&page);
    }
    Shuffle(&crawled);
    const bool is_weekend = night_ % 7 >= 5;
    const double share =
        (is_weekend ? habits_.weekend : 1.0) * (1 - accident.lost_pages);
    crawled.resize(
        static_cast<size_t>(share * static_cast<double>(crawled.size()) + 0.5));
    return crawled;
  }

  template <typename T>
  void Shuffle(std::vector<T>* items) {
    for (size_t i = items->size(); i > 1; --i) {
      std::swap((*items)[i - 1], (*items)[random_.Below(i)]);
    }
  }

  size_t RuleOf(const SimulatedPage& page) const {
    return Hash64(StrCat("rule ", page.id)) % 1000 <
                   static_cast<uint64_t>(1000 * habits_.other_rule)
               ? 1
               : 0;
  }

  Nightly Crawl(const Accident& accident) {
    Nightly tonight;
    tonight.rules.resize(2);
    tonight.attributes.resize(fill_.size());
    monitor::ValueSummary pages;
    std::vector<monitor::ValueSummary> values(fill_.size());
    const std::vector<const SimulatedPage*> crawled = Crawled(accident);
    std::set<int64_t> without = WithoutValue(crawled, accident);
    for (const SimulatedPage* const page : crawled) {
      const std::string url = StrCat("http://site/", page->id);
      ++tonight.site.pages;
      if (accident.is_refused) {
        ++tonight.site.refused;
        pages.AddRecord(url, 0, {});
        continue;
      }
      monitor::Delivery& rule = tonight.rules[RuleOf(*page)];
      ++tonight.site.placed;
      ++rule.pages;
      ++rule.placed;
      if (random_.Chance(habits_.failing) ||
          (accident.has_no_rule && RuleOf(*page) == 1)) {
        pages.AddRecord(url, 0, {});
        continue;
      }
      ++tonight.site.records;
      ++rule.records;
      pages.AddRecord(url, 0, {"a page"});
      for (size_t k = 0; k < fill_.size(); ++k) {
        std::string value;
        if (page->has[k] && !(k >= 2 && random_.Chance(habits_.flicker)) &&
            !(k == accident.attribute && without.count(page->id) > 0)) {
          value = k == accident.attribute && !accident.replacement.empty()
                      ? accident.replacement
                      : Value(page->id, k);
        }
        values[k].AddRecord(url, 0, {value});
      }
    }
    tonight.site.sample = monitor::SampleOf(pages);
    for (size_t k = 0; k < fill_.size(); ++k) {
      monitor::Delivery& attribute = tonight.attributes[k];
      attribute.records = values[k].records;
      attribute.filled = values[k].filled;
      attribute.sample = monitor::SampleOf(values[k]);
      attribute.values = std::move(values[k]);
    }
    return tonight;
  }

  // Some of the pages with the attribute of an accident; at least as many as
  // the share says.
  std::set<int64_t> WithoutValue(
      const std::vector<const SimulatedPage*>& crawled,
      const Accident& accident) const {
    std::vector<int64_t> with;
    for (const SimulatedPage* const page : crawled) {
      if (page->has[accident.attribute]) with.push_back(page->id);
    }
    const double wanted =
        accident.lost_values * static_cast<double>(with.size());
    size_t count = static_cast<size_t>(wanted);
    if (static_cast<double>(count) < wanted) ++count;
    with.resize(std::min(count, with.size()));
    return {with.begin(), with.end()};
  }

  Found Judge(Nightly tonight) const {
    Found found;
    tonight.site.match = history_.Match(tonight.site.sample);
    tonight.site.state =
        monitor::JudgeDay(tonight.site, history_.good_days(), false);
    AddNames(monitor::JudgeSiteDelivery(tonight.site, history_, ""), "",
             &found);
    if (tonight.site.state != monitor::DayState::kGood) return found;
    if (found.empty()) {
      for (size_t i = 0; i < tonight.rules.size(); ++i) {
        AddNames(
            monitor::JudgeRuleDelivery(tonight.rules[i], rule_histories_[i],
                                       tonight.site, history_),
            StrCat(" of rule ", i), &found);
      }
    }
    for (size_t k = 0; k < tonight.attributes.size(); ++k) {
      monitor::Delivery& attribute = tonight.attributes[k];
      attribute.match = attribute_histories_[k].Match(attribute.sample);
      AddNames(
          monitor::JudgeAttributeDelivery(attribute, attribute_histories_[k]),
          StrCat(" of ", k), &found);
    }
    return found;
  }

  static void AddNames(const std::vector<monitor::DeliveryFinding>& findings,
                       const std::string& suffix, Found* found) {
    for (const monitor::DeliveryFinding& finding : findings) {
      found->insert(StrCat(monitor::DeliveryFindingName(finding.kind), suffix));
    }
  }

  void Keep(Nightly tonight, const Found& found) {
    const auto keep = [&](const std::string& suffix, monitor::Delivery day,
                          monitor::DeliveryHistory* history) {
      day.match = history->Match(day.sample);
      day.state = tonight.site.state;
      day.date = StrCat("2026-", 100000 + night_);
      for (const std::string& name : found) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) {
          day.found.push_back(name.substr(0, name.size() - suffix.size()));
        }
      }
      day.sample = *monitor::DecodeSample(
          monitor::EncodeSample(history->KeptSample(std::move(day.sample))));
      day.values.sample.clear();
      day.values.blank_sample.clear();
      history->Add(std::move(day));
    };
    tonight.site.state =
        monitor::JudgeDay(tonight.site, history_.good_days(), false);
    for (size_t i = 0; i < tonight.rules.size(); ++i) {
      keep(StrCat(" of rule ", i), tonight.rules[i], &rule_histories_[i]);
    }
    for (size_t k = 0; k < tonight.attributes.size(); ++k) {
      keep(StrCat(" of ", k), tonight.attributes[k], &attribute_histories_[k]);
    }
    keep("", tonight.site, &history_);
  }

  const SiteHabits habits_;
  Random random_;
  std::vector<double> fill_;
  std::vector<SimulatedPage> pages_;
  int64_t next_id_ = 0;
  int night_ = 0;
  monitor::DeliveryHistory history_;
  monitor::DeliveryHistory rule_histories_[2];
  std::vector<monitor::DeliveryHistory> attribute_histories_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_CORE_MONITOR_SIMULATED_SITE_H_
