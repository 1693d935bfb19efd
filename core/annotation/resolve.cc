#include "core/annotation/resolve.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/links.h"
#include "core/html/parser.h"
#include "core/html/text.h"
#include "core/url/url.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"

// Which of the places that say a value is the attribute.
//
// A director who also acted stands twice on a page, a publication year is also
// part of an address. What tells the attribute from a coincidence is that the
// template puts it in the same kind of place on every page, while coincidences
// differ. So the values of one attribute are resolved together: places are
// described, and one description is looked for that explains as many of the
// values as possible.
//
// A place is described in four ways, the most telling first:
//
//   - the text in front of it, and the element that contains it: "Price:", b
//   - its path from the root with ids and classes, without positions
//   - the last three elements of that path
//   - its path from the root with positions: /html[1]/body[1]/div[2]/b[1]
//
// One alone may fail on some page: positions shift where a section is missing,
// classes tell odd rows from even ones, labels are missing. Descriptions are
// compared by
//
//   1. the number of values they explain by nodes that no other place of the
//      value fits better: where a page has a value as a text of its own, that
//      it is part of a longer text elsewhere explains little,
//   2. the number of values they explain at all,
//   3. how well the values fit the nodes (whole before part),
//   4. the number of other nodes on the annotated pages that fit the same
//      description and say none of the values, fewer being better,
//   5. the same for the places' paths with ids and classes, which tells an
//      <h1> from one <li> of many where the description itself has positions,
//   6. the order above.
//
// The best one decides for the values it explains; then the next best for the
// rest, until each value has its place. Rule learning makes the final judgement
// of what the nodes have in common; this gives it nodes that have something.
//
// Before that, what the template itself says is set aside: a place whose path
// has the same text on nearly all pages of the sample is an entry of a menu or
// a label, even if it is one that happens to be the value. Only where a value
// is said nowhere else as well as there do such places count.
//
// A node that says one value of its page and nothing else is not considered for
// another that is part of it: "Dune (1984)" and "Dune" are two nodes where the
// editor gives both.
//
// Several records of a page may say the same value, each in a place of its own.
// So the second of them is explained by a description only if that has a second
// place on the page. Which record has which place is not decided here
// (record_places.cc).
//
// The descriptions that come second, third and so on, and explain all values
// too, are other readings of what the editor meant (OtherWaysToPlace()): the
// title in the trail of links, the address of a link beside its text. Learning
// compares what they say on other pages.
//
// Cost: all nodes of the sample are described, four hashes each; values are
// found by string search in the page's text.

namespace trommel::annotation {
namespace {

using html::Document;
using html::NameId;
using html::Node;
using html::NodeId;
using html::NodeKind;
using Fit = ValuePlace::Fit;
namespace names = html::names;

// Of one value on one page, of the places that say more besides and of the
// attributes. Short values are said everywhere. Records that say the same have
// room for one more each.
constexpr size_t kMaxPlaces = 200;
constexpr size_t kNearest = 3;

constexpr size_t kNumDescriptions = 4;
constexpr size_t kStyledPath = 1;  // which of them
using Descriptions = std::array<uint64_t, kNumDescriptions>;

uint64_t Join(uint64_t a, uint64_t b) {
  return Mix64(a * 0x9E3779B97F4A7C15u + b);
}

// A text of its own that stands in front of a value is its label.
constexpr size_t kMaxLabelBytes = 60;

// The descriptions of all places of a page.
class PageDescriptions {
 public:
  explicit PageDescriptions(const Document& document) : document_(document) {
    const size_t n = document.num_nodes();
    positional_.assign(n, 1);
    styled_.assign(n, 1);
    own_.assign(n, 0);
    label_.assign(n, 0);
    uint64_t label = 0;
    // By parent: how many children of each name have been seen.
    absl::flat_hash_map<uint64_t, uint32_t> seen;
    for (NodeId id = 1; id < n; ++id) {
      const Node& node = document.node(id);
      if (node.kind == NodeKind::kComment) continue;
      own_[id] = OwnHash(id);
      const uint64_t name =
          node.kind == NodeKind::kText ? 1 : Hash64(document.TagOf(id));
      const uint32_t position = ++seen[Join(node.parent, name)];
      positional_[id] = Join(Join(positional_[node.parent], name), position);
      styled_[id] = Join(styled_[node.parent], own_[id]);
      label_[id] = label;
      if (node.kind == NodeKind::kText &&
          !html::IsHiddenElement(document.node(node.parent).name)) {
        const std::string text = html::NormalizedText(document, id);
        label = text.size() <= kMaxLabelBytes ? Hash64(text) : 0;
      }
    }
  }

