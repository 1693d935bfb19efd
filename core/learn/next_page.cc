#include "core/learn/next_page.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/learn/value_profile.h"

// What to ask next.
//
// The paper's editors annotate pages in the order of the sample and stop when
// the rule extracts from the rest of it (III-B). Here the rule is run on the
// rest after each page, and a page is worth annotating if something is in doubt
// there. The weight of a doubt is about the chance that the rule is wrong on
// the page:
//
//  - a rival says something else (core/learn/rival.h): the weight is the share
//    of the odds of all that say something else there in the odds of all;
//  - those that have a say on an attribute within the rule say different
//    things, or one finds a value and another is silent;
//  - an attribute does not come out that came out on all annotated pages:
//    either the rule fails there, or the attribute may be missing, which is
//    known from then on; a mandatory one should never be missing;
//  - a value is nothing like those that were annotated.
//
// And where the rule itself is hardly plausible, so that even nothing else is
// known to be right, every page is in doubt.
//
// The page on which most is in doubt is asked for next, over all attributes
// together, since an editor annotates a whole page: that excludes most. If no
// attribute is in doubt enough on any page, nothing need be asked.
//
// What comes out of the program as a whole does not matter here, only the
// opinions within it (PageExtractor::Opinions()), so a page may have any number
// of records.
//
// Cost: the rule runs once on every page of the sample; rivals have been run.

namespace trommel::learn {
namespace {

using Kind = annotation::Annotation::Kind;
using Values = std::vector<std::string>;

constexpr double kContradiction = 0.6;
constexpr double kMissingMandatory = 0.6;
constexpr double kMissing = 0.4;
constexpr double kOneSided = 0.25;
constexpr double kUnlike = 0.21;
constexpr double kSilentRival = 0.3;
// Of a doubt that is not worth a question by itself.
constexpr double kSmallDoubts = 0.1;
// A doubt that is worth a question.
constexpr double kLeastDoubt = 0.2;
// A doubt with which a rule is not called done.
constexpr double kSeriousDoubt = 0.3;
// Values less alike than this are nothing like the annotated ones.
constexpr double kLeastLikeness = 0.2;
// A rule less plausible than this is in doubt everywhere.
constexpr double kLeastPlausibility = 0.5;

constexpr size_t kNumExamples = 3;
constexpr size_t kMaxExampleBytes = 200;
constexpr size_t kMaxShownBytes = 60;

// The beginning of a text, up to a whole character.
std::string Cut(std::string text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  text.resize(ValidUtf8Prefix(std::string_view(text).substr(0, max_bytes)));
  return text;
}

std::string Show(const Values& values) {
  if (values.empty()) return "nothing";
  const std::string text = absl::StrJoin(values, ", ");
  const std::string cut = Cut(text, kMaxShownBytes);
  return StrCat("\"", cut, cut.size() < text.size() ? "...\"" : "\"");
}

// Adds to a doubt another one that is independent of it.
double Together(double a, double b) { return 1 - (1 - a) * (1 - b); }

double OddsOf(double probability) {
  constexpr double kMost = 0.999;
  const double p = std::min(probability, kMost);
  return p / (1 - p);
}

// What the voices within a rule make of an attribute on a page.
struct Voices {
  Values chosen;  // what the first that finds anything says
  size_t num_different = 0;
  bool is_one_silent = false;

  explicit Voices(const std::vector<rule::Opinion>& opinions) {
    std::set<Values> said;
    for (const rule::Opinion& opinion : opinions) {
      if (opinion.values.empty()) {
        is_one_silent = true;
        continue;
      }
      if (said.empty()) chosen = opinion.values;
      said.insert(opinion.values);
    }
    num_different = said.size();
  }
};

// The doubts about one attribute, page by page.
class AttributeDoubts {
 public:
  AttributeDoubts(const AttributeKnowledge& knowledge, bool is_mandatory,
                  const AttributeBelief* belief)
      : knowledge_(knowledge),
        is_mandatory_(is_mandatory),
        profile_(knowledge.values),
        belief_(belief) {}

