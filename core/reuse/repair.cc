#include "core/reuse/repair.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/annotation/annotation.h"
#include "core/annotation/page_text.h"
#include "core/annotation/resolve.h"
#include "core/base/status.h"
#include "core/learn/bellwethers.h"
#include "core/learn/site_learning.h"
#include "core/record/value_set.h"
#include "core/reuse/field_counts.h"
#include "core/rule/fields/fields.h"
#include "core/rule/program_registry.h"
#include "core/schema/schema.h"

// Repair.
//
// A redesign moves the title of a film to another place; it does not rename the
// film. So what a rule extracted from the old version of a page says where its
// attributes are on the new version, as an editor would who annotates it: the
// old values are searched on the new pages, and the rule is learnt from where
// they are. That is one annotated page for each that was crawled on both days,
// for nothing.
//
// An old value may be wrong, may have changed, and may stand on the new page by
// coincidence. What keeps wrong values out of the records:
//
//  - Only attributes that broke are learnt again. The others keep the
//    extractors that an editor's annotations made.
//  - An attribute is learnt only if its values are found on most of the pages
//    that had one; on four of five if it is not constant, since then values
//    that are found may be coincidences. On a page where they are not found
//    nothing is said of the attribute.
//  - Values must differ between pages. A text that is the same on all of them
//    is found in menus and footers as well, and nothing tells which it is.
//  - The places of all values are resolved together (core/annotation), and the
//    learner looks for one description of them all.
//  - What is learnt must be valid in the sense of `learn`: it gives back all
//    that it was learnt from. It begins with a few pages and goes on with some
//    of those on which it fails.
//  - And the rule must pass the field test on all pages crawled on both days,
//    which are as a rule many times those it was learnt from. One that follows
//    coincidences does not extract the same as before from nineteen of twenty,
//    and one that finds values on pages that had none does not pass either.
//
// The last is what counts; so where nothing valid comes of all that is known of
// an attribute, it is tried with less: without values in places unlike those of
// most others (the old rule took a genre for a director where the director was
// missing), then also without the pages that had none (it may have missed
// some). Values that list several are cut up where the lists are not found but
// their parts are.
//
// An attribute that cannot be learnt again is left out if it is neither
// mandatory nor constant, and the reason says so; otherwise there is no repair.
//
// A program whose attributes cannot be taken apart, as one that finds whole
// records, is learnt again as a whole from the records that its pages had, each
// value that is still on its page told with the number of its record.

namespace trommel::reuse {
namespace {

// Of the pages that had values, those on which they have to be found.
constexpr double kMostPages = 0.5;
constexpr double kNearlyAllPages = 0.8;
// Of the values that are found, those that are in places alike.
constexpr double kMainPlaces = 0.6;
constexpr int64_t kMinPagesWithValues = 2;
// Learning begins with so many pages, and goes on with more of those that fail.
constexpr size_t kFirstPages = 12;
constexpr size_t kPagesPerRound = 6;
constexpr int kMaxRounds = 4;

// What is told to the learner, from all that is known to less.
struct Telling {
  bool only_main_places;
  bool absences;
};
constexpr Telling kTellings[] = {{false, true}, {true, true}, {true, false}};

// What the old values of an attribute say of a new page.
struct PageKnowledge {
  std::vector<std::string> values;  // that it had
  bool is_found = false;            // all of them
  bool is_in_main_places = false;   // all of them