  Descriptions Of(const ValuePlace& place) const {
    // Places of different kinds have nothing in common.
    const uint64_t kind =
        place.attribute != names::kNone
            ? Hash64(document_.NameOf(place.attribute), /*seed=*/2)
            : document_.IsText(place.node);
    const NodeId id = place.node;
    uint64_t nearby = own_[id];
    NodeId ancestor = id;
    for (int level = 0; level < 3; ++level) {
      ancestor = document_.node(ancestor).parent;
      if (ancestor == html::kNoNode) break;
      nearby = Join(nearby, own_[ancestor]);
    }
    const NodeId parent = document_.node(id).parent;
    const uint64_t around = parent == html::kNoNode ? 0 : own_[parent];
    Descriptions result = {Join(Join(label_[id], around), own_[id]),
                           styled_[id], nearby, positional_[id]};
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = Join(Join(result[i], kind), i);
    }
    return result;
  }

 private:
  // Of a node without its family: tag, id and class, without digits.
  uint64_t OwnHash(NodeId id) const {
    if (!document_.IsElement(id)) return 1;
    uint64_t hash = Hash64(document_.TagOf(id));
    for (const NameId name : {names::k_id, names::k_class}) {
      std::string value;
      for (const char c : document_.Value(id, name)) {
        if (c < '0' || c > '9') value += c;
      }
      hash = Join(hash, Hash64(value));
    }
    return hash;
  }

