#include "core/url/lattice_internal.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/hash.h"
#include "core/base/text.h"

namespace trommel::url::internal {
namespace {

size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t length = 0;
  while (length < limit && a[length] == b[length]) ++length;
  return length;
}

size_t CommonSuffix(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t length = 0;
  while (length < limit &&
         a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
    ++length;
  }
  return length;
}

uint8_t CappedLength(size_t length) {
  return static_cast<uint8_t>(std::min<size_t>(length, kMaxLength));
}

Text WideTextOf(const UrlToken& token) {
  Text text;
  text.is_wide = true;
  text.prefix = token.text().substr(0, kMaxAffix);
  text.suffix =
      token.text().substr(token.size - std::min(token.size, kMaxAffix));
  text.min_length = CappedLength(token.size);
  text.classes = token.classes;
  text.stem_classes = token.stem_classes;
  return text;
}

bool HasValue(const Text& text, std::string_view value) {
  for (const std::string& known : text.values) {
    if (known == value) return true;
  }
  return false;
}

// The same as below, without the classes as long as nobody needs them.
bool CoversText(const Text& text, std::string_view value) {
  return text.is_wide ? Covers(text, TokenOf(value)) : HasValue(text, value);
}

// Both are wide.
void JoinWide(Text* into, const Text& from) {
  into->prefix.resize(CommonPrefix(into->prefix, from.prefix));
  into->suffix.erase(
      0, into->suffix.size() - CommonSuffix(into->suffix, from.suffix));
  into->min_length = std::min(into->min_length, from.min_length);
  into->classes |= from.classes;
  into->stem_classes |= from.stem_classes;
}

bool Fits(const std::vector<std::string>& values, TextLimits limits) {
  if (values.size() > limits.values) return false;
  size_t bytes = 0;
  for (const std::string& value : values) bytes += value.size();
  return bytes <= limits.bytes;
}

// The place of `key` among the params, which are in order, or their number.
size_t FindParam(const std::vector<Param>& params, std::string_view key) {
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i].key == key) return i;
  }
  return params.size();
}

uint8_t EvidenceBit(const UrlParts& parts) {
  return static_cast<uint8_t>(Hash64(parts.path_and_query()) % 64);
}

// The params of `from` become part of those of `into`. Both are of queries
// that exist, so a key that only one of them has is not in every query.
void JoinParams(std::vector<Param>* into, const std::vector<Param>& from) {
  const std::vector<Param>& old = *into;
  std::vector<std::string> keys;
  keys.reserve(old.size() + from.size());
  for (const Param& param : old) keys.push_back(param.key);
  for (const Param& param : from) keys.push_back(param.key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<Param> joined(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    Param& param = joined[i];
    param.is_always = true;
    for (const std::vector<Param>* side : {&old, &from}) {
      const size_t place = FindParam(*side, keys[i]);
      if (place == side->size()) {
        param.is_always = false;
        continue;
      }
      const Param& its = (*side)[place];
      param.is_always &= its.is_always;
      param.is_bare |= its.is_bare;
      Join(&param.value, its.value, kSegmentLimits);
      for (size_t j = 0; j < side->size(); ++j) {
        if ((its.after >> j & 1) == 0) continue;
        const auto before =
            std::lower_bound(keys.begin(), keys.end(), (*side)[j].key);
        // Where there are too many keys, all this is thrown away.
        param.after |= static_cast<uint8_t>(1u << (before - keys.begin()));
      }
    }
    param.key = keys[i];
  }
  *into = std::move(joined);
}

void MakeWide(Query* query) {
  query->is_wide = true;
  query->has_repeats = false;
  query->params.clear();
}

auto GroupKey(const Group& group) {
  return std::make_tuple(group.num_segments, std::string_view(group.extension));
}

// The key at a level.
std::tuple<uint8_t, std::string_view> KeyAt(Level level, uint8_t num_segments,
                                            std::string_view extension) {
  switch (level) {
    case Level::kSegmentsAndExtension:
      return {num_segments, extension};
    case Level::kSegments:
      return {num_segments, std::string_view()};
    case Level::kNothing:
      break;
  }
  return {uint8_t{0}, std::string_view()};
}

void JoinGroup(Group* into, Group from) {
  if (into->is_joined || from.is_joined) {
    JoinBranches(into);
    JoinBranches(&from);
    Join(&into->branches[0].shape, from.branches[0].shape);
    return;
  }
  for (Branch& branch : from.branches) {
    const auto place = std::lower_bound(
        into->branches.begin(), into->branches.end(), branch.section,
        [](const Branch& a, const std::string& b) { return a.section < b; });
    if (place != into->branches.end() && place->section == branch.section) {
      Join(&place->shape, branch.shape);
    } else {
      into->branches.insert(place, std::move(branch));
    }
  }
  if (into->branches.size() > Group::kMaxBranches) JoinBranches(into);
}

void AddGroup(std::vector<Group>* groups, Group group) {
  const auto place =
      std::lower_bound(groups->begin(), groups->end(), group, KeyLess);
  if (place != groups->end() && GroupKey(*place) == GroupKey(group)) {
    JoinGroup(&*place, std::move(group));
  } else {
    groups->insert(place, std::move(group));
  }
}

}  // namespace

