#include "core/learn/vertex/naive_bayes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/xpath/ast.h"
#include "core/xpath/printer.h"

// A Naive-Bayes classifier over weak features (III-C 3 of the Vertex paper).
//
// Candidates are told apart by all HTML attributes of the node and its
// ancestors, not only ids and classes, with and without their values, by tags,
// and by the texts beside them. Level 0 is asked of the node itself, level 1 of
// its parent, and what is further up of any ancestor: weak features need not
// know how far.
//
// There are few positive examples, one to four as a rule, and many negative
// ones. Of the features, those with the highest mutual information with the
// label are kept, and their probabilities are smoothed (add one half), so that
// no single feature decides.
//
// Cost: the features of each example are strings, some dozens; examples are
// bounded by the caller. On a page the classifier asks each feature of each
// candidate.

namespace trommel::learn::vertex {
namespace {

using html::Document;
using html::kNoNode;
using html::NodeId;
using xpath::Axis;
using xpath::LocationStep;
using xpath::NodeTest;

constexpr size_t kMaxFeatures = 24;
constexpr size_t kMaxValueBytes = 80;
constexpr size_t kMaxAttributes = 32;  // of an element
constexpr double kSmoothing = 0.5;

Axis AxisOf(int level) {
  if (level == 0) return Axis::kSelf;
  return level == 1 ? Axis::kParent : Axis::kAncestor;
}

std::string Relative(LocationStep step) {
  xpath::LocationPath path;
  path.absolute = false;
  path.steps = {std::move(step)};
  return xpath::ToString(path);
}

std::set<std::string> FeaturesOf(const PageFacts& page, NodeId node) {
  std::set<std::string> features;
  const Document& document = page.document();
  for (int level = 0; level <= kMaxLevel; ++level) {
    const NodeId id = page.Ancestor(node, level);
    if (id == kNoNode) break;
    if (!document.IsElement(id)) continue;
    const Axis axis = AxisOf(level);
    features.insert(
        Relative(xpath::MakeStep(axis, std::string(document.TagOf(id)))));
    const auto attributes = document.Attributes(id).first(
        std::min(kMaxAttributes, document.Attributes(id).size()));
    for (const html::Attribute& attribute : attributes) {
      const std::string name(document.NameOf(attribute.name));
      const std::string value(document.Value(attribute));
      features.insert(Relative(xpath::MakeStep(axis, NodeTest::kAnyElement,
                                               {xpath::HasAttribute(name)})));
      if (value.empty() || value.size() > kMaxValueBytes) continue;
      features.insert(Relative(xpath::MakeStep(
          axis, NodeTest::kAnyElement, {xpath::AttributeIs(name, value)})));
    }
  }
  const auto add_text = [&](Axis axis, NodeId text) {
    if (text == kNoNode) return;
    const std::string value = page.Text(text);
    if (value.size() > kMaxValueBytes) return;
    features.insert(Relative(xpath::MakeStep(
        axis, NodeTest::kText,
        {xpath::AtPosition(1), xpath::Compare(xpath::ExprKind::kEquals,
                                              xpath::Self(), value, true)})));
  };
  add_text(Axis::kPreceding, page.LeftText(node));
  add_text(Axis::kFollowing, page.RightText(node));
  return features;
}

struct Counts {
  double positive = 0;
  double negative = 0;
};

double Information(double joint, double a, double b, double all) {
  return joint == 0 ? 0 : joint / all * std::log(joint * all / (a * b));
}

double MutualInformation(const Counts& with, double positive, double negative) {
  const double all = positive + negative;
  const double has = with.positive + with.negative;
  return Information(with.positive, has, positive, all) +
         Information(with.negative, has, negative, all) +
         Information(positive - with.positive, all - has, positive, all) +
         Information(negative - with.negative, all - has, negative, all);
}

double Smoothed(double count, double all) {
  return (count + kSmoothing) / (all + 2 * kSmoothing);
}

}  // namespace

proto::Classifier TrainClassifier(const std::vector<PageFacts>& pages,
                                  const std::vector<PageNode>& positive,
                                  const std::vector<PageNode>& negative) {
  std::map<std::string, Counts> counts;
  const auto count = [&](const std::vector<PageNode>& nodes,
                         double Counts::*label) {
    for (const PageNode& node : nodes) {
      for (const std::string& f : FeaturesOf(pages[node.page], node.node)) {
        ++(counts[f].*label);
      }
    }
  };
  count(positive, &Counts::positive);
  count(negative, &Counts::negative);
  const double num_positive = static_cast<double>(positive.size());
  const double num_negative = static_cast<double>(negative.size());
  std::vector<std::pair<double, std::string>> ranked;
  for (const auto& [feature, with] : counts) {
    const double information =
        MutualInformation(with, num_positive, num_negative);
    if (information > 1e-9) ranked.emplace_back(-information, feature);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxFeatures) ranked.resize(kMaxFeatures);

  proto::Classifier classifier;
  classifier.set_prior_log_odds(
      std::log((num_positive + kSmoothing) / (num_negative + kSmoothing)));
  for (const auto& [information, name] : ranked) {
    const Counts& with = counts[name];
    const double p = Smoothed(with.positive, num_positive);
    const double q = Smoothed(with.negative, num_negative);
    auto* const feature = classifier.add_feature();
    feature->set_xpath(name);
    feature->set_log_odds_present(std::log(p / q));
    feature->set_log_odds_absent(std::log((1 - p) / (1 - q)));
  }
  return classifier;
}

}  // namespace trommel::learn::vertex
