#include "tests/testing/random_xpath.h"

#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace trommel::testing_support {
namespace {

using html::NodeId;
using xpath::Axis;
using xpath::Expr;
using xpath::ExprKind;
using xpath::NodeTest;
using xpath::Position;

constexpr int kMaxDepth = 3;

constexpr std::string_view kOddLiterals[] = {"",
                                             " ",
                                             "x",
                                             "\"",
                                             "'",
                                             "'\"",
                                             "a'b\"c",
                                             "  a ",
                                             "\xC2\xA0",
                                             "\xEF\xBF\xBD",
                                             "\n",
                                             "a\tb",
                                             "\xEF\xBF\xBD\xC2\xA0"};
constexpr std::string_view kOddNames[] = {
    "a", "xlink:href", "xmlns", "nosuch", "text", "or", "node", "1st"};

Position RandomPosition(Random* random) {
  return random->Chance(0.2) ? xpath::kLast
                             : static_cast<Position>(random->Between(1, 4));
}

// A value of the page, or a part of it, or a change of it.
std::string LiteralFrom(std::string_view value, Random* random) {
  std::string text(value.substr(0, 60));
  text.resize(ValidUtf8Prefix(text));
  switch (random->Below(4)) {
    case 0:
      return NormalizeSpace(text);
    case 1: {
      const size_t space = text.rfind(' ');
      return text.substr(space == std::string::npos ? 0 : space + 1);
    }
    case 2:
      return text.substr(0, text.find(' '));
    default:
      return text;
  }
}

}  // namespace

RandomXPath::RandomXPath(const html::Document& document) {
  Random random(document.num_nodes());
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.IsElement(id)) {
      tags_.emplace_back(document.TagOf(id));
    } else {
      literals_.push_back(LiteralFrom(document.Text(id), &random));
    }
    for (const html::Attribute& attribute : document.Attributes(id)) {
      attributes_.emplace_back(document.NameOf(attribute.name));
      literals_.push_back(LiteralFrom(document.Value(attribute), &random));
    }
  }
}

std::string RandomXPath::Name(Random* random,
                              const std::vector<std::string>& names) const {
  if (names.empty() || random->Chance(0.05)) {
    return std::string(kOddNames[random->Below(std::size(kOddNames))]);
  }
  return names[random->Below(names.size())];
}

std::string RandomXPath::Literal(Random* random) const {
  if (literals_.empty() || random->Chance(0.2)) {
    return std::string(kOddLiterals[random->Below(std::size(kOddLiterals))]);
  }
  return xpath::LiteralValue(literals_[random->Below(literals_.size())]);
}

xpath::LocationStep RandomXPath::Step(Random* random, int depth) const {
  xpath::LocationStep step;
  // Child steps are what paths are made of mostly.
  constexpr Axis kAxes[] = {Axis::kChild,
                            Axis::kChild,
                            Axis::kChild,
                            Axis::kChild,
                            Axis::kDescendant,
                            Axis::kDescendantOrSelf,
                            Axis::kSelf,
                            Axis::kParent,
                            Axis::kAncestor,
                            Axis::kPreceding,
                            Axis::kPrecedingSibling,
                            Axis::kFollowingSibling,
                            Axis::kFollowing};
  step.axis = kAxes[random->Below(std::size(kAxes))];
  constexpr NodeTest kTests[] = {NodeTest::kName, NodeTest::kName,
                                 NodeTest::kAnyElement, NodeTest::kAnyNode,
                                 NodeTest::kText};
  step.test = kTests[random->Below(std::size(kTests))];
  if (step.test == NodeTest::kName) step.name = Name(random, tags_);
  while (depth < kMaxDepth && random->Chance(depth == 0 ? 0.4 : 0.3)) {
    step.predicates.push_back(Predicate(random, depth + 1));
  }
  return step;
}

