#include "synth/roles.h"

#include "core/base/status.h"
#include "core/base/strings.h"
#include "synth/assets_internal.h"
#include "synth/data.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

const proto::SynthBlocks::Role& RoleEntry(Role role) {
  return Blocks().role(static_cast<int>(role));
}

absl::Status CheckName(std::string_view name, std::string_view expected) {
  if (name == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("\"", name, "\" in the place of \"", expected, "\""));
}

}  // namespace

absl::StatusOr<proto::SynthBlocks> ParseBlocks(std::string_view text) {
  proto::SynthBlocks blocks;
  TROMMEL_RETURN_IF_ERROR(ParseData(text, &blocks));
  if (blocks.role_size() != static_cast<int>(Role::kCount)) {
    return absl::InvalidArgumentError("role: not as many as Role has");
  }
  if (blocks.part_size() != static_cast<int>(Part::kCount)) {
    return absl::InvalidArgumentError("part: not as many as Part has");
  }
  for (int i = 0; i < blocks.role_size(); ++i) {
    TROMMEL_RETURN_IF_ERROR(CheckName(blocks.role(i).name(), kRoleNames[i]));
  }
  for (int i = 0; i < blocks.part_size(); ++i) {
    TROMMEL_RETURN_IF_ERROR(
        CheckName(blocks.part(i).letter(),
                  kPartLetters.substr(static_cast<size_t>(i), 1)));
  }
  return blocks;
}

const proto::SynthBlocks& Blocks() {
  static const auto* const blocks =
      new proto::SynthBlocks(ParseBlocks(assets::kBlocks).value());
  return *blocks;
}

std::string_view RoleWord(Role role, uint64_t choice) {
  return EntryAt(RoleEntry(role).class_word(), choice);
}

std::string_view PartWord(Part part, uint64_t choice) {
  return EntryAt(Blocks().part(static_cast<int>(part)).class_word(), choice);
}

std::string_view RoleTitle(Role role) { return RoleEntry(role).title(); }
std::string_view RolePrompt(Role role) { return RoleEntry(role).prompt(); }

}  // namespace trommel::synth