  // Counts what is said of a page, and returns how much of it is in doubt.
  // `page` is its place in the sample.
  double Assess(size_t page, const Voices& voices, ExtractionCounts* counts,
                AttributeFill* fill, std::string* text) const {
    Count(voices, counts, fill);
    double weight = Inside(voices, text);
    const double rivals = Rivals(page, voices.chosen, text);
    weight = Together(weight, rivals);
    if (belief_ != nullptr && belief_->plausibility < kLeastPlausibility) {
      if (text->empty()) *text = "little speaks for what was learnt";
      weight = Together(weight, kLeastPlausibility - belief_->plausibility);
    }
    return weight;
  }

 private:
  bool IsExpected() const { return is_mandatory_ || !knowledge_.may_be_absent; }

  void Count(const Voices& voices, ExtractionCounts* counts,
             AttributeFill* fill) const {
    ++fill->pages;
    counts->expected += IsExpected() ? 1 : 0;
    if (voices.chosen.empty()) return;
    ++counts->extracted;
    counts->came_out += IsExpected() ? 1 : 0;
    counts->agreed += voices.num_different == 1 ? 1 : 0;
    ++fill->with_value;
    const std::string value =
        Cut(absl::StrJoin(voices.chosen, ", "), kMaxExampleBytes);
    if (fill->examples.size() < kNumExamples &&
        std::find(fill->examples.begin(), fill->examples.end(), value) ==
            fill->examples.end()) {
      fill->examples.push_back(value);
    }
  }

  // Of what the rule says by itself.
  double Inside(const Voices& voices, std::string* text) const {
    if (voices.chosen.empty()) {
      if (!IsExpected()) return 0;
      *text = "nothing is found there";
      return is_mandatory_ ? kMissingMandatory : kMissing;
    }
    double weight = 0;
    for (const std::string& value : voices.chosen) {
      if (StandsForNothing(value)) {
        *text = StrCat(Show({value}), " may say that there is no value");
        weight = kUnlike;
      } else if (profile_.Likeness(value) < kLeastLikeness) {
        *text = StrCat(Show({value}), " is unlike the annotated values");
        weight = kUnlike;
      }
    }
    if (voices.num_different > 1) {
      *text = "alternatives of the rule find different values";
      return Together(weight, kContradiction);
    }
    if (voices.is_one_silent) {
      *text = "only some alternatives of the rule find a value";
      return Together(weight, kOneSided);
    }
    return weight;
  }

  // Of what others say. Those that say the same are one rival, as plausible as
  // the best of them; that one is silent says little.
  double Rivals(size_t page, const Values& chosen, std::string* text) const {
    if (belief_ == nullptr) return 0;
    std::map<Values, double> odds;
    for (const Rival& rival : belief_->rivals) {
      const Values& values = rival.values[page];
      if (values == chosen) continue;
      double& best = odds[values];
      best = std::max(best, OddsOf(rival.plausibility) *
                                (values.empty() ? kSilentRival : 1));
    }
    double sum = 0;
    const Values* strongest = nullptr;
    for (const auto& [values, rival_odds] : odds) {
      sum += rival_odds;
      if (strongest == nullptr || rival_odds > odds.at(*strongest)) {
        strongest = &values;
      }
    }
    if (sum == 0) return 0;
    const double weight = sum / (sum + OddsOf(belief_->plausibility));
    if (weight >= kLeastDoubt) {
      *text =
          StrCat("it may be ", Show(*strongest), " instead of ", Show(chosen));
    }
    return weight;
  }

  const AttributeKnowledge& knowledge_;
  const bool is_mandatory_;
  const ValueProfile profile_;
  const AttributeBelief* const belief_;
};

// The doubts about all attributes on one page.
struct PageDoubts {
  double weight = 0;
  std::optional<size_t> attribute;  // the one most in doubt
  double most = 0;                  // that one's weight

