#ifndef TROMMEL_CORE_HTML_DIRECT_GIVE_UP_H_
#define TROMMEL_CORE_HTML_DIRECT_GIVE_UP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trommel::html::direct {

// Why a page was left to lexbor. The names stand in tables of tests and
// benchmarks.
#define TROMMEL_HTML_GIVE_UPS(X)                                              \
  X(kNone, "none")                                                            \
  /* Characters. */                                                           \
  X(kNul, "U+0000 in the page")                                               \
  X(kCutOff, "markup cut off by the end of the page")                         \
  /* Nodes that would move. */                                                \
  X(kFosterParenting, "content between the parts of a table")                 \
  X(kAdoption, "formatting element closed around a block")                    \
  X(kScopedAnchor, "<a> inside <a> across a scope")                           \
  X(kRootAttributes, "attributes of a second <html> or <body>")               \
  X(kLateHeadContent, "head content after a comment behind </head>")          \
  /* Elements that are not supported. */                                      \
  X(kFrameset, "<frameset>")                                                  \
  X(kTemplate, "<template>")                                                  \
  X(kMath, "<math>")                                                          \
  X(kPlaintext, "<plaintext>")                                                \
  X(kSelectedContent, "<selectedcontent>")                                    \
  X(kForeignMarkup, "CDATA, <font>, <sup> or a doubled attribute in <svg>")   \
  /* Limits. */                                                               \
  X(kDepth, "depth")                                                          \
  X(kFormatting, "many open formatting elements")                             \
  X(kFormattingEquality, "formatting elements with attributes without value") \
  X(kAttributes, "attributes of one tag")                                     \
  X(kSize, "nodes or memory")                                                 \
  X(kTime, "time")

enum class GiveUp : uint8_t {
#define TROMMEL_HTML_GIVE_UP_ID(id, text) id,
  TROMMEL_HTML_GIVE_UPS(TROMMEL_HTML_GIVE_UP_ID)
#undef TROMMEL_HTML_GIVE_UP_ID
      kCount
};

// Pages by reason; those under kNone were parsed directly.
using GiveUpCounts = std::array<uint64_t, static_cast<size_t>(GiveUp::kCount)>;

constexpr std::string_view ToString(GiveUp reason) {
  constexpr std::array<std::string_view, static_cast<size_t>(GiveUp::kCount)>
      kTexts = {
#define TROMMEL_HTML_GIVE_UP_TEXT(id, text) text,
          TROMMEL_HTML_GIVE_UPS(TROMMEL_HTML_GIVE_UP_TEXT)
#undef TROMMEL_HTML_GIVE_UP_TEXT
      };
  return kTexts[static_cast<size_t>(reason)];
}

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_GIVE_UP_H_
