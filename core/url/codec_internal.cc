#include "core/url/codec_internal.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::url::internal {
namespace {

constexpr uint8_t kVersion = 1;

class Writer {
 public:
  void Byte(size_t value) { bytes_.push_back(static_cast<char>(value)); }
  void Flags(std::initializer_list<bool> flags) {
    size_t bits = 0;
    size_t i = 0;
    for (const bool flag : flags) bits |= size_t{flag} << i++;
    Byte(bits);
  }
  void Word(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) Byte(value >> shift & 0xFF);
  }
  void Bytes(std::string_view text) {
    Byte(text.size());
    bytes_.append(text);
  }

  void Put(const Text& text) {
    Flags({text.is_wide});
    if (!text.is_wide) {
      Byte(text.values.size());
      for (const std::string& value : text.values) Bytes(value);
      return;
    }
    Bytes(text.prefix);
    Bytes(text.suffix);
    Byte(text.min_length);
    Byte(text.classes);
    Byte(text.stem_classes);
  }

  void Put(const Query& query) {
    Flags(
        {query.is_absent, query.is_present, query.is_wide, query.has_repeats});
    Byte(query.params.size());
    for (const Param& param : query.params) {
      Bytes(param.key);
      Flags({param.is_always, param.is_bare});
      Byte(param.after);
      Put(param.value);
    }
  }

  void Put(const Shape& shape) {
    Word(shape.evidence);
    Flags({shape.has_fragment, shape.lacks_fragment});
    Byte(shape.path.min_segments);
    Byte(shape.path.max_segments);
    for (const Text& head : shape.path.heads) Put(head);
    Put(shape.path.before_last);
    Put(shape.path.last);
    Put(shape.query);
  }

  void Put(const Summary& summary) {
    Flags({summary.has_bad_utf8});
    Flags({summary.origin.is_absent, summary.origin.is_any});
    Put(summary.origin.scheme);
    Put(summary.origin.authority);
    Byte(static_cast<size_t>(summary.level));
    Byte(summary.groups.size());
    for (const Group& group : summary.groups) {
      Byte(group.num_segments);
      Bytes(group.extension);
      Flags({group.is_joined});
      Byte(group.branches.size());
      for (const Branch& branch : group.branches) {
        Bytes(branch.section);
        Put(branch.shape);
      }
    }
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what Writer writes. After the first thing that is wrong every read
// gives zeros.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  void Expect(bool condition) { ok_ &= condition; }

  uint8_t Byte() {
    Expect(!rest_.empty());
    if (!ok_) return 0;
    const auto value = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  // At most `max`.
  uint8_t Number(size_t max) {
    const uint8_t value = Byte();
    Expect(value <= max);
    return ok_ ? value : uint8_t{0};
  }
  void Flags(std::initializer_list<bool*> flags) {
    uint8_t bits = Number((size_t{1} << flags.size()) - 1);
    for (bool* const flag : flags) {
      *flag = (bits & 1) != 0;
      bits >>= 1;
    }
  }
  uint64_t Word() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8) {
      value |= uint64_t{Byte()} << shift;
    }
    return value;
  }
  std::string Bytes(size_t max) {
    const uint8_t length = Number(max);
    Expect(length <= rest_.size());
    if (!ok_) return std::string();
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }
  // Folded text of whole characters.
  std::string Characters(size_t max) {
    std::string text = Bytes(max);
    for (size_t begin = 0; begin < text.size();) {
      begin += ValidUtf8Prefix(std::string_view(text).substr(begin));
      if (begin == text.size()) break;
      Expect(text[begin] == kDigits);
      ++begin;
    }
    return text;
  }

  void Get(TextLimits limits, Text* text) {
    Flags({&text->is_wide});
    if (!text->is_wide) {
      text->values.resize(Number(limits.values));
      size_t bytes = 0;
      for (std::string& value : text->values) {
        value = Characters(limits.bytes);
        bytes += value.size();
      }
      Expect(bytes <= limits.bytes);
      ExpectIncreasing(
          text->values,
          [](const std::string& a, const std::string& b) { return a < b; });
      return;
    }
    text->prefix = Bytes(kMaxAffix);
    text->suffix = Bytes(kMaxAffix);
    text->min_length = Number(kMaxLength);
    Expect(std::max(text->prefix.size(), text->suffix.size()) <=
           text->min_length);
    text->classes = Byte();
    text->stem_classes = Byte();
  }