  bool IsTold(const Telling& telling) const {
    if (values.empty()) return telling.absences;
    return telling.only_main_places ? is_in_main_places : is_found;
  }
};

struct Knowledge {
  std::vector<PageKnowledge> pages;
  int64_t had = 0;
  int64_t found = 0;
  int64_t in_main_places = 0;
  int64_t distinct = 0;
};

// How the new design may say the values of a repeated attribute.
enum class Form { kAsBefore, kCut };

// The values of an attribute on a page of one record, without placeholders.
std::vector<std::string> OldValues(const proto::Schema& schema, int attribute,
                                   const std::vector<record::Record>& golden,
                                   Form form) {
  if (golden.empty()) return {};
  record::Record record = ComparableRecord(schema, golden[0]);
  if (form == Form::kCut) record = CutLists(schema, std::move(record));
  return record.values(attribute);
}

Knowledge FindOnPages(const RepairInput& input,
                      const std::vector<annotation::ResolvePage>& pages,
                      int attribute, Form form) {
  const proto::Schema& schema = input.broken->schema();
  Knowledge knowledge;
  knowledge.pages.resize(pages.size());
  std::vector<annotation::WantedValue> wanted;
  std::vector<size_t> absent;
  std::set<std::vector<std::string>> distinct;
  for (size_t i = 0; i < pages.size(); ++i) {
    PageKnowledge& page = knowledge.pages[i];
    page.values = OldValues(schema, attribute, input.golden[i], form);
    if (page.values.empty()) {
      absent.push_back(i);
      continue;
    }
    ++knowledge.had;
    distinct.insert(page.values);
    page.is_found = page.is_in_main_places = true;
    for (const std::string& value : page.values) {
      wanted.push_back(annotation::WantedValue{.page = i, .value = value});
    }
  }
  knowledge.distinct = static_cast<int64_t>(distinct.size());
  const std::vector<annotation::ResolvedValue> resolved =
      annotation::ResolveValues(pages, wanted, absent,
                                schema::IsLink(schema.attribute(attribute)));
  for (size_t i = 0; i < wanted.size(); ++i) {
    PageKnowledge& page = knowledge.pages[wanted[i].page];
    page.is_found &= !resolved[i].places.empty();
    page.is_in_main_places &= resolved[i].group == 0;
  }
  for (const PageKnowledge& page : knowledge.pages) {
    knowledge.found += page.is_found ? 1 : 0;
    knowledge.in_main_places += page.is_in_main_places ? 1 : 0;
  }
  return knowledge;
}

// Why the attribute cannot be learnt; empty if it can.
std::string WhyNot(const Knowledge& knowledge,
                   const proto::Attribute& attribute) {
  const double least = attribute.constant() ? kMostPages : kNearlyAllPages;
  if (knowledge.found < kMinPagesWithValues ||
      static_cast<double>(knowledge.found) <=
          least * static_cast<double>(knowledge.had)) {
    return StrCat("its values are found on ", knowledge.found, " of ",
                  Counted(knowledge.had, "page"));
  }
  if (knowledge.distinct < 2) return "its value is the same on all pages";
  return "";
}

// Adds what an old value says of a new page; no value: that there is none.
annotation::Annotation& Annotate(
    const learn::LearnPage& page, const std::string& attribute,
    const std::string& value,
    std::vector<annotation::Annotation>* annotations) {
  annotation::Annotation& annotation = annotations->emplace_back();
  annotation.line = static_cast<int64_t>(annotations->size());
  annotation.kind = value.empty() ? annotation::Annotation::Kind::kAbsent
                                  : annotation::Annotation::Kind::kValue;
  annotation.url = page.url;
  annotation.attribute = attribute;
  annotation.value = value;
  return annotation;
}

std::vector<annotation::Annotation> Tell(
    const Knowledge& knowledge, const Telling& telling,
    const std::string& attribute, const std::vector<learn::LearnPage>& pages,
    const std::set<size_t>& told) {
  std::vector<annotation::Annotation> annotations;
  for (const size_t i : told) {
    const PageKnowledge& page = knowledge.pages[i];
    if (!page.IsTold(telling)) continue;
    if (page.values.empty()) Annotate(pages[i], attribute, "", &annotations);
    for (const std::string& value : page.values) {
      Annotate(pages[i], attribute, value, &annotations);
    }
  }
  annotation::RemoveContradictions(&annotations);
  return annotations;
}

bool HasMainPlaces(const Knowledge& knowledge) {
  return static_cast<double>(knowledge.in_main_places) >=
         kMainPlaces * static_cast<double>(knowledge.found);
}

class Repairer {
 public:
  Repairer(const learn::Learner& learner, RepairInput input)
      : learner_(learner), input_(std::move(input)) {}

