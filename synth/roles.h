#ifndef TROMMEL_SYNTH_ROLES_H_
#define TROMMEL_SYNTH_ROLES_H_

#include <cstdint>
#include <iterator>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/synth_data.pb.h"

namespace trommel::synth {

// What a block of a page is for. A design gives every role its own markup and
// its own names.
enum class Role {
  kPage,
  kHeader,
  kLogo,
  kSearchBox,
  kAccount,
  kNav,
  kSubnav,
  kTicker,
  kSidebar,
  kCategories,
  kTopList,
  kNewsletter,
  kPoll,
  kLogin,
  kTagCloud,
  kSideAd,
  kFooter,
  kFooterLinks,
  kSocial,
  kLegal,
  kPayments,
  // The content area.
  kMain,
  kBreadcrumb,
  kHeadline,
  kMedia,
  kOffer,
  kByline,
  kFacts,
  kDescription,
  kReviews,
  kRelated,
  kGallery,
  kVendors,
  kShare,
  kTabs,
  kNotice,
  kAwards,
  kVideo,
  kInlineAd,
  kCommentForm,
  kResults,
  kFilter,
  kPager,
  kSearchForm,
  kQuestions,
  kArticleBody,
  kAuthor,
  kCartItems,
  kCartSummary,
  kCheckout,
  kProfile,
  kRatings,
  kPolicies,
  kContact,
  kTopics,
  kCount,
};

// Names of the roles in data/blocks.textproto, in the order of Role.
inline constexpr std::string_view kRoleNames[] = {
    "page",         "header",       "logo",       "search_box",
    "account",      "nav",          "subnav",     "ticker",
    "sidebar",      "categories",   "top_list",   "newsletter",
    "poll",         "login",        "tag_cloud",  "side_ad",
    "footer",       "footer_links", "social",     "legal",
    "payments",     "main",         "breadcrumb", "headline",
    "media",        "offer",        "byline",     "facts",
    "description",  "reviews",      "related",    "gallery",
    "vendors",      "share",        "tabs",       "notice",
    "awards",       "video",        "inline_ad",  "comment_form",
    "results",      "filter",       "pager",      "search_form",
    "questions",    "article_body", "author",     "cart_items",
    "cart_summary", "checkout",     "profile",    "ratings",
    "policies",     "contact",      "topics"};
static_assert(std::size(kRoleNames) == static_cast<size_t>(Role::kCount));

// The part that an element plays inside its block. Shapes (shapes.h) name
// parts by one letter.
enum class Part {
  kBox,
  kHead,
  kBody,
  kList,
  kItem,
  kLink,
  kImage,
  kLabel,
  kValue,
  kText,
  kMeta,
  kButton,
  kWrap,
  kInner,
  kIcon,
  kField,
  kCount,
};

// Letters of the parts in shapes and in that file, in the order of Part.
inline constexpr std::string_view kPartLetters = "bhyliagnvtmuwrcf";
static_assert(kPartLetters.size() == static_cast<size_t>(Part::kCount));

// The word that `choice` falls on among those from which names of a role or
// part are made.
std::string_view RoleWord(Role role, uint64_t choice);
std::string_view PartWord(Part part, uint64_t choice);

// The heading of the role's box, and what its form asks for.
std::string_view RoleTitle(Role role);
std::string_view RolePrompt(Role role);

// The names of blocks, data/blocks.textproto.
const proto::SynthBlocks& Blocks();

// Such a file's names: every role and every part in its place.
absl::StatusOr<proto::SynthBlocks> ParseBlocks(std::string_view text);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_ROLES_H_
