#ifndef TROMMEL_CORE_XPATH_AST_H_
#define TROMMEL_CORE_XPATH_AST_H_

// XPath expressions as values: the part of XPath 1.0 that extraction rules use.
//
//   LocationPath path = Anywhere({ChildStep("td"), ChildStep("img")}); //td/img
//   path.steps[1].predicates = {AttributeIs("class", "x")};
//   ToString(path)                                        //td[@class="x"]/img
//
// Parse() (core/xpath/parser.h) and ToString() (core/xpath/printer.h) translate
// to and from text, Matcher (core/xpath/matcher.h) runs a path on a page. What
// an expression means on a page is said in core/xpath/matcher.h.
//
// Names are the page's own ("xlink:href", lower case); text has them as
// html::XmlName() writes them ("xlink_x003A_href"). Literals are strings
// without quotes. Comparing, printing and destroying recurse as deep as the
// value is nested; Parse() and Matcher::Compile() refuse more than kMaxNesting.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace trommel::xpath {

enum class Axis : uint8_t {
  kChild,
  kDescendant,
  kDescendantOrSelf,
  kSelf,
  kParent,
  kAncestor,
  kPrecedingSibling,
  kFollowingSibling,
  kPreceding,
  kFollowing,
  kAttribute,  // the last step of a path only
};

enum class NodeTest : uint8_t {
  kName,
  kAnyElement,  // *; on the attribute axis, any attribute
  kAnyNode,     // node()
  kText,        // text()
};

// Positions count from 1. On the axes that lead backwards (parent, ancestor,
// preceding, preceding-sibling) 1 is the nearest node.
using Position = uint32_t;
inline constexpr Position kNoPosition = 0;
inline constexpr Position kLast = UINT32_MAX;
inline constexpr Position kMaxPosition = 999999999;

inline constexpr int kMaxNesting = 32;

struct Expr;

struct LocationStep {
  Axis axis = Axis::kChild;
  NodeTest test = NodeTest::kName;
  std::string name;  // for kName only
  // Each is applied to what the ones before it have left; none on the
  // attribute axis.
  std::vector<Expr> predicates;
};

enum class ExprKind : uint8_t {
  kPosition,    // [3], position()=3, last()
  kExists,      // the path selects something
  kEquals,      // @id="x"; with a path, of any node that it selects
  kNotEquals,   // @id != "x"; likewise of any node
  kContains,    // contains(text(), "x"); this and the next three take the first
  kStartsWith,  // node in document order, and "" where there is none
  kEndsWith,    // spelled by substring() and string-length()
  kHasToken,    // "x" is one of the words of the value, as in class="x y"
  kAnd,
  kOr,
  kNot,
};

// What a predicate says. The members that a kind does not use are empty.
struct Expr {
  ExprKind kind = ExprKind::kExists;
  // kPosition.
  Position position = kNoPosition;
  // kExists to kHasToken: the nodes or the attribute that it is about, from
  // the node that the predicate is tested on. "." is one self::node() step.
  std::vector<LocationStep> path;
  // kEquals to kEndsWith: the value is normalize-space(path), so that of the
  // first node also for kEquals and kNotEquals.
  bool normalize_space = false;
  std::string literal;
  // kAnd and kOr: at least two. kNot: one.
  std::vector<Expr> operands;
};

struct LocationPath {
  // From the document (/ or //); otherwise from a node that the caller names.
  bool absolute = true;
  std::vector<LocationStep> steps;
  // (...)[position]: of all that the steps select, in document order.
  Position position = kNoPosition;
};

bool operator==(const LocationStep& a, const LocationStep& b);
bool operator==(const Expr& a, const Expr& b);
bool operator==(const LocationPath& a, const LocationPath& b);

// Steps and paths in short.
LocationStep MakeStep(Axis axis, NodeTest test,
                      std::vector<Expr> predicates = {});
LocationStep MakeStep(Axis axis, std::string_view name,
                      std::vector<Expr> predicates = {});
LocationStep ChildStep(std::string_view name,
                       std::vector<Expr> predicates = {});
LocationStep AttributeStep(std::string_view name);
// The step that, between two others, is written "//".
LocationStep Gap();
// "//" and the steps.
LocationPath Anywhere(std::vector<LocationStep> steps);

// Predicates in short.
Expr AtPosition(Position position);
Expr Exists(std::vector<LocationStep> path);
Expr HasAttribute(std::string_view name);
Expr AttributeIs(std::string_view name, std::string_view value);
// One of the words of @class.
Expr HasClass(std::string_view token);
// A test of a string value: kEquals to kHasToken.
Expr Compare(ExprKind kind, std::vector<LocationStep> path,
             std::string_view literal, bool normalize_space = false);
// The path ".", for Compare().
std::vector<LocationStep> Self();
Expr AllOf(std::vector<Expr> operands);
Expr AnyOf(std::vector<Expr> operands);
Expr Not(Expr operand);

// Whether the value is an expression at all: what Parse() returns and what
// Matcher::Compile() asks for. The message says what is wrong.
absl::Status Validate(const LocationPath& path);

// The string that a literal stands for: bytes that are no UTF-8 and characters
// that XML forbids are U+FFFD, as they are in the XML of a page. Printing and
// compiling apply it, so text taken from a page needs no preparation.
std::string LiteralValue(std::string_view literal);

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_AST_H_
