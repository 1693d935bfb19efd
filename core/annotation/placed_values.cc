#include "core/annotation/placed_values.h"

#include <map>
#include <set>
#include <string_view>

#include "core/annotation/record_places.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

// The values of an attribute are resolved together over all pages (resolve.cc).
// What is not the attribute's comes first: the values are elsewhere. Then, page
// by page, the values of several records are told apart (record_places.cc),
// which needs all attributes at once.

namespace trommel::annotation {
namespace {

using Kind = Annotation::Kind;

// The annotations of one attribute on the way to their places.
struct Lines {
  std::vector<const Annotation*> annotations;
  std::vector<WantedValue> wanted;
  std::vector<ResolvedValue> resolved;

  void Add(const Annotation& annotation, size_t page) {
    annotations.push_back(&annotation);
    wanted.push_back({page, annotation.value, annotation.xpath,
                      /*excluded=*/{}, annotation.record});
  }
};

class Placement {
 public:
  Placement(const proto::Schema& schema,
            const std::vector<Annotation>& annotations,
            const std::vector<ResolvePage>& pages)
      : schema_(schema), annotations_(annotations), pages_(pages) {
    for (size_t i = 0; i < pages.size(); ++i) page_numbers_[pages[i].url] = i;
  }

  PlacedAnnotations Run() {
    FindPagesWithoutRecord();
    for (int i = 0; i < schema_.attribute_size(); ++i) Resolve(i);
    TellRecordsApart();
    for (int i = 0; i < schema_.attribute_size(); ++i) Finish(i);
    return std::move(placed_);
  }

 private:
  void FindPagesWithoutRecord() {
    std::set<size_t> complete, with_value;
    for (const Annotation& annotation : annotations_) {
      const auto page = page_numbers_.find(annotation.url);
      if (page == page_numbers_.end()) continue;
      if (annotation.kind == Kind::kComplete) complete.insert(page->second);
      if (annotation.kind == Kind::kValue) with_value.insert(page->second);
    }
    placed_.complete_pages.assign(complete.begin(), complete.end());
    for (const size_t page : complete) {
      if (with_value.count(page) == 0) pages_without_record_.insert(page);
    }
  }

  void Resolve(int place) {
    const proto::Attribute& attribute = schema_.attribute(place);
    PlacedAttribute& placed = placed_.attributes.emplace_back();
    Lines& values = values_.emplace_back();
    Lines& negatives = negatives_.emplace_back();
    std::set<size_t> absent = pages_without_record_;
    for (const Annotation& annotation : annotations_) {
      const auto page = page_numbers_.find(annotation.url);
      if (annotation.attribute != attribute.name() ||
          page == page_numbers_.end()) {
        continue;
      }
      if (annotation.kind == Kind::kValue) {
        placed.is_annotated = true;
        placed.has_xpath |= !annotation.xpath.empty();
        values.Add(annotation, page->second);
      } else if (annotation.kind == Kind::kNegative) {
        negatives.Add(annotation, page->second);
      } else if (annotation.record.has_value()) {
        placed.absent_records.emplace_back(page->second, *annotation.record);
      } else {
        absent.insert(page->second);
      }
    }
    placed.absent_pages.assign(absent.begin(), absent.end());
    // Without an XPath a negative value is not the attribute's, or not the
    // record's, wherever the page says it.
    negatives.resolved =
        ResolveValues(pages_, negatives.wanted, placed.absent_pages,
                      schema::IsLink(attribute));
    for (size_t i = 0; i < negatives.wanted.size(); ++i) {
      const WantedValue& denied = negatives.wanted[i];
      for (WantedValue& value : values.wanted) {
        if (value.page != denied.page ||
            (denied.record.has_value() && value.record != denied.record)) {
          continue;
        }
        value.excluded.insert(value.excluded.end(),
                              negatives.resolved[i].places.begin(),
                              negatives.resolved[i].places.end());
      }
    }
    values.resolved = ResolveValues(pages_, values.wanted, placed.absent_pages,
                                    schema::IsLink(attribute));
    chosen_.emplace_back(values.resolved.size(), nullptr);
    for (size_t i = 0; i < values.resolved.size(); ++i) {
      const ResolvedValue& resolved = values.resolved[i];
      if (!resolved.places.empty()) chosen_.back()[i] = &resolved.places[0];
    }
  }