  const Document& document_;
  std::vector<uint64_t> positional_, styled_, own_, label_;
};

// --- Places of one value ----------------------------------------------------

// Attributes that say something; the others are about layout and behaviour.
bool CanBeValue(NameId name, std::string_view name_text) {
  switch (name) {
    case names::k_src:
    case names::k_href:
    case names::k_content:
    case names::k_alt:
    case names::k_title:
    case names::k_value:
    case names::k_datetime:
      return true;
    default:
      return name_text.substr(0, 5) == "data-";
  }
}

void FindInAttributes(const ResolvePage& page, std::string_view value,
                      bool is_link, size_t max_places,
                      std::vector<ValuePlace>* places) {
  const Document& document = page.text->document();
  const std::string wanted = NormalizeSpace(value);
  const bool may_be_absolute =
      is_link || wanted.find("://") != std::string::npos;
  const std::string base =
      may_be_absolute ? html::BaseUrl(document, page.url) : std::string();
  const std::string wanted_url =
      may_be_absolute ? url::AbsoluteUrl(base, wanted) : std::string();
  size_t found = 0;
  for (NodeId id = 1; id < document.num_nodes() && found < max_places; ++id) {
    for (const html::Attribute& attribute : document.Attributes(id)) {
      if (!CanBeValue(attribute.name, document.NameOf(attribute.name))) {
        continue;
      }
      const std::string_view text = document.Value(attribute);
      const bool is_reference = attribute.name == names::k_src ||
                                attribute.name == names::k_href ||
                                attribute.name == names::k_content;
      if (text == wanted || NormalizeSpace(text) == wanted ||
          (may_be_absolute && is_reference &&
           url::AbsoluteUrl(base, text) == wanted_url)) {
        places->push_back({Fit::kAttribute, id, attribute.name});
        ++found;
      }
    }
  }
}

// "Fish &amp; Chips": a value copied from the source of a page.
std::string Decoded(std::string_view value) {
  if (value.find('&') == std::string_view::npos) return std::string(value);
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  Document document;
  std::string html = "<body>";
  for (const char c : value) html += c == '<' ? "&lt;" : std::string(1, c);
  if (parser->ParseUtf8(html, &document) != html::ParseOutcome::kOk) {
    return std::string(value);
  }
  return html::NormalizedText(document, 0);
}

// The place that an XPath names, if it names one and it says the value.
bool FindByXPath(const ResolvePage& page, const WantedValue& wanted,
                 ValuePlace* place, std::string* problem) {
  const absl::StatusOr<xpath::LocationPath> path = xpath::Parse(wanted.xpath);
  if (!path.ok()) {
    *problem = std::string(path.status().message());
    return false;
  }
  const absl::StatusOr<xpath::Matcher> matcher = xpath::Matcher::Compile(*path);
  if (!matcher.ok()) {
    *problem = std::string(matcher.status().message());
    return false;
  }
  const Document& document = page.text->document();
  std::vector<xpath::Match> matches;
  matcher->Select(document, &matches);
  if (matches.size() != 1) {
    *problem = StrCat("selects ", matches.size(), " nodes");
    return false;
  }
  const xpath::Match& match = matches[0];
  if (match.attribute != xpath::kNoAttribute) {
    *place = {Fit::kAttribute, match.node,
              document.Attributes(match.node)[match.attribute].name};
    const std::string base = html::BaseUrl(document, page.url);
    if (NormalizeSpace(match.value) == NormalizeSpace(wanted.value) ||
        url::AbsoluteUrl(base, match.value) ==
            url::AbsoluteUrl(base, wanted.value)) {
      return true;
    }
  } else if (page.text->FindAt(match.node, wanted.value, place)) {
    return true;
  }
  *problem = "selects a node that does not say the value";
  return false;
}

// How much a fit counts; less is better. What readers do not see comes last,
// unless it is a link that is looked for.
int RankOf(Fit fit, bool is_link) {
  if (fit != Fit::kAttribute) return static_cast<int>(fit);
  return is_link ? -1 : static_cast<int>(Fit::kPartOfElement) + 1;
}

std::vector<ValuePlace> FindPlaces(const ResolvePage& page,
                                   std::string_view value, bool is_link,
                                   size_t max_places) {
  std::vector<ValuePlace> places = page.text->Find(value, max_places);
  FindInAttributes(page, value, is_link, max_places, &places);
  if (places.empty()) {
    const std::string decoded = Decoded(value);
    if (decoded != value) {
      places = page.text->Find(decoded, max_places);
      FindInAttributes(page, decoded, is_link, max_places, &places);
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [&](const ValuePlace& a, const ValuePlace& b) {
                     return RankOf(a.fit, is_link) < RankOf(b.fit, is_link);
                   });
  return places;
}

// --- All values together ----------------------------------------------------

// What is known of a description.
struct Explanation {
  std::vector<size_t> values;  // that have a place so described; ascending
  int64_t well_explained = 0;  // of these, by a place as good as their best
  int worst_rank = 0;          // of these places
  size_t order = 0;            // among the four
  int64_t others = 0;          // nodes that fit it and say none of the values
  int64_t styled_others = 0;   // the same of the paths of these places
};

class Resolution {
 public:
  Resolution(const std::vector<ResolvePage>& pages,
             const std::vector<WantedValue>& wanted,
             const std::vector<size_t>& absent_pages, bool is_link)
      : pages_(pages), wanted_(wanted), is_link_(is_link) {
    for (const WantedValue& value : wanted) used_pages_.insert(value.page);
    used_pages_.insert(absent_pages.begin(), absent_pages.end());
    CountEqualValues();
  }

  std::vector<ResolvedValue> Run() {
    std::vector<ResolvedValue> results = FindAll();
    Choose(&results);
    return results;
  }

  std::vector<std::vector<ValuePlace>> OtherWays(size_t max_ways) {
    std::vector<ResolvedValue> results = FindAll();
    const std::vector<std::vector<ValuePlace>> ways =
        WaysToPlaceAll(results, max_ways + 1);
    Choose(&results);
    std::vector<ValuePlace> chosen;
    for (const ResolvedValue& result : results) {
      if (!result.places.empty()) chosen.push_back(result.places[0]);
    }
    std::vector<std::vector<ValuePlace>> others;
    for (const std::vector<ValuePlace>& way : ways) {
      if (way != chosen && others.size() < max_ways) others.push_back(way);
    }
    return others;
  }

 private:
  // The places of all values, described.
  std::vector<ResolvedValue> FindAll() {
    std::vector<ResolvedValue> results(wanted_.size());
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const WantedValue& wanted = wanted_[i];
      const ResolvePage& page = pages_[wanted.page];
      ValuePlace place;
      if (!wanted.xpath.empty() &&
          FindByXPath(page, wanted, &place, &results[i].xpath_problem)) {
        results[i].places = {place};
        equal_before_[i] = 0;  // the place is its own
        continue;
      }
      results[i].places =
          FindPlaces(page, wanted.value, is_link_, kMaxPlaces + num_equal_[i]);
      for (const ValuePlace& excluded : wanted.excluded) {
        std::erase(results[i].places, excluded);
      }
      if (results[i].places.empty()) {
        results[i].nearest = page.text->Nearest(wanted.value, kNearest);
      }
    }
    RemoveBoilerplate(&results);
    RemovePartsOfOthers(&results);
    Describe(results);
    return results;
  }

  // Counts for each value those of other records of its page that are equal.
  void CountEqualValues() {
    std::map<std::pair<size_t, std::string>, std::set<int64_t>> records;
    for (const WantedValue& value : wanted_) {
      if (!value.record.has_value()) continue;
      records[{value.page, NormalizeSpace(value.value)}].insert(*value.record);
    }
    equal_before_.resize(wanted_.size());
    num_equal_.resize(wanted_.size());
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const WantedValue& value = wanted_[i];
      if (!value.record.has_value()) continue;
      const std::set<int64_t>& equal =
          records[{value.page, NormalizeSpace(value.value)}];
      equal_before_[i] =
          std::distance(equal.begin(), equal.find(*value.record));
      num_equal_[i] = equal.size() - 1;
    }
  }

