#ifndef TROMMEL_SYNTH_ROLES_H_
#define TROMMEL_SYNTH_ROLES_H_

#include <string_view>

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

inline constexpr int kNumSynonyms = 4;

// Words from which names of a role or part are made.
extern const std::string_view kRoleWords[static_cast<int>(Role::kCount)]
                                        [kNumSynonyms];
extern const std::string_view kPartWords[static_cast<int>(Part::kCount)]
                                        [kNumSynonyms];

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_ROLES_H_
