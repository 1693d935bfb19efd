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

struct Search {
  Evaluator* evaluator;
  std::vector<NodeId> found;
};

// The searches of a page, by what their steps select.
class Searches {
 public:
  void Add(Search* search) {
    const CompiledStep& step = search->evaluator->search_step();
    switch (step.test) {
      case NodeTest::kText:
        AddOfText(step, search);
        return;
      case NodeTest::kAnyElement:
        of_elements_.push_back(search);
        return;
      case NodeTest::kAnyNode:
        of_nodes_.push_back(search);
        return;
      case NodeTest::kName:
        break;
    }
    const html::NameId name = search->evaluator->NameOf(step);
    if (name == kAbsentName) return;
    if (name >= by_name_.size()) by_name_.resize(name + 1);
    by_name_[name].push_back(search);
  }

  void Run(const html::Document& document) const {
    const NodeId end = static_cast<NodeId>(document.num_nodes());
    NodeId text_before = html::kNoNode;
    uint8_t first_byte_before = 0;
    for (NodeId id = 1; id < end; ++id) {
      const html::Node& node = document.node(id);
      if (node.kind == NodeKind::kText) {
        const uint8_t first_byte = FirstByte(document.Text(id));
        if (text_before != html::kNoNode) {
          Show(text_before, of_text_before_[first_byte]);
          Show(id, of_text_behind_[first_byte_before]);
        }
        Show(id, of_text_);
        text_before = id;
        first_byte_before = first_byte;
      } else if (node.kind == NodeKind::kElement) {
        Show(id, of_elements_);
        if (node.name < by_name_.size()) Show(id, by_name_[node.name]);
      }
      Show(id, of_nodes_);
    }
  }

 private:
  using List = std::vector<Search*>;

  static uint8_t FirstByte(std::string_view text) {
    for (const char c : text) {
      if (!IsXmlSpace(c)) return static_cast<uint8_t>(c);
    }
    return 0;
  }

  void AddOfText(const CompiledStep& step, Search* search) {
    if (step.anchor_axis == Axis::kSelf) {
      of_text_.push_back(search);
      return;
    }
    auto& lists = step.anchor_axis == Axis::kPreceding ? of_text_behind_
                                                       : of_text_before_;
    for (const char c : step.anchor_first_bytes) {
      lists[static_cast<uint8_t>(c)].push_back(search);
    }
  }

  static void Show(NodeId id, const List& searches) {
    for (Search* const search : searches) {
      if (search->evaluator->IsFound(id)) search->found.push_back(id);
    }
  }

  List of_text_, of_elements_, of_nodes_;
  // By the first byte of the text before, or of the one behind.
  std::array<List, 256> of_text_behind_, of_text_before_;
  std::vector<List> by_name_;
};

}  // namespace

MatcherSet::MatcherSet() = default;
MatcherSet::MatcherSet(MatcherSet&&) noexcept = default;
MatcherSet& MatcherSet::operator=(MatcherSet&&) noexcept = default;
MatcherSet::~MatcherSet() = default;

absl::StatusOr<size_t> MatcherSet::Add(const Path& path) {
  TROMMEL_RETURN_IF_ERROR(Validate(path));
  programs_.push_back(std::make_unique<const Program>(CompileProgram(path)));
  return programs_.size() - 1;
}

void MatcherSet::Select(const html::Document& document,
                        std::vector<std::vector<Match>>* matches) const {
  matches->resize(programs_.size());
  std::deque<Evaluator> evaluators;
  std::vector<Search> searches(programs_.size());
  Searches all;
  for (size_t i = 0; i < programs_.size(); ++i) {
    Evaluator& evaluator = evaluators.emplace_back(*programs_[i], document);
    searches[i].evaluator = &evaluator;
    if (evaluator.HasSearch()) all.Add(&searches[i]);
  }
  all.Run(document);
  for (size_t i = 0; i < programs_.size(); ++i) {
    if (evaluators[i].HasSearch()) {
      evaluators[i].SelectFromFound(&searches[i].found, &(*matches)[i]);
    } else {
      evaluators[i].Select(/*context=*/0, &(*matches)[i]);
    }
  }
}

}  // namespace trommel::xpath
