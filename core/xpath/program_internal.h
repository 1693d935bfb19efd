#ifndef TROMMEL_CORE_XPATH_PROGRAM_INTERNAL_H_
#define TROMMEL_CORE_XPATH_PROGRAM_INTERNAL_H_

// What Matcher::Compile() makes of a LocationPath: the same tree with
// everything decided that does not need a page.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/xpath/ast.h"
#include "core/xpath/string_test_internal.h"

namespace trommel::xpath {

struct CompiledExpr;

// Names are referred to by their index in Program::names.
inline constexpr uint32_t kNoName = UINT32_MAX;

inline constexpr size_t kNoSearch = SIZE_MAX;
inline constexpr uint32_t kNoMemo = UINT32_MAX;
// Tables take a byte per node of the page.
inline constexpr uint32_t kMaxMemos = 64;

struct CompiledStep {
  Axis axis = Axis::kChild;
  NodeTest test = NodeTest::kName;
  uint32_t name = kNoName;
  // Cheapest first where no position makes the order matter.
  std::vector<CompiledExpr> predicates;
  // How many predicates at the front look at the node itself only. 0 for
  // positional steps.
  size_t num_cheap = 0;
  // Some predicate depends on the position among the nodes of the axis, or on
  // their number as well.
  bool positional = false;
  bool needs_size = false;
  // Where exactly one predicate does, as a plain [3] or [last()]: its index.
  size_t lone_position = SIZE_MAX;
  // What is known of the text nearest to a node that the step selects: where
  // it is (kPreceding or kFollowing), and its first byte, white space left
  // out, which is one of these. kSelf where nothing is.
  Axis anchor_axis = Axis::kSelf;
  std::string anchor_first_bytes;
};

// Steps, and what is taken of the nodes at their end.
struct CompiledPath {
  enum class End : uint8_t { kNode, kNamedAttribute, kAnyAttribute };
  std::vector<CompiledStep> steps;
  End end = End::kNode;
  uint32_t attribute = kNoName;
};

struct CompiledExpr {
  enum class Op : uint8_t { kPosition, kLast, kExists, kTest, kAnd, kOr, kNot };
  Op op = Op::kExists;
  // Of nodes at or around the given one: what most predicates are about gets
  // by without the general evaluation of paths.
  enum class Subject : uint8_t { kSelf, kAttribute, kPath };
  Subject subject = Subject::kPath;
  bool is_attribute_equality = false;  // @name="literal"
  // preceding::text()[1][...] or following::text()[1][...]
  bool is_nearest_text = false;
  // kTest takes the first node only, rather than any.
  bool first_only = false;
  Position position = kNoPosition;
  CompiledPath path;  // for kAttribute, path.attribute
  StringTest test;
  // Which table remembers the answers, for expressions that may be asked about
  // one node again and again.
  uint32_t memo = kNoMemo;
  std::vector<CompiledExpr> operands;
};

struct Program {
  bool absolute = true;
  Position position = kNoPosition;
  CompiledPath path;
  std::vector<std::string> names;
  uint32_t num_memos = 0;
  // The steps lead down only, so a node can be tested from below.
  bool downward = false;
  // The step that Select() searches the page for: those before it are tested
  // upwards. kNoSearch where the path has to be followed from its beginning.
  size_t search = kNoSearch;
};

// The path must be valid.
Program CompileProgram(const LocationPath& path);

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_PROGRAM_INTERNAL_H_