  // Drops the places that say the same on nearly all pages.
  void RemoveBoilerplate(std::vector<ResolvedValue>* results) const {
    constexpr size_t kFewestPages = 5;
    constexpr double kNearlyAll = 0.95;
    if (pages_.size() < kFewestPages) return;
    // Only texts that are in question are counted.
    absl::flat_hash_map<uint64_t, size_t> pages_saying;
    std::vector<std::vector<uint64_t>> said(results->size());
    std::map<size_t, PageDescriptions> descriptions;
    for (size_t i = 0; i < results->size(); ++i) {
      const size_t page = wanted_[i].page;
      const Document& document = pages_[page].text->document();
      descriptions.try_emplace(page, document);
      for (const ValuePlace& place : (*results)[i].places) {
        said[i].push_back(SaidAt(descriptions.at(page), document, place));
        pages_saying.emplace(said[i].back(), 0);
      }
    }
    for (const ResolvePage& page : pages_) {
      const Document& document = page.text->document();
      const PageDescriptions page_descriptions(document);
      std::set<uint64_t> on_page;
      for (NodeId id = 1; id < document.num_nodes(); ++id) {
        if (!document.IsText(id)) continue;
        const uint64_t hash = SaidAt(page_descriptions, document,
                                     {Fit::kWholeText, id, names::kNone});
        if (pages_saying.contains(hash)) on_page.insert(hash);
      }
      for (const uint64_t hash : on_page) ++pages_saying[hash];
    }
    const double many = kNearlyAll * static_cast<double>(pages_.size());
    for (size_t i = 0; i < results->size(); ++i) {
      std::vector<ValuePlace>& places = (*results)[i].places;
      std::vector<ValuePlace> kept;
      for (size_t p = 0; p < said[i].size(); ++p) {
        if (static_cast<double>(pages_saying[said[i][p]]) < many) {
          kept.push_back(places[p]);
        }
      }
      if (!kept.empty() && kept[0].fit == places[0].fit) {
        places = std::move(kept);
      }
    }
  }

  static uint64_t SaidAt(const PageDescriptions& descriptions,
                         const Document& document, const ValuePlace& place) {
    if (!document.IsText(place.node)) return 0;  // only texts are compared
    return Join(descriptions.Of(place)[kStyledPath],
                Hash64(NormalizeSpace(document.Text(place.node))));
  }

  void RemovePartsOfOthers(std::vector<ResolvedValue>* results) const {
    std::set<std::pair<size_t, NodeId>> taken;  // page, node
    for (size_t i = 0; i < results->size(); ++i) {
      for (const ValuePlace& place : (*results)[i].places) {
        if (place.fit <= Fit::kWholeElement) {
          taken.emplace(wanted_[i].page, place.node);
        }
      }
    }
    for (size_t i = 0; i < results->size(); ++i) {
      std::vector<ValuePlace> kept = (*results)[i].places;
      std::erase_if(kept, [&](const ValuePlace& place) {
        return place.fit >= Fit::kPartOfText &&
               taken.count({wanted_[i].page, place.node}) > 0;
      });
      if (!kept.empty()) (*results)[i].places = std::move(kept);
    }
  }