  absl::StatusOr<RepairOutcome> Run() {
    const proto::Rule& broken = *input_.broken;
    if (!rule::fields::IsFields(broken.program())) return LearnWhole();
    Search();
    rule_ = input_.about;
    *rule_.mutable_schema() = broken.schema();
    rule_.set_learner(broken.learner());
    for (int i = 0; i < broken.schema().attribute_size(); ++i) {
      const std::string& name = broken.schema().attribute(i).name();
      const proto::AttributeRule* const before =
          rule::fields::FindAttributeRule(broken.program(), name);
      if (before == nullptr) continue;
      if (input_.working.count(name) > 0) {
        rule::fields::AddAttributeRule(*before, rule_.mutable_program());
        continue;
      }
      TROMMEL_RETURN_IF_ERROR(LearnAgain(i));
    }
    learn::AddSamplePages(input_.pages, /*annotated=*/{}, &rule_);
    return Conclude();
  }

 private:
  absl::StatusOr<RepairOutcome> LearnWhole() {
    TROMMEL_ASSIGN_OR_RETURN(learn::ClusterOutcome learnt,
                             Learn(TellRecords()));
    RepairOutcome outcome;
    if (!learnt.rule.has_value() || !learnt.rule->validity().valid()) {
      outcome.reason =
          StrCat("its records cannot be learnt again: ",
                 learnt.reason.empty() ? "none of their values is on its page"
                                       : learnt.reason);
      return outcome;
    }
    outcome.reason =
        StrCat("learnt again by old records of ",
               Counted(static_cast<int64_t>(input_.pages.size()), "page"));
    outcome.rule = std::move(learnt.rule);
    outcome.rule->clear_bellwether();
    return outcome;
  }

  // What the old records say of some of the new pages.
  std::vector<annotation::Annotation> TellRecords() const {
    const proto::Schema& schema = input_.broken->schema();
    std::vector<annotation::Annotation> annotations;
    const size_t step = std::max<size_t>(1, input_.pages.size() / kFirstPages);
    for (size_t i = 0; i < input_.pages.size(); i += step) {
      const annotation::PageText text(input_.pages[i].document);
      for (size_t k = 0; k < input_.golden[i].size(); ++k) {
        const record::Record record =
            ComparableRecord(schema, input_.golden[i][k]);
        for (int place = 0; place < schema.attribute_size(); ++place) {
          for (const std::string& value : record.values(place)) {
            // Links stand in attributes, where the learner looks for them.
            if (!schema::IsLink(schema.attribute(place)) &&
                text.Find(value, /*max_parts=*/1).empty()) {
              continue;
            }
            Annotate(input_.pages[i], schema.attribute(place).name(), value,
                     &annotations)
                .record = static_cast<int64_t>(k);
          }
        }
      }
    }
    annotation::RemoveContradictions(&annotations);
    return annotations;
  }

  // Where the values of attributes that broke are on the pages.
  void Search() {
    const proto::Schema& schema = input_.broken->schema();
    std::deque<annotation::PageText> texts;
    std::vector<annotation::ResolvePage> pages;
    for (const learn::LearnPage& page : input_.pages) {
      texts.emplace_back(page.document);
      pages.push_back({&texts.back(), page.url});
    }
    knowledge_.resize(static_cast<size_t>(schema.attribute_size()));
    for (int i = 0; i < schema.attribute_size(); ++i) {
      const proto::Attribute& attribute = schema.attribute(i);
      if (input_.working.count(attribute.name()) > 0) continue;
      for (const Form form : {Form::kAsBefore, Form::kCut}) {
        knowledge_[static_cast<size_t>(i)].push_back(
            FindOnPages(input_, pages, i, form));
        if (!attribute.repeated()) break;
      }
    }
  }

  // What was learnt of an attribute, and on how many pages it does not find
  // what it used to.
  struct Attempt {
    std::optional<proto::Rule> rule;
    size_t failing = 0;
  };

