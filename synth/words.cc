#include "synth/words.h"

#include "core/base/status.h"
#include "synth/assets_internal.h"
#include "synth/data.h"

namespace trommel::synth {

absl::StatusOr<proto::SynthWords> ParseWords(std::string_view text) {
  proto::SynthWords words;
  TROMMEL_RETURN_IF_ERROR(ParseData(text, &words));
  if (words.month_size() != 12) {
    return absl::InvalidArgumentError("month: not 12");
  }
  if (words.service_link_size() !=
      words.footer_heading_size() * kLinksPerFooterColumn) {
    return absl::InvalidArgumentError(
        "service_link: not as many as the footer's columns have");
  }
  if (words.headline_size() < kMaxHeadlineLinks) {
    return absl::InvalidArgumentError("headline: fewer than a list of links");
  }
  return words;
}

const proto::SynthWords& Words() {
  static const auto* const words =
      new proto::SynthWords(ParseWords(assets::kWords).value());
  return *words;
}

}  // namespace trommel::synth