  void TellRecordsApart() {
    std::set<size_t> pages;
    for (const Lines& values : values_) {
      for (const WantedValue& value : values.wanted) {
        if (value.record.has_value()) pages.insert(value.page);
      }
    }
    for (const size_t page : pages) {
      std::vector<RecordAttribute> attributes;
      for (size_t a = 0; a < values_.size(); ++a) {
        RecordAttribute& attribute = attributes.emplace_back();
        attribute.is_repeated =
            schema_.attribute(static_cast<int>(a)).repeated();
        for (size_t i = 0; i < values_[a].wanted.size(); ++i) {
          const WantedValue& value = values_[a].wanted[i];
          const ResolvedValue& resolved = values_[a].resolved[i];
          if (value.page == page && value.record.has_value() &&
              !resolved.places.empty()) {
            attribute.values.push_back({*value.record, &resolved, nullptr});
          }
        }
      }
      ChooseRecordPlaces(pages_[page].text->document(), &attributes);
      for (size_t a = 0; a < attributes.size(); ++a) {
        const ResolvedValue* const first = values_[a].resolved.data();
        for (const RecordValue& value : attributes[a].values) {
          chosen_[a][static_cast<size_t>(value.resolved - first)] = value.place;
        }
      }
    }
  }

  // Puts down what was found, and warns of what was not.
  void Finish(int place) {
    const size_t a = static_cast<size_t>(place);
    PlacedAttribute& placed = placed_.attributes[a];
    const Lines& values = values_[a];
    const Lines& negatives = negatives_[a];
    if (!schema_.attribute(place).repeated()) {
      WarnOfSecondValues(values.annotations);
    }
    std::set<std::pair<size_t, html::NodeId>> taken;
    for (size_t i = 0; i < values.wanted.size(); ++i) {
      if (chosen_[a][i] == nullptr) continue;
      const WantedValue& value = values.wanted[i];
      taken.emplace(value.page, chosen_[a][i]->node);
      placed.values.push_back({value.page, std::string(value.value),
                               *chosen_[a][i], values.resolved[i].group,
                               value.record});
    }
    for (size_t i = 0; i < negatives.wanted.size(); ++i) {
      const WantedValue& value = negatives.wanted[i];
      Warn(*negatives.annotations[i], negatives.resolved[i]);
      for (const ValuePlace& denied : negatives.resolved[i].places) {
        // Of this record it is none, but another record's.
        if (value.record.has_value() &&
            taken.count({value.page, denied.node}) > 0) {
          continue;
        }
        placed.negatives.push_back({value.page, std::string(value.value),
                                    denied, /*group=*/0, value.record});
      }
    }
    for (size_t i = 0; i < values.wanted.size(); ++i) {
      Warn(*values.annotations[i], values.resolved[i]);
      if (!values.resolved[i].places.empty() && chosen_[a][i] == nullptr) {
        AddWarning(*values.annotations[i],
                   StrCat("\"", values.annotations[i]->value,
                          "\" is on the page, but in no place between the "
                          "records before and behind"));
      }
    }
  }

  void AddWarning(const Annotation& annotation, const std::string& what) {
    placed_.warnings.push_back(
        {annotation.line, StrCat(annotation.Subject(), ": ", what)});
  }

  // An attribute that is not repeated has one value. Two may be two spellings
  // that the page has, so both are used, but not in silence.
  void WarnOfSecondValues(const std::vector<const Annotation*>& lines) {
    // By page and record.
    std::map<std::pair<std::string_view, std::optional<int64_t>>,
             const Annotation*>
        first;
    for (const Annotation* const line : lines) {
      const Annotation* const known =
          first.try_emplace({line->url, line->record}, line).first->second;
      if (NormalizeSpace(known->value) == NormalizeSpace(line->value)) continue;
      AddWarning(*line, StrCat("\"", line->value, "\", and \"", known->value,
                               "\" as well, although the attribute is not "
                               "repeated; both are taken as right"));
    }
  }

  void Warn(const Annotation& annotation, const ResolvedValue& resolved) {
    if (!resolved.xpath_problem.empty()) {
      AddWarning(annotation,
                 StrCat("the XPath is not used: it ", resolved.xpath_problem));
    }
    if (!resolved.places.empty()) return;
    std::string message =
        StrCat("\"", annotation.value, "\" is not on the page");
    for (size_t i = 0; i < resolved.nearest.size(); ++i) {
      StrAppend(&message, i == 0 ? "; nearest: " : ", ", "\"",
                resolved.nearest[i], "\"");
    }
    AddWarning(annotation, message);
  }

  const proto::Schema& schema_;
  const std::vector<Annotation>& annotations_;
  const std::vector<ResolvePage>& pages_;
  std::map<std::string_view, size_t> page_numbers_;  // by URL
  std::set<size_t> pages_without_record_;
  // By attribute.
  std::vector<Lines> values_;
  std::vector<Lines> negatives_;
  // By attribute and value; null where there is none.
  std::vector<std::vector<const ValuePlace*>> chosen_;
  PlacedAnnotations placed_;
};

}  // namespace

PlacedAnnotations PlaceAnnotations(const proto::Schema& schema,
                                   const std::vector<Annotation>& annotations,
                                   const std::vector<ResolvePage>& pages) {
  return Placement(schema, annotations, pages).Run();
}

}  // namespace trommel::annotation