  void Get(Query* query) {
    Flags({&query->is_absent, &query->is_present, &query->is_wide,
           &query->has_repeats});
    query->params.resize(Number(Query::kMaxParams));
    Expect(query->is_absent || query->is_present);
    Expect(query->params.empty() == (query->is_wide || !query->is_present));
    for (Param& param : query->params) {
      param.key = Characters(Query::kMaxKey);
      Flags({&param.is_always, &param.is_bare});
      param.after = Number((size_t{1} << query->params.size()) - 1);
      Get(kSegmentLimits, &param.value);
      Expect(param.is_bare || !param.value.is_bottom());
    }
    ExpectIncreasing(query->params, [](const Param& a, const Param& b) {
      return a.key < b.key;
    });
  }

  void Get(Shape* shape) {
    shape->evidence = Word();
    Expect(shape->evidence != 0);
    Flags({&shape->has_fragment, &shape->lacks_fragment});
    Expect(shape->has_fragment || shape->lacks_fragment);
    PathShape& path = shape->path;
    path.min_segments = Number(UrlParts::kMaxSegments);
    path.max_segments = Number(UrlParts::kMaxSegments + 1);
    Expect(1 <= path.min_segments && path.min_segments <= path.max_segments);
    path.heads.resize(ok_ ? path.min_segments - 1u : 0);
    for (Text& head : path.heads) GetSome(&head);
    Get(kSegmentLimits, &path.before_last);
    Expect(path.before_last.is_bottom() == (path.max_segments == 1));
    GetSome(&path.last);
    Get(&shape->query);
  }

  void Get(Summary* summary) {
    Flags({&summary->has_bad_utf8});
    Origin& origin = summary->origin;
    Flags({&origin.is_absent, &origin.is_any});
    Get(kSchemeLimits, &origin.scheme);
    Get(kHostLimits, &origin.authority);
    Expect(origin.scheme.is_bottom() == origin.authority.is_bottom());
    Expect(summary->has_bad_utf8 || !origin.is_any);
    summary->level =
        static_cast<Level>(Number(static_cast<size_t>(Level::kNothing)));
    summary->groups.resize(Number(Summary::kMaxGroups));
    for (Group& group : summary->groups) {
      group.num_segments = Number(UrlParts::kMaxSegments + 1);
      group.extension = Characters(UrlParts::kMaxExtension);
      Expect(summary->level < Level::kNothing || group.num_segments == 0);
      Expect(summary->level < Level::kSegments || group.extension.empty());
      Flags({&group.is_joined});
      group.branches.resize(Number(Group::kMaxBranches));
      Expect(!group.branches.empty());
      for (Branch& branch : group.branches) {
        branch.section = Characters(UrlParts::kMaxSection);
        Get(&branch.shape);
      }
      ExpectIncreasing(group.branches, [](const Branch& a, const Branch& b) {
        return a.section < b.section;
      });
      Expect(!group.is_joined ||
             (group.branches.size() == 1 && group.branches[0].section.empty()));
    }
    ExpectIncreasing(summary->groups, KeyLess);
  }

 private:
  // At least one text.
  void GetSome(Text* text) {
    Get(kSegmentLimits, text);
    Expect(!text->is_bottom());
  }

  template <typename T, typename Less>
  void ExpectIncreasing(const std::vector<T>& elements, Less less) {
    for (size_t i = 1; i < elements.size(); ++i) {
      Expect(less(elements[i - 1], elements[i]));
    }
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::string EncodeSummary(const Summary& summary) {
  Writer writer;
  writer.Byte(kVersion);
  writer.Put(summary);
  return writer.Take();
}

absl::StatusOr<Summary> DecodeSummary(std::string_view bytes) {
  Reader reader(bytes);
  const uint8_t version = reader.Byte();
  if (reader.ok() && version != kVersion) {
    return absl::InvalidArgumentError(
        StrCat("URL pattern: version ", version, ", expected ", kVersion));
  }
  Summary summary;
  reader.Get(&summary);
  if (!reader.ok() || !reader.at_end()) {
    return absl::InvalidArgumentError(
        StrCat("URL pattern: ", bytes.size(), " bytes that are not one"));
  }
  return summary;
}

}  // namespace trommel::url::internal