  absl::Status LearnAgain(int place) {
    const proto::Attribute& attribute =
        input_.broken->schema().attribute(place);
    const std::vector<Knowledge>& forms =
        knowledge_[static_cast<size_t>(place)];
    Attempt best;
    for (const Knowledge& knowledge : forms) {
      if (!WhyNot(knowledge, attribute).empty()) continue;
      for (const Telling& telling : kTellings) {
        if (best.rule.has_value() && best.failing == 0) break;
        if (!telling.only_main_places || HasMainPlaces(knowledge)) {
          TROMMEL_RETURN_IF_ERROR(
              LearnByRounds(place, knowledge, telling, &best));
        }
      }
    }
    if (best.rule.has_value()) {
      proto::AttributeRule learnt = *rule::fields::FindAttributeRule(
          best.rule->program(), attribute.name());
      TROMMEL_RETURN_IF_ERROR(AddStopValues(*best.rule, place, &learnt));
      rule::fields::AddAttributeRule(std::move(learnt),
                                     rule_.mutable_program());
      rule_.set_learner(best.rule->learner());
      relearnt_.push_back(attribute.name());
      AddValidity(best.rule->validity());
      return absl::OkStatus();
    }
    std::string why_not = WhyNot(forms[0], attribute);
    if (why_not.empty()) {
      why_not = "nothing that was learnt gives its values back";
    }
    lost_.push_back(StrCat(attribute.name(), " (", why_not, ")"));
    if (attribute.mandatory() || attribute.constant()) {
      missing_.push_back(attribute.name());
    }
    return absl::OkStatus();
  }

  // Learns from a few pages, tries the rest, and learns again with some of
  // those on which it failed: an editor would be asked for these too. Replaces
  // the best attempt so far if it is better.
  absl::Status LearnByRounds(int place, const Knowledge& knowledge,
                             const Telling& telling, Attempt* best) {
    const std::string& name = input_.broken->schema().attribute(place).name();
    const size_t num_pages = input_.pages.size();
    const size_t step = std::max<size_t>(1, num_pages / kFirstPages);
    std::set<size_t> told;
    for (size_t i = 0; i < num_pages; i += step) told.insert(i);
    for (int round = 0; round < kMaxRounds; ++round) {
      TROMMEL_ASSIGN_OR_RETURN(
          const learn::ClusterOutcome outcome,
          Learn(Tell(knowledge, telling, name, input_.pages, told)));
      if (!outcome.rule.has_value() || !outcome.rule->validity().valid() ||
          rule::fields::FindAttributeRule(outcome.rule->program(), name) ==
              nullptr) {
        return absl::OkStatus();
      }
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<size_t> failing,
                               FailingPages(*outcome.rule, place, knowledge));
      if (!best->rule.has_value() || failing.size() < best->failing) {
        best->rule = outcome.rule;
        best->failing = failing.size();
      }
      size_t added = 0;
      for (const size_t i : failing) {
        if (added == kPagesPerRound) break;
        if (!knowledge.pages[i].IsTold(telling)) continue;
        added += told.insert(i).second ? 1 : 0;
      }
      if (added == 0) return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  // Pages on which a rule does not find what it used to.
  absl::StatusOr<std::vector<size_t>> FailingPages(
      const proto::Rule& rule, int place, const Knowledge& knowledge) const {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<rule::PageExtractor> extractor,
        rule::CompileRule(rule));
    const auto comparable = [&](const std::vector<record::Record>& records) {
      return record::NormalizedValues(
          OldValues(rule.schema(), place, records, Form::kAsBefore));
    };
    std::vector<size_t> failing;
    for (size_t i = 0; i < input_.pages.size(); ++i) {
      record::Record wanted(rule.schema());
      wanted.attributes[static_cast<size_t>(place)].values =
          knowledge.pages[i].values;
      const std::vector<record::Record> found =
          extractor->Extract(input_.pages[i].document, input_.pages[i].url);
      if (comparable(found) != comparable({wanted})) failing.push_back(i);
    }
    return failing;
  }