  void Describe(const std::vector<ResolvedValue>& results) {
    for (const size_t page : used_pages_) {
      descriptions_.emplace(page,
                            PageDescriptions(pages_[page].text->document()));
    }
    described_.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      for (const ValuePlace& place : results[i].places) {
        described_[i].push_back(descriptions_.at(wanted_[i].page).Of(place));
      }
    }
    // Who says a value, so that the others can be counted.
    std::set<std::tuple<size_t, NodeId, NameId>> speakers;
    for (size_t i = 0; i < results.size(); ++i) {
      for (size_t p = 0; p < results[i].places.size(); ++p) {
        const ValuePlace& place = results[i].places[p];
        const bool is_new =
            speakers.emplace(wanted_[i].page, place.node, place.attribute)
                .second;
        for (size_t d = 0; d < kNumDescriptions; ++d) {
          Explanation& explanation = explanations_[described_[i][p][d]];
          explanation.order = d;
          explanation.others -= is_new ? 1 : 0;
        }
      }
    }
    for (const size_t page : used_pages_) {
      const Document& document = pages_[page].text->document();
      const PageDescriptions& descriptions = descriptions_.at(page);
      for (NodeId id = 1; id < document.num_nodes(); ++id) {
        if (document.node(id).kind == NodeKind::kComment) continue;
        Count(descriptions.Of({Fit::kWholeText, id, names::kNone}));
        for (const html::Attribute& attribute : document.Attributes(id)) {
          if (!CanBeValue(attribute.name, document.NameOf(attribute.name))) {
            continue;
          }
          Count(descriptions.Of({Fit::kAttribute, id, attribute.name}));
        }
      }
    }
  }

  void Count(const Descriptions& descriptions) {
    for (const uint64_t description : descriptions) {
      const auto found = explanations_.find(description);
      if (found != explanations_.end()) ++found->second.others;
    }
  }

  // Finds for each description which of the values that are not done it
  // explains.
  void Explain(const std::vector<ResolvedValue>& results,
               const std::vector<bool>& is_done) {
    for (auto& [hash, explanation] : explanations_) {
      explanation.values.clear();
      explanation.worst_rank = INT32_MIN;
      explanation.styled_others = 0;
      explanation.well_explained = 0;
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (is_done[i]) continue;
      const std::vector<ValuePlace>& places = results[i].places;
      // Places are sorted, so the first with a description is its best.
      absl::flat_hash_map<uint64_t, int64_t> taken;  // by equal values
      for (size_t p = 0; p < places.size(); ++p) {
        for (const uint64_t hash : described_[i][p]) {
          Explanation& explanation = explanations_[hash];
          if (!explanation.values.empty() && explanation.values.back() == i) {
            continue;
          }
          if (equal_before_[i] > 0 && taken[hash]++ < equal_before_[i]) {
            continue;
          }
          explanation.values.push_back(i);
          explanation.well_explained += places[p].fit == places[0].fit ? 1 : 0;
          explanation.styled_others +=
              explanations_.find(described_[i][p][kStyledPath])->second.others;
          explanation.worst_rank =
              std::max(explanation.worst_rank, RankOf(places[p].fit, is_link_));
        }
      }
    }
  }

  // Of each description that explains all values, the places; the best first.
  std::vector<std::vector<ValuePlace>> WaysToPlaceAll(
      const std::vector<ResolvedValue>& results, size_t max_ways) {
    Explain(results, std::vector<bool>(results.size()));
    std::vector<std::pair<ExplanationKey, uint64_t>> complete;
    for (const auto& entry : explanations_) {
      if (!results.empty() && entry.second.values.size() == results.size()) {
        complete.emplace_back(KeyOf(entry), entry.first);
      }
    }
    std::sort(complete.begin(), complete.end());
    std::vector<std::vector<ValuePlace>> ways;
    for (const auto& [key, description] : complete) {
      if (ways.size() == max_ways) break;
      std::vector<ValuePlace> way;
      for (size_t i = 0; i < results.size(); ++i) {
        way.push_back(PlaceBy(description, i, results[i]));
      }
      if (std::find(ways.begin(), ways.end(), way) == ways.end()) {
        ways.push_back(std::move(way));
      }
    }
    return ways;
  }

  // The best place of a value that a description names.
  ValuePlace PlaceBy(uint64_t description, size_t value,
                     const ResolvedValue& result) const {
    size_t place = 0;
    while (!IsDescribed(description, value, place)) ++place;
    return result.places[place];
  }

  bool IsDescribed(uint64_t description, size_t value, size_t place) const {
    const Descriptions& descriptions = described_[value][place];
    return std::find(descriptions.begin(), descriptions.end(), description) !=
           descriptions.end();
  }

  void Choose(std::vector<ResolvedValue>* results) {
    std::vector<bool> is_done(results->size());
    for (size_t i = 0; i < results->size(); ++i) {
      is_done[i] = (*results)[i].places.empty();
    }
    for (int group = 0;; ++group) {
      Explain(*results, is_done);
      const auto best = std::min_element(
          explanations_.begin(), explanations_.end(),
          [](const auto& a, const auto& b) { return KeyOf(a) < KeyOf(b); });
      if (best == explanations_.end() || best->second.values.empty()) return;
      const bool is_supported = best->second.values.size() > 1;
      for (const size_t i : best->second.values) {
        is_done[i] = true;
        (*results)[i].group = group;
        MoveToFront(best->first, is_supported, i, &(*results)[i]);
      }
    }
  }

  using ExplanationKey =
      std::tuple<int64_t, int64_t, int, int64_t, int64_t, size_t, uint64_t>;

  // The best explanation has the smallest.
  static ExplanationKey KeyOf(
      const std::pair<const uint64_t, Explanation>& entry) {
    const Explanation& e = entry.second;
    return {-e.well_explained, -static_cast<int64_t>(e.values.size()),
            e.worst_rank,      e.others,
            e.styled_others,   e.order,
            entry.first};
  }

  // Puts the best place with the description first, and behind it those that
  // are as good: they have the description as well. One that explains nothing
  // but this value is not supported by anything, so then all that fit as well
  // are as good.
  void MoveToFront(uint64_t description, bool is_supported, size_t value,
                   ResolvedValue* result) const {
    const std::vector<ValuePlace>& places = result->places;
    const auto is_described = [&](size_t p) {
      return IsDescribed(description, value, p);
    };
    size_t first = 0;
    while (!is_described(first)) ++first;
    std::vector<ValuePlace> ordered = {places[first]};
    std::vector<ValuePlace> others;
    for (size_t p = 0; p < places.size(); ++p) {
      if (p == first) continue;
      const bool is_alike = places[p].fit == places[first].fit &&
                            (!is_supported || is_described(p));
      (is_alike ? ordered : others).push_back(places[p]);
    }
    result->num_alike = ordered.size();
    ordered.insert(ordered.end(), others.begin(), others.end());
    result->places = std::move(ordered);
  }

  const std::vector<ResolvePage>& pages_;
  const std::vector<WantedValue>& wanted_;
  const bool is_link_;
  // By value: the earlier records that say the same and whose places are to be
  // left to them, and all other records that say the same.
  std::vector<int64_t> equal_before_;
  std::vector<size_t> num_equal_;
  std::set<size_t> used_pages_;
  std::map<size_t, PageDescriptions> descriptions_;
  // By value and place.
  std::vector<std::vector<Descriptions>> described_;
  absl::flat_hash_map<uint64_t, Explanation> explanations_;
};

}  // namespace

std::vector<ResolvedValue> ResolveValues(
    const std::vector<ResolvePage>& pages,
    const std::vector<WantedValue>& wanted,
    const std::vector<size_t>& absent_pages, bool is_link) {
  return Resolution(pages, wanted, absent_pages, is_link).Run();
}

std::vector<std::vector<ValuePlace>> OtherWaysToPlace(
    const std::vector<ResolvePage>& pages,
    const std::vector<WantedValue>& wanted,
    const std::vector<size_t>& absent_pages, bool is_link, size_t max_ways) {
  return Resolution(pages, wanted, absent_pages, is_link).OtherWays(max_ways);
}

}  // namespace trommel::annotation
