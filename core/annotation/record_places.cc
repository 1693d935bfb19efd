#include "core/annotation/record_places.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/record/alignment.h"

// Which of the places that say a value are whose, on a page of several records.
//
// Three films of a list cost "$5", and so does the postage. Resolution
// (resolve.cc) finds that prices are the <span class=price> of list items and
// sets the postage aside, but says nothing of which "$5" is which film's. Two
// things tell:
//
//  - Records are numbered in document order, so the places of one attribute
//    ascend with the records. That holds even where the values of records are
//    interleaved, as in a table with a record in each column.
//
//  - Values of a record stand together: the smallest element that has both a
//    film's title and its price is the film's list item, while what has the
//    title of one and the price of another is the whole list. So the deeper the
//    lowest common ancestor of a place and what is known of the record, the
//    nearer it is. This decides where a film in between has no price.
//
// What is known of a record in the beginning are its unambiguous values, of any
// attribute: those said in one place that fits as well as any, which no other
// record's value claims. Then the attributes that have one value a record are
// placed, in the order of the schema, by the alignment that leaves fewest
// values without a place, then takes most of the equally good places, then is
// nearest (core/record/alignment.h); what was placed is known from then on.
// Repeated attributes come last. Their values have no order within a record, so
// not values are aligned but records: each has a span of the page in which its
// values take the best places, and spans ascend with the records. Of all ways
// to choose the spans that one is taken which is the best in the sense above;
// so a value whose best place is far behind does not push later records aside.
// A span ends at the latest where each value has one of its equally good
// places, or where it has kMaxSpan places.
//
// A value that is left without a place is in the wrong record, or the page says
// it less often than the editor does.
//
// Cost: the product of an attribute's values and their places, for each pair as
// many steps up the tree as the record has known values, and for repeated
// attributes as many as a span has places. Of a page on which the product is
// over a million, the alignment leaves most values without a place.

namespace trommel::annotation {
namespace {

using html::Document;
using html::NodeId;

// Of one repeated attribute's values in one record.
constexpr size_t kMaxSpan = 256;

class RecordPlacement {
 public:
  RecordPlacement(const Document& document,
                  std::vector<RecordAttribute>* attributes)
      : document_(document), attributes_(*attributes) {
    depths_.resize(document.num_nodes());
    for (NodeId id = 1; id < document.num_nodes(); ++id) {
      depths_[id] = depths_[document.node(id).parent] + 1;
      deepest_ = std::max(deepest_, depths_[id]);
    }
  }

  void Run() {
    for (const RecordAttribute& attribute : attributes_) {
      FindUnambiguous(attribute);
    }
    for (const bool is_repeated : {false, true}) {
      for (RecordAttribute& attribute : attributes_) {
        if (attribute.is_repeated != is_repeated) continue;
        SortByRecord(&attribute);
        if (is_repeated) {
          PlaceBySpans(&attribute);
        } else {
          PlaceByAlignment(&attribute);
        }
        for (const RecordValue& value : attribute.values) {
          if (value.place != nullptr) {
            known_[value.record].insert(value.place->node);
          }
        }
      }
    }
  }

 private:
  void FindUnambiguous(const RecordAttribute& attribute) {
    std::map<NodeId, std::set<int64_t>> claims;
    for (const RecordValue& value : attribute.values) {
      if (value.resolved->num_alike != 1) continue;
      claims[value.resolved->places[0].node].insert(value.record);
    }
    for (const auto& [node, records] : claims) {
      if (records.size() == 1) known_[*records.begin()].insert(node);
    }
  }

  static void SortByRecord(RecordAttribute* attribute) {
    const auto key = [](const RecordValue& value) {
      return std::pair(value.record, value.resolved->places[0].node);
    };
    std::stable_sort(attribute->values.begin(), attribute->values.end(),
                     [&](const RecordValue& a, const RecordValue& b) {
                       return key(a) < key(b);
                     });
  }

  // How deep the lowest common ancestor of a node and what is known of the
  // record is, as a share of the depth of the page.
  double Nearness(int64_t record, NodeId node) const {
    const auto known = known_.find(record);
    if (known == known_.end()) return 0;
    int deepest = 0;
    for (const NodeId other : known->second) {
      NodeId ancestor = std::min(node, other);
      const NodeId last = std::max(node, other);
      while (document_.node(ancestor).subtree_end <= last) {
        ancestor = document_.node(ancestor).parent;
      }
      deepest = std::max(deepest, depths_[ancestor]);
    }
    return static_cast<double>(deepest) / static_cast<double>(deepest_ + 1);
  }

  // How good a place of a value is, 0 to 1: equally good ones before others,
  // then the nearest.
  double Goodness(const RecordValue& value, size_t place) const {
    const double nearness =
        Nearness(value.record, value.resolved->places[place].node);
    return ((place < value.resolved->num_alike ? 1 : 0) + nearness) / 2;
  }