Text TextOf(const UrlToken& token, TextLimits limits) {
  if (token.size > limits.bytes) return WideTextOf(token);
  Text text;
  text.values.emplace_back(token.text());
  return text;
}

bool Covers(const Text& text, const UrlToken& token) {
  if (!text.is_wide) return HasValue(text, token.text());
  return CappedLength(token.size) >= text.min_length &&
         token.text().starts_with(text.prefix) &&
         token.text().ends_with(text.suffix) &&
         (token.classes & ~text.classes) == 0 &&
         (token.stem_classes & ~text.stem_classes) == 0;
}

void Widen(Text* text) {
  if (text->is_wide) return;
  Text wide;
  for (const std::string& value : text->values) {
    const Text one = WideTextOf(TokenOf(value));
    if (wide.is_wide) {
      JoinWide(&wide, one);
    } else {
      wide = one;
    }
  }
  *text = std::move(wide);
}

void Join(Text* into, const Text& from, TextLimits limits) {
  if (from.is_bottom()) return;
  if (into->is_bottom()) {
    *into = from;
    return;
  }
  if (into->is_wide || from.is_wide) {
    Text other = from;
    Widen(into);
    Widen(&other);
    JoinWide(into, other);
    return;
  }
  std::vector<std::string> values;
  std::set_union(into->values.begin(), into->values.end(), from.values.begin(),
                 from.values.end(), std::back_inserter(values));
  into->values = std::move(values);
  if (!Fits(into->values, limits)) Widen(into);
}

Origin OriginOf(const UrlParts& parts) {
  Origin origin;
  if (!parts.has_origin()) {
    origin.is_absent = true;
    return origin;
  }
  const std::string_view authority = parts.authority();
  if (!parts.is_utf8() && ValidUtf8Prefix(authority) != authority.size()) {
    origin.is_any = true;
    return origin;
  }
  origin.scheme = TextOf(TokenOf(parts.scheme()), kSchemeLimits);
  origin.authority = TextOf(TokenOf(authority), kHostLimits);
  return origin;
}

bool Covers(const Origin& origin, const UrlParts& parts) {
  if (!parts.has_origin()) return origin.is_absent;
  if (!parts.is_utf8()) return false;  // rare, and left to Join()
  return CoversText(origin.scheme, parts.scheme()) &&
         CoversText(origin.authority, parts.authority());
}

void Join(Origin* into, const Origin& from) {
  into->is_absent |= from.is_absent;
  into->is_any |= from.is_any;
  Join(&into->scheme, from.scheme, kSchemeLimits);
  Join(&into->authority, from.authority, kHostLimits);
}

