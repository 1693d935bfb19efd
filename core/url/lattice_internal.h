#ifndef TROMMEL_CORE_URL_LATTICE_INTERNAL_H_
#define TROMMEL_CORE_URL_LATTICE_INTERNAL_H_

// What a UrlPattern knows of its URLs, as join-semilattices. Private to
// core/url; pattern.cc has the idea.
//
// For every type here, XOf(url) is the summary of one URL, Join() the least
// upper bound (associative, commutative, idempotent), and Covers(x, url) true
// only if Join(x, XOf(url)) would leave x as it is. Equal sets of URLs have
// equal members, whatever the order of joining.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/url/parts_internal.h"

namespace trommel::url::internal {

// How many different texts are remembered, and how many bytes of them.
struct TextLimits {
  size_t values;
  size_t bytes;
};
inline constexpr TextLimits kSegmentLimits = {4, 96};
inline constexpr TextLimits kSchemeLimits = {4, 64};
inline constexpr TextLimits kHostLimits = {8, 255};
// Of texts that are not remembered: bytes of the common front, and of the
// common end.
inline constexpr size_t kMaxAffix = 48;
inline constexpr uint8_t kMaxLength = 2 * kMaxAffix + 1;

// The texts at one place: the values of a segment, say. All different ones
// until they go over the limits; from then on what they have in common.
struct Text {
  bool is_wide = false;
  // When not wide: in order, each once. None at all is the bottom.
  std::vector<std::string> values;
  // When wide. Front and end overlap in texts that are short enough.
  std::string prefix;
  std::string suffix;
  uint8_t min_length = 0;  // or kMaxLength, if that is less
  uint8_t classes = 0;
  uint8_t stem_classes = 0;

  bool is_bottom() const { return !is_wide && values.empty(); }
};
Text TextOf(const UrlToken& token, TextLimits limits);
bool Covers(const Text& text, const UrlToken& token);
void Join(Text* into, const Text& from, TextLimits limits);
// Forgets the values; not the bottom's.
void Widen(Text* text);

// What stands before the path.
struct Origin {
  bool is_absent = false;  // in some URL
  bool is_any = false;     // some URL's is not UTF-8
  Text scheme;
  Text authority;
};
Origin OriginOf(const UrlParts& parts);
bool Covers(const Origin& origin, const UrlParts& parts);
void Join(Origin* into, const Origin& from);

// Paths of one length, or of several: then the segments that all have, from
// the front, and the last two.
struct PathShape {
  uint8_t min_segments = 1;
  uint8_t max_segments = 1;  // UrlParts::kMaxSegments + 1: any number
  std::vector<Text> heads;   // min_segments - 1 of them
  Text before_last;          // of the paths with more than one segment
  Text last;
};
PathShape PathShapeOf(const UrlParts& parts);
bool Covers(const PathShape& path, const UrlParts& parts);
void Join(PathShape* into, const PathShape& from);

struct Param {
  std::string key;
  bool is_always = false;  // in every query
  bool is_bare = false;    // without an equals sign in some query
  uint8_t after = 0;       // bit i: behind param i in some query
  Text value;              // of those with an equals sign
};

struct Query {
  static constexpr size_t kMaxParams = 8;
  static constexpr size_t kMaxKey = 32;

  bool is_absent = false;   // in some URL
  bool is_present = false;  // in some URL
  // Over the limits: nothing more is known.
  bool is_wide = false;
  bool has_repeats = false;   // of a key in one query
  std::vector<Param> params;  // by key
};
Query QueryOf(const UrlParts& parts);
bool Covers(const Query& query, const UrlParts& parts);
void Join(Query* into, const Query& from);

// URLs taken together, behind their origins.
struct Shape {
  // One bit of 64 for each different path and query, by its hash. The number
  // of bits is a lower bound of how many there are: 64 bits stand for 64 or
  // more, about 300 as a rule.
  uint64_t evidence = 0;
  bool has_fragment = false;    // in some URL
  bool lacks_fragment = false;  // in some URL
  PathShape path;
  Query query;
};
Shape ShapeOf(const UrlParts& parts);
bool Covers(const Shape& shape, const UrlParts& parts);
void Join(Shape* into, const Shape& from);

struct Branch {
  std::string section;
  Shape shape;
};

// URLs whose paths look alike from afar, by section until there are too many
// of these.
struct Group {
  static constexpr size_t kMaxBranches = 4;

  // The key; what the level does not tell apart is 0 and empty.
  uint8_t num_segments = 0;
  std::string extension;

  bool is_joined = false;        // one branch, whatever the sections
  std::vector<Branch> branches;  // by section
};

// What the key of a group is made of. Groups of one level are unions of those
// of the level before.
enum class Level : uint8_t {
  kSegmentsAndExtension = 0,
  kSegments = 1,
  kNothing = 2,
};

// The whole summary. The level is the first one with at most kMaxGroups
// groups.
struct Summary {
  static constexpr size_t kMaxGroups = 6;

  bool has_bad_utf8 = false;  // some URL, which is in `origin` only
  Origin origin;
  Level level = Level::kSegmentsAndExtension;
  std::vector<Group> groups;  // by key

  bool is_bottom() const { return groups.empty() && !has_bad_utf8; }
};
Summary SummaryOf(const UrlParts& parts);
bool Covers(const Summary& summary, const UrlParts& parts);
void Join(Summary* into, const Summary& from);
// Goes up to `level` if it is below.
void Raise(Summary* summary, Level level);
// Forgets the sections.
void JoinBranches(Group* group);

// The order of groups in a summary.
bool KeyLess(const Group& a, const Group& b);

}  // namespace trommel::url::internal

#endif  // TROMMEL_CORE_URL_LATTICE_INTERNAL_H_
