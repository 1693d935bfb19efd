#include "core/xpath/matcher_set.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

#include "core/base/status.h"
#include "core/xpath/evaluator_internal.h"
#include "core/xpath/program_internal.h"

// Nearly all learnt paths begin with a search of the page for one step: the
// first one, or the rarest (program_internal.cc). The nodes of a page are more
// than the first-level cache holds, so it pays to ask all paths about a node
// while it is at hand; and most paths have nothing to ask about most nodes,
// because their step has another name. So paths wait in lists by what their
// step selects, and a node is shown to the paths of its lists only. What then
// follows from the few nodes found is each path's own affair.
//
// Many paths ask for the text behind "Price:", or before it. Those wait by the
// first byte of that text, which is looked up once for all of them.

namespace trommel::xpath {
namespace {

using html::NodeId;
using html::NodeKind;

// Paths by their number in the set.
using List = std::vector<uint32_t>;

uint8_t FirstByte(std::string_view text) {
  for (const char c : text) {
    if (!IsXmlSpace(c)) return static_cast<uint8_t>(c);
  }
  return 0;
}

}  // namespace

// Which paths wait for what; a matter of the paths alone.
struct MatcherSet::Waiting {
  List for_text, for_elements, for_nodes;
  // By the first byte of the text before, or of the one behind.
  std::array<List, 256> for_text_behind, for_text_before;
  List for_names;  // what a name is to a page differs from page to page

  void Add(const CompiledStep& step, uint32_t path) {
    switch (step.test) {
      case NodeTest::kText:
        AddForText(step, path);
        return;
      case NodeTest::kAnyElement:
        for_elements.push_back(path);
        return;
      case NodeTest::kAnyNode:
        for_nodes.push_back(path);
        return;
      case NodeTest::kName:
        for_names.push_back(path);
        return;
    }
  }

  void AddForText(const CompiledStep& step, uint32_t path) {
    if (step.anchor_axis == Axis::kSelf) {
      for_text.push_back(path);
      return;
    }
    auto& lists = step.anchor_axis == Axis::kPreceding ? for_text_behind
                                                       : for_text_before;
    for (const char c : step.anchor_first_bytes) {
      lists[static_cast<uint8_t>(c)].push_back(path);
    }
  }
};

// The walk over a page, and what each path's search finds on it.
class MatcherSet::Walk {
 public:
  Walk(const MatcherSet& set, const html::Document& document)
      : waiting_(*set.waiting_),
        document_(document),
        found_(set.programs_.size()) {
    for (const auto& program : set.programs_) {
      evaluators_.emplace_back(*program, document);
    }
    for (const uint32_t path : waiting_.for_names) {
      const Evaluator& evaluator = evaluators_[path];
      const html::NameId name = evaluator.NameOf(evaluator.search_step());
      if (name == kAbsentName) continue;
      if (name >= by_name_.size()) by_name_.resize(name + 1);
      by_name_[name].push_back(path);
    }
  }

  void Run() {
    const NodeId end = static_cast<NodeId>(document_.num_nodes());
    NodeId text_before = html::kNoNode;
    uint8_t first_byte_before = 0;
    for (NodeId id = 1; id < end; ++id) {
      const html::Node& node = document_.node(id);
      if (node.kind == NodeKind::kText) {
        const uint8_t first_byte = FirstByte(document_.Text(id));
        if (text_before != html::kNoNode) {
          Show(text_before, waiting_.for_text_before[first_byte]);
          Show(id, waiting_.for_text_behind[first_byte_before]);
        }
        Show(id, waiting_.for_text);
        text_before = id;
        first_byte_before = first_byte;
      } else if (node.kind == NodeKind::kElement) {
        Show(id, waiting_.for_elements);
        if (node.name < by_name_.size()) Show(id, by_name_[node.name]);
      }
      Show(id, waiting_.for_nodes);
    }
  }

  void Select(size_t path, std::vector<Match>* matches) {
    Evaluator& evaluator = evaluators_[path];
    if (evaluator.HasSearch()) {
      evaluator.SelectFromFound(&found_[path], matches);
    } else {
      evaluator.Select(/*context=*/0, matches);
    }
  }

 private:
  void Show(NodeId id, const List& paths) {
    for (const uint32_t path : paths) {
      if (evaluators_[path].IsFound(id)) found_[path].push_back(id);
    }
  }

  const Waiting& waiting_;
  const html::Document& document_;
  std::deque<Evaluator> evaluators_;        // by path
  std::vector<std::vector<NodeId>> found_;  // by path
  std::vector<List> by_name_;               // by the page's name ids
};

MatcherSet::MatcherSet() : waiting_(std::make_unique<Waiting>()) {}
MatcherSet::MatcherSet(MatcherSet&&) noexcept = default;
MatcherSet& MatcherSet::operator=(MatcherSet&&) noexcept = default;
MatcherSet::~MatcherSet() = default;

absl::StatusOr<size_t> MatcherSet::Add(const LocationPath& path) {
  TROMMEL_RETURN_IF_ERROR(Validate(path));
  auto program = std::make_unique<const Program>(CompileProgram(path));
  const size_t number = programs_.size();
  if (program->search != kNoSearch) {
    waiting_->Add(program->path.steps[program->search],
                  static_cast<uint32_t>(number));
  }
  programs_.push_back(std::move(program));
  return number;
}

void MatcherSet::Select(const html::Document& document,
                        std::vector<std::vector<Match>>* matches) const {
  matches->resize(programs_.size());
  Walk walk(*this, document);
  walk.Run();
  for (size_t i = 0; i < programs_.size(); ++i) walk.Select(i, &(*matches)[i]);
}

}  // namespace trommel::xpath