std::vector<xpath::LocationStep> RandomXPath::RelativePath(Random* random,
                                                           int depth) const {
  std::vector<xpath::LocationStep> steps;
  switch (random->Below(9)) {
    case 0:
    case 1:
      return xpath::Self();
    case 2:
    case 3:
      return {xpath::AttributeStep(Name(random, attributes_))};
    case 4:
      return {xpath::MakeStep(Axis::kChild, NodeTest::kText)};
    case 5:
      return {xpath::MakeStep(
          Axis::kPreceding, NodeTest::kText,
          {xpath::Compare(ExprKind::kNotEquals, xpath::Self(), "", true),
           xpath::AtPosition(RandomPosition(random))})};
    case 6: {  // the anchors of learnt rules
      const auto test = [&] {
        return xpath::Compare(
            random->Chance(0.5) ? ExprKind::kEquals : ExprKind::kStartsWith,
            xpath::Self(), Literal(random), random->Chance(0.7));
      };
      return {xpath::MakeStep(
          random->Chance(0.5) ? Axis::kPreceding : Axis::kFollowing,
          NodeTest::kText,
          {xpath::AtPosition(1),
           random->Chance(0.3) ? xpath::AnyOf({test(), test()}) : test()})};
    }
    default:
      break;
  }
  do {
    if (random->Chance(0.2)) steps.push_back(xpath::Gap());
    steps.push_back(Step(random, depth));
  } while (random->Chance(0.3));
  if (random->Chance(0.2)) {
    steps.push_back(
        random->Chance(0.3)
            ? xpath::MakeStep(Axis::kAttribute, NodeTest::kAnyElement)
            : xpath::AttributeStep(Name(random, attributes_)));
  }
  return steps;
}

Expr RandomXPath::Comparison(Random* random, int depth) const {
  constexpr ExprKind kKinds[] = {
      ExprKind::kEquals,     ExprKind::kEquals,   ExprKind::kNotEquals,
      ExprKind::kContains,   ExprKind::kContains, ExprKind::kStartsWith,
      ExprKind::kStartsWith, ExprKind::kEndsWith, ExprKind::kHasToken};
  const ExprKind kind = kKinds[random->Below(std::size(kKinds))];
  return xpath::Compare(kind, RelativePath(random, depth), Literal(random),
                        kind != ExprKind::kHasToken && random->Chance(0.4));
}

Expr RandomXPath::Predicate(Random* random, int depth) const {
  const uint64_t kind = random->Below(depth < kMaxDepth ? 12 : 8);
  if (kind < 2) return xpath::AtPosition(RandomPosition(random));
  if (kind < 4) return xpath::Exists(RelativePath(random, depth));
  if (kind < 8) return Comparison(random, depth);
  if (kind < 9) return xpath::Not(Predicate(random, depth + 1));
  std::vector<Expr> operands;
  do {
    operands.push_back(Predicate(random, depth + 1));
  } while (operands.size() < 2 || random->Chance(0.3));
  return kind < 11 ? xpath::AnyOf(std::move(operands))
                   : xpath::AllOf(std::move(operands));
}

xpath::LocationPath RandomXPath::Path(Random* random) const {
  xpath::LocationPath path;
  path.absolute = random->Chance(0.85);
  if (random->Chance(0.75)) path.steps.push_back(xpath::Gap());
  do {
    path.steps.push_back(Step(random, 0));
    if (random->Chance(0.15)) path.steps.push_back(xpath::Gap());
  } while (random->Chance(0.5));
  if (random->Chance(0.15)) {
    path.steps.push_back(
        random->Chance(0.3)
            ? xpath::MakeStep(Axis::kAttribute, NodeTest::kAnyElement)
            : xpath::AttributeStep(Name(random, attributes_)));
  }
  if (random->Chance(0.1)) path.position = RandomPosition(random);
  return path;
}

void MakeDensePage(Random* random, size_t max_nodes, html::Document* document) {
  constexpr std::string_view kTags[] = {"div", "span", "b"};
  constexpr std::string_view kNames[] = {"class", "id", "xlink:href"};
  constexpr std::string_view kValues[] = {"x",      "y", "x y",
                                          " y\tx ", "",  "x\fy"};
  constexpr std::string_view kTexts[] = {"a",      "b",        "a b",
                                         " a  b ", "\xC2\xA0", "a\xC2\xA0",
                                         "\x01",   "a\fb",     "it's \"a\""};
  html::DocumentBuilder builder(document, 512);
  builder.OpenElement(builder.InternName("html"));
  size_t depth = 1;
  while (builder.num_nodes() < max_nodes && depth > 0) {
    switch (random->Below(8)) {
      case 0:
      case 1:
      case 2:
        builder.OpenElement(builder.InternName(kTags[random->Below(3)]));
        for (const std::string_view name : kNames) {
          if (random->Chance(0.6)) continue;
          builder.AddAttribute(builder.InternName(name),
                               kValues[random->Below(std::size(kValues))]);
        }
        ++depth;
        break;
      case 3:
        builder.AddComment(random->Chance(0.5) ? "a" : "a--<b");
        break;
      case 4:
      case 5:
        builder.AddText(kTexts[random->Below(std::size(kTexts))]);
        break;
      default:
        if (depth == 1 && random->Chance(0.8)) break;
        builder.CloseElement();
        --depth;
    }
  }
  builder.Finish();
}

}  // namespace trommel::testing_support