PathShape PathShapeOf(const UrlParts& parts) {
  PathShape path;
  path.min_segments = static_cast<uint8_t>(parts.num_heads() + 1);
  path.max_segments = static_cast<uint8_t>(parts.num_segments());
  for (size_t i = 0; i < parts.num_heads(); ++i) {
    path.heads.push_back(TextOf(parts.head(i), kSegmentLimits));
  }
  if (parts.num_segments() > 1) {
    path.before_last = TextOf(parts.before_last(), kSegmentLimits);
  }
  path.last = TextOf(parts.last(), kSegmentLimits);
  return path;
}

bool Covers(const PathShape& path, const UrlParts& parts) {
  if (parts.num_segments() > path.max_segments ||
      parts.num_heads() + 1 < path.min_segments) {
    return false;
  }
  for (size_t i = 0; i < path.heads.size(); ++i) {
    if (!Covers(path.heads[i], parts.head(i))) return false;
  }
  return (parts.num_segments() == 1 ||
          Covers(path.before_last, parts.before_last())) &&
         Covers(path.last, parts.last());
}

void Join(PathShape* into, const PathShape& from) {
  into->min_segments = std::min(into->min_segments, from.min_segments);
  into->max_segments = std::max(into->max_segments, from.max_segments);
  into->heads.resize(into->min_segments - 1u);
  for (size_t i = 0; i < into->heads.size(); ++i) {
    Join(&into->heads[i], from.heads[i], kSegmentLimits);
  }
  Join(&into->before_last, from.before_last, kSegmentLimits);
  Join(&into->last, from.last, kSegmentLimits);
}

Query QueryOf(const UrlParts& parts) {
  Query query;
  query.is_absent = !parts.has_query();
  query.is_present = parts.has_query();
  if (!query.is_present) return query;
  // Every param is joined to those before it as if it were one more query;
  // what that says about presence and order is put right afterwards.
  bool is_wide = parts.has_too_many_params();
  for (size_t i = 0; i < parts.num_params() && !is_wide; ++i) {
    const ParamToken& token = parts.param(i);
    if (token.key.size > Query::kMaxKey) {
      is_wide = true;
      break;
    }
    std::vector<Param> one(1);
    one[0].key = token.key.text();
    one[0].is_bare = !token.valued;
    if (token.valued) one[0].value = TextOf(token.value, kSegmentLimits);
    query.has_repeats |=
        FindParam(query.params, token.key.text()) < query.params.size();
    JoinParams(&query.params, one);
    is_wide = query.params.size() > Query::kMaxParams;
  }
  if (is_wide) {
    MakeWide(&query);
    return query;
  }
  uint8_t seen = 0;
  for (size_t i = 0; i < parts.num_params(); ++i) {
    const size_t place = FindParam(query.params, parts.param(i).key.text());
    query.params[place].after |= seen;
    seen |= static_cast<uint8_t>(1u << place);
  }
  for (size_t i = 0; i < query.params.size(); ++i) {
    query.params[i].is_always = true;
    query.params[i].after &= static_cast<uint8_t>(~(1u << i));
  }
  return query;
}

bool Covers(const Query& query, const UrlParts& parts) {
  if (!parts.has_query()) return query.is_absent;
  if (!query.is_present) return false;
  if (query.is_wide) return true;
  if (parts.has_too_many_params()) return false;
  uint8_t seen = 0;
  for (size_t i = 0; i < parts.num_params(); ++i) {
    const ParamToken& token = parts.param(i);
    const size_t place = FindParam(query.params, token.key.text());
    if (place == query.params.size()) return false;
    const Param& param = query.params[place];
    const auto bit = static_cast<uint8_t>(1u << place);
    if ((seen & bit) != 0 && !query.has_repeats) return false;
    if ((seen & ~bit & ~param.after) != 0) return false;
    if (token.valued ? !Covers(param.value, token.value) : !param.is_bare) {
      return false;
    }
    seen |= bit;
  }
  for (size_t i = 0; i < query.params.size(); ++i) {
    if (query.params[i].is_always && (seen >> i & 1) == 0) return false;
  }
  return true;
}

