#ifndef TROMMEL_CORE_RULE_FIELDS_ASSETS_INTERNAL_H_
#define TROMMEL_CORE_RULE_FIELDS_ASSETS_INTERNAL_H_

// The files of this folder that are part of the binary; the definitions are
// written by trommel_embed_assets() of deploy/cmake.

#include <string_view>

namespace trommel::rule::fields {

extern const std::string_view kSharedTemplates;

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_ASSETS_INTERNAL_H_