  void Add(size_t number, double doubt) {
    weight += doubt * (doubt < kLeastDoubt ? kSmallDoubts : 1);
    if (doubt < kLeastDoubt || doubt <= most) return;
    attribute = number;
    most = doubt;
  }
};

const AttributeBelief* FindBelief(const std::vector<AttributeBelief>& beliefs,
                                  const std::string& attribute) {
  for (const AttributeBelief& belief : beliefs) {
    if (belief.attribute == attribute) return &belief;
  }
  return nullptr;
}

}  // namespace

std::vector<AttributeKnowledge> CollectKnowledge(
    const proto::Schema& schema,
    const std::vector<annotation::Annotation>& annotations,
    const std::vector<bool>& extracts) {
  // A page that is complete and has no value has nothing of any attribute.
  std::set<std::string_view> complete, with_value;
  for (const annotation::Annotation& annotation : annotations) {
    if (annotation.kind == Kind::kComplete) complete.insert(annotation.url);
    if (annotation.kind == Kind::kValue) with_value.insert(annotation.url);
  }
  const bool has_empty_page = !std::includes(
      with_value.begin(), with_value.end(), complete.begin(), complete.end());
  std::vector<AttributeKnowledge> all(extracts.size());
  for (size_t i = 0; i < all.size(); ++i) {
    AttributeKnowledge& knowledge = all[i];
    knowledge.may_be_absent = has_empty_page;
    const std::string& name = schema.attribute(static_cast<int>(i)).name();
    for (const annotation::Annotation& annotation : annotations) {
      if (annotation.attribute != name) continue;
      if (annotation.kind == Kind::kValue) {
        knowledge.values.push_back(annotation.value);
      }
      knowledge.may_be_absent |= annotation.kind == Kind::kAbsent;
    }
    knowledge.has_value = !knowledge.values.empty();
    knowledge.has_rule = extracts[i];
  }
  return all;
}

bool SampleDoubts::IsSerious() const {
  return worst_of_values >= kSeriousDoubt;
}

SampleDoubts FindDoubts(const rule::PageExtractor& extractor,
                        const std::vector<AttributeKnowledge>& knowledge,
                        const std::vector<AttributeBelief>& beliefs,
                        const std::vector<LearnPage>& pages,
                        const std::set<std::string>& annotated) {
  const proto::Schema& schema = extractor.schema();
  std::vector<AttributeDoubts> attributes;
  for (size_t i = 0; i < knowledge.size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(static_cast<int>(i));
    attributes.emplace_back(knowledge[i], attribute.mandatory(),
                            FindBelief(beliefs, attribute.name()));
  }
  SampleDoubts result;
  result.fill.resize(knowledge.size());
  std::vector<std::optional<Doubt>> worst(knowledge.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    if (annotated.count(pages[page].url) > 0) continue;
    ++result.counts.pages;
    const auto opinions =
        extractor.Opinions(pages[page].document, pages[page].url);
    PageDoubts all;
    for (size_t i = 0; i < knowledge.size(); ++i) {
      if (!knowledge[i].has_rule) continue;
      const Voices voices(opinions[i]);
      Doubt doubt;
      doubt.attribute = i;
      doubt.page = &pages[page];
      doubt.weight = attributes[i].Assess(page, voices, &result.counts,
                                          &result.fill[i], &doubt.text);
      if (!voices.chosen.empty()) {
        result.worst_of_values = std::max(result.worst_of_values, doubt.weight);
      }
      all.Add(i, doubt.weight);
      if (!worst[i].has_value() || doubt.weight > worst[i]->weight) {
        worst[i] = std::move(doubt);
      }
    }
    if (result.worst == nullptr || all.weight > result.worst_weight) {
      result.worst = &pages[page];
      result.worst_weight = all.weight;
      result.worst_attribute = all.attribute;
    }
  }
  for (std::optional<Doubt>& doubt : worst) {
    if (doubt.has_value() && doubt->weight >= kLeastDoubt) {
      result.doubts.push_back(*std::move(doubt));
    }
  }
  std::stable_sort(
      result.doubts.begin(), result.doubts.end(),
      [](const Doubt& a, const Doubt& b) { return a.weight > b.weight; });
  return result;
}

}  // namespace trommel::learn