void Join(Query* into, const Query& from) {
  const bool is_absent = into->is_absent || from.is_absent;
  if (!into->is_present) {
    *into = from;
  } else if (from.is_present) {
    into->is_wide |= from.is_wide;
    into->has_repeats |= from.has_repeats;
    if (!into->is_wide) JoinParams(&into->params, from.params);
    if (into->is_wide || into->params.size() > Query::kMaxParams) {
      MakeWide(into);
    }
  }
  into->is_absent = is_absent;
}

Shape ShapeOf(const UrlParts& parts) {
  Shape shape;
  shape.evidence = uint64_t{1} << EvidenceBit(parts);
  shape.has_fragment = parts.has_fragment();
  shape.lacks_fragment = !parts.has_fragment();
  shape.path = PathShapeOf(parts);
  shape.query = QueryOf(parts);
  return shape;
}

bool Covers(const Shape& shape, const UrlParts& parts) {
  return (parts.has_fragment() ? shape.has_fragment : shape.lacks_fragment) &&
         Covers(shape.path, parts) && Covers(shape.query, parts) &&
         (~shape.evidence == 0 ||
          (shape.evidence >> EvidenceBit(parts) & 1) != 0);
}

void Join(Shape* into, const Shape& from) {
  into->evidence |= from.evidence;
  into->has_fragment |= from.has_fragment;
  into->lacks_fragment |= from.lacks_fragment;
  Join(&into->path, from.path);
  Join(&into->query, from.query);
}

bool KeyLess(const Group& a, const Group& b) {
  return GroupKey(a) < GroupKey(b);
}

void JoinBranches(Group* group) {
  if (group->is_joined) return;
  group->is_joined = true;
  Branch& all = group->branches[0];
  all.section.clear();
  for (size_t i = 1; i < group->branches.size(); ++i) {
    Join(&all.shape, group->branches[i].shape);
  }
  group->branches.resize(1);
}

Summary SummaryOf(const UrlParts& parts) {
  Summary summary;
  summary.origin = OriginOf(parts);
  summary.has_bad_utf8 = !parts.is_utf8();
  if (summary.has_bad_utf8) return summary;
  Group group;
  group.num_segments = static_cast<uint8_t>(parts.num_segments());
  group.extension = parts.extension();
  group.branches.push_back({std::string(parts.section()), ShapeOf(parts)});
  summary.groups.push_back(std::move(group));
  return summary;
}

bool Covers(const Summary& summary, const UrlParts& parts) {
  if (!Covers(summary.origin, parts)) return false;
  if (!parts.is_utf8()) return summary.has_bad_utf8;
  const auto key =
      KeyAt(summary.level, static_cast<uint8_t>(parts.num_segments()),
            parts.extension());
  for (const Group& group : summary.groups) {
    if (GroupKey(group) != key) continue;
    for (const Branch& branch : group.branches) {
      if (group.is_joined || branch.section == parts.section()) {
        return Covers(branch.shape, parts);
      }
    }
    return false;
  }
  return false;
}

void Raise(Summary* summary, Level level) {
  if (summary->level >= level) return;
  summary->level = level;
  std::vector<Group> groups;
  for (Group& group : summary->groups) {
    const auto [num_segments, extension] =
        KeyAt(level, group.num_segments, group.extension);
    group.num_segments = num_segments;
    group.extension.resize(extension.size());
    AddGroup(&groups, std::move(group));
  }
  summary->groups = std::move(groups);
}

void Join(Summary* into, const Summary& from) {
  into->has_bad_utf8 |= from.has_bad_utf8;
  Join(&into->origin, from.origin);
  Summary other = from;
  Raise(into, other.level);
  Raise(&other, into->level);
  for (Group& group : other.groups) {
    AddGroup(&into->groups, std::move(group));
  }
  while (into->groups.size() > Summary::kMaxGroups) {
    Raise(into, static_cast<Level>(static_cast<int>(into->level) + 1));
  }
}

}  // namespace trommel::url::internal