  // Where a record has two values although the attribute has one, both are
  // aligned as if they were two records'.
  void PlaceByAlignment(RecordAttribute* attribute) {
    std::vector<RecordValue>& values = attribute->values;
    std::set<NodeId> all_nodes;
    for (const RecordValue& value : values) {
      for (const ValuePlace& place : value.resolved->places) {
        all_nodes.insert(place.node);
      }
    }
    const std::vector<NodeId> nodes(all_nodes.begin(), all_nodes.end());
    // By value: its nodes, ascending, each with the best place that it has.
    std::vector<std::vector<std::pair<NodeId, size_t>>> places;
    for (const RecordValue& value : values) {
      auto& by_node = places.emplace_back();
      for (size_t p = 0; p < value.resolved->places.size(); ++p) {
        by_node.emplace_back(value.resolved->places[p].node, p);
      }
      std::sort(by_node.begin(), by_node.end());
    }
    const auto find = [&](size_t value, size_t node) -> std::optional<size_t> {
      const auto& by_node = places[value];
      const auto found =
          std::lower_bound(by_node.begin(), by_node.end(),
                           std::pair<NodeId, size_t>(nodes[node], 0));
      if (found == by_node.end() || found->first != nodes[node]) return {};
      return found->second;
    };
    // Whether there is a place counts more than the goodness of all places.
    const double most_goodness =
        0.5 / static_cast<double>(std::max<size_t>(values.size(), 1));
    const auto likeness = [&](size_t value, size_t node) {
      const std::optional<size_t> place = find(value, node);
      if (!place.has_value()) return 0.0;
      return 0.5 + Goodness(values[value], *place) * most_goodness;
    };
    for (const auto& [value, node] :
         record::Align(values.size(), nodes.size(), likeness)) {
      if (const std::optional<size_t> place = find(value, node)) {
        values[value].place = &values[value].resolved->places[*place];
      }
    }
  }

  // The values of a record.
  using Values = std::span<RecordValue>;

  // A way to place the values of some records: the last of them between two
  // nodes, those before it in a way that ends before the first node.
  struct Way {
    double worth = 0;  // values that have a place, and how good it is
    NodeId first = 0;
    NodeId last = 0;
    Values values;
    const Way* before = nullptr;
  };

  void PlaceBySpans(RecordAttribute* attribute) {
    std::vector<RecordValue>& values = attribute->values;
    // Whether there is a place counts more than the goodness of all places.
    const double most_goodness =
        0.5 / static_cast<double>(std::max<size_t>(values.size(), 1));
    std::deque<Way> ways(1);  // the first places nothing
    // Those that may be part of the best: each ends behind the one before it
    // and is worth more.
    std::vector<const Way*> hopeful = {&ways[0]};
    for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
      while (end < values.size() &&
             values[end].record == values[begin].record) {
        ++end;
      }
      const Values record_values(values.data() + begin, end - begin);
      std::vector<Way> next;
      for (const Way* const way : hopeful) next.push_back(*way);
      AddSpans(record_values, most_goodness, hopeful, &next);
      std::stable_sort(
          next.begin(), next.end(), [](const Way& a, const Way& b) {
            return std::pair(a.last, -a.worth) < std::pair(b.last, -b.worth);
          });
      hopeful.clear();
      for (const Way& way : next) {
        if (!hopeful.empty() && way.worth <= hopeful.back()->worth) continue;
        hopeful.push_back(&ways.emplace_back(way));
      }
    }
    for (const Way* way = hopeful.back(); way != nullptr; way = way->before) {
      for (RecordValue& value : way->values) {
        value.place = BestBetween(way->first, way->last, value);
      }
    }
  }

  // Adds the ways that end with a span of this record.
  void AddSpans(Values values, double most_goodness,
                const std::vector<const Way*>& before,
                std::vector<Way>* ways) const {
    struct Place {
      NodeId node;
      size_t value;
      double goodness;
      bool is_alike;
    };
    std::vector<Place> places;
    for (size_t v = 0; v < values.size(); ++v) {
      for (size_t p = 0; p < values[v].resolved->places.size(); ++p) {
        places.push_back({values[v].resolved->places[p].node, v,
                          Goodness(values[v], p),
                          p < values[v].resolved->num_alike});
      }
    }
    std::stable_sort(
        places.begin(), places.end(),
        [](const Place& a, const Place& b) { return a.node < b.node; });
    for (size_t first = 0; first < places.size(); ++first) {
      const NodeId node = places[first].node;
      // Nothing is before the first node, so there is always one.
      const Way* const so_far = *std::prev(std::partition_point(
          before.begin(), before.end(),
          [&](const Way* way) { return way->last < node; }));
      Way way = {so_far->worth, node, node, values, so_far};
      std::vector<double> best(values.size(), -1);
      std::set<size_t> alike;  // values
      for (size_t i = first; i < std::min(first + kMaxSpan, places.size()) &&
                             alike.size() < values.size();
           ++i) {
        const Place& place = places[i];
        if (place.is_alike) alike.insert(place.value);
        double& known = best[place.value];
        if (place.goodness <= known) continue;
        way.worth += known < 0 ? 1 + place.goodness * most_goodness
                               : (place.goodness - known) * most_goodness;
        known = place.goodness;
        way.last = place.node;
        ways->push_back(way);
      }
    }
  }

  const ValuePlace* BestBetween(NodeId first, NodeId last,
                                const RecordValue& value) const {
    const ValuePlace* found = nullptr;
    double best = -1;
    for (size_t p = 0; p < value.resolved->places.size(); ++p) {
      const ValuePlace& place = value.resolved->places[p];
      if (place.node < first || place.node > last) continue;
      const double goodness = Goodness(value, p);
      if (goodness <= best) continue;
      best = goodness;
      found = &place;
    }
    return found;
  }

  const Document& document_;
  std::vector<RecordAttribute>& attributes_;
  std::vector<int> depths_;  // by node
  int deepest_ = 0;
  std::map<int64_t, std::set<NodeId>> known_;  // by record
};

}  // namespace

void ChooseRecordPlaces(const Document& document,
                        std::vector<RecordAttribute>* attributes) {
  RecordPlacement(document, attributes).Run();
}

}  // namespace trommel::annotation
