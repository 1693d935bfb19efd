#include "core/xpath/matcher.h"

#include <utility>

#include "core/base/status.h"
#include "core/xpath/evaluator_internal.h"
#include "core/xpath/program_internal.h"

namespace trommel::xpath {

Matcher::Matcher(std::unique_ptr<const Program> program)
    : program_(std::move(program)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

absl::StatusOr<Matcher> Matcher::Compile(const LocationPath& path) {
  TROMMEL_RETURN_IF_ERROR(Validate(path));
  return Matcher(std::make_unique<const Program>(CompileProgram(path)));
}

void Matcher::Select(const html::Document& document,
                     std::vector<Match>* matches) const {
  Evaluator(*program_, document).Select(0, matches);
}

bool Matcher::Matches(const html::Document& document, html::NodeId node) const {
  return Evaluator(*program_, document).Matches(0, node);
}

bool Matcher::selects_attributes() const {
  return program_->path.end != CompiledPath::End::kNode;
}

PageMatcher::PageMatcher(const Matcher& matcher, const html::Document& document)
    : evaluator_(std::make_unique<Evaluator>(*matcher.program_, document)) {}
PageMatcher::PageMatcher(PageMatcher&&) noexcept = default;
PageMatcher::~PageMatcher() = default;

void PageMatcher::Select(std::vector<Match>* matches) {
  evaluator_->Select(0, matches);
}

bool PageMatcher::Matches(html::NodeId node) {
  return evaluator_->Matches(0, node);
}

void PageMatcher::SelectFrom(html::NodeId context,
                             std::vector<Match>* matches) {
  evaluator_->Select(context, matches);
}

bool PageMatcher::MatchesFrom(html::NodeId context, html::NodeId node) {
  return evaluator_->Matches(context, node);
}

}  // namespace trommel::xpath