  // "n/a" where an old page said nothing was not told to the learner; it is no
  // value all the same.
  absl::Status AddStopValues(const proto::Rule& learnt, int place,
                             proto::AttributeRule* attribute) const {
    if (learnt.schema().attribute(place).mandatory()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<rule::PageExtractor> extractor,
        rule::CompileRule(learnt));
    std::set<std::string> stop_values;
    for (const learn::LearnPage& page : input_.pages) {
      for (const record::Record& record :
           extractor->Extract(page.document, page.url)) {
        for (const std::string& value : record.values(place)) {
          if (IsPlaceholder(value)) stop_values.insert(value);
        }
      }
    }
    rule::fields::AddStopValues(stop_values, attribute);
    return absl::OkStatus();
  }

  // From the annotated pages alone: the rest is for the field test.
  absl::StatusOr<learn::ClusterOutcome> Learn(
      const std::vector<annotation::Annotation>& annotations) {
    if (annotations.empty()) return learn::ClusterOutcome();
    std::set<std::string_view> annotated;
    for (const annotation::Annotation& annotation : annotations) {
      annotated.insert(annotation.url);
    }
    std::vector<learn::ClusterSample> clusters(1);
    clusters[0].about = input_.about;
    // Pages cannot be copied; they are lent.
    std::vector<size_t> places;
    for (size_t i = 0; i < input_.pages.size(); ++i) {
      if (annotated.count(input_.pages[i].url) == 0) continue;
      places.push_back(i);
      clusters[0].pages.push_back(std::move(input_.pages[i]));
    }
    learn::LearnSettings settings;
    settings.budget_per_cluster = input_.budget;
    settings.max_annotated_pages = static_cast<int64_t>(annotated.size());
    absl::StatusOr<std::vector<learn::ClusterOutcome>> outcomes =
        learn::LearnSite(learner_, input_.broken->schema(), clusters,
                         annotations, settings);
    for (size_t i = 0; i < places.size(); ++i) {
      input_.pages[places[i]] = std::move(clusters[0].pages[i]);
    }
    if (!outcomes.ok()) return outcomes.status();
    return std::move((*outcomes)[0]);
  }

  // The rule is as good as the worst of what was learnt.
  void AddValidity(const proto::Validity& validity) {
    proto::Validity* const all = rule_.mutable_validity();
    if (relearnt_.size() == 1) {
      *all = validity;
      return;
    }
    all->set_precision(std::min(all->precision(), validity.precision()));
    all->set_recall(std::min(all->recall(), validity.recall()));
    all->set_pages(std::min(all->pages(), validity.pages()));
  }

  RepairOutcome Conclude() {
    RepairOutcome outcome;
    const std::string why_lost =
        lost_.empty()
            ? ""
            : StrCat("; not found again: ", absl::StrJoin(lost_, ", "));
    if (!missing_.empty()) {
      outcome.reason = StrCat(absl::StrJoin(missing_, ", "),
                              " cannot be learnt again", why_lost);
    } else if (rule_.program().fields().attribute_size() == 0) {
      outcome.reason = StrCat("nothing is left of the rule", why_lost);
    } else if (relearnt_.empty() && lost_.empty()) {
      outcome.reason = "no attribute is broken by itself";
    } else {
      if (relearnt_.empty()) {
        outcome.reason = "the rule goes on with fewer attributes";
        *rule_.mutable_validity() = input_.broken->validity();
      } else {
        outcome.reason = StrCat(
            absl::StrJoin(relearnt_, ", "), " learnt again by old values on ",
            Counted(static_cast<int64_t>(input_.pages.size()), "page"));
      }
      StrAppend(&outcome.reason, why_lost);
      outcome.rule = std::move(rule_);
    }
    return outcome;
  }

  const learn::Learner& learner_;
  RepairInput input_;
  std::vector<std::vector<Knowledge>> knowledge_;  // by attribute and form
  proto::Rule rule_;
  std::vector<std::string> relearnt_;
  std::vector<std::string> lost_;     // not learnt, with the reason
  std::vector<std::string> missing_;  // of these, mandatory or constant
};

}  // namespace

absl::StatusOr<RepairOutcome> RepairRule(const learn::Learner& learner,
                                         RepairInput input) {
  if (input.pages.empty()) {
    RepairOutcome outcome;
    outcome.reason = "no page of those crawled before can be parsed";
    return outcome;
  }
  return Repairer(learner, std::move(input)).Run();
}

}  // namespace trommel::reuse
