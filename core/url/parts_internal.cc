#include "core/url/parts_internal.h"

#include <algorithm>

#include "core/base/text.h"

namespace trommel::url::internal {
namespace {

constexpr uint8_t kLetter = kLowerHex | kLower | kUpperHex | kUpper;

bool IsHex(char c) {
  return (ClassOf(c) & (kDigit | kLowerHex | kUpperHex)) != 0 && c != kDigits;
}

}  // namespace

uint8_t ClassesOf(std::string_view text) {
  uint8_t classes = 0;
  for (const char c : text) classes |= ClassOf(c);
  return classes;
}

uint8_t StemClassesOf(std::string_view text) {
  return ClassesOf(text.substr(0, text.rfind('.')));
}

UrlToken TokenOf(std::string_view folded) {
  return {folded.data(), folded.size(), ClassesOf(folded),
          StemClassesOf(folded)};
}

bool IsSeparator(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= ' ' && byte < 0x7F && c != '%' &&
         (ClassOf(c) & (kHyphen | kOther)) != 0;
}

size_t ExtensionBegin(std::string_view text) {
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return text.size();
  const std::string_view extension = text.substr(dot + 1);
  if (extension.empty() || extension.size() > UrlParts::kMaxExtension)
    return text.size();
  if ((ClassOf(extension[0]) & kLetter) == 0 ||
      (ClassesOf(extension) & ~(kLetter | kDigit)) != 0) {
    return text.size();
  }
  return dot;
}

UrlParts::UrlParts(std::string_view url) {
  const std::string_view rest = TakeOrigin(url);
  is_utf8_ = ValidUtf8Prefix(url) == url.size();
  if (!is_utf8_) return;
  if (rest.size() <= kBufferBytes) {
    folded_ = buffer_.data();
  } else {
    long_buffer_.resize(rest.size());
    folded_ = long_buffer_.data();
  }
  const size_t end = std::min(rest.find('#'), rest.size());
  const size_t path_end = std::min(rest.substr(0, end).find('?'), end);
  has_fragment_ = end < rest.size();
  path_and_query_ = rest.substr(0, end);
  SplitPath(rest.substr(0, path_end));
  has_query_ = path_end < end;
  if (has_query_) SplitQuery(rest.substr(path_end + 1, end - path_end - 1));
}

std::string_view UrlParts::TakeOrigin(std::string_view url) {
  const size_t colon = url.substr(0, kMaxScheme + 1).find(':');
  if (colon == std::string_view::npos || colon == 0 ||
      url.substr(colon, 3) != "://") {
    return url;
  }
  for (size_t i = 0; i < colon; ++i) {
    const uint8_t its = ClassOf(url[i]);
    const bool fits =
        (its & kLetter) != 0 || (i > 0 && ((its & (kDigit | kHyphen)) != 0 ||
                                           url[i] == '+' || url[i] == '.'));
    if (!fits) return url;
  }
  size_t end = colon + 3;
  while (end < url.size() && url[end] != '/' && url[end] != '?' &&
         url[end] != '#') {
    ++end;
  }
  has_origin_ = true;
  scheme_ = url.substr(0, colon);
  authority_ = url.substr(colon + 3, end - colon - 3);
  return url.substr(end);
}

UrlToken UrlParts::Fold(std::string_view text) {
  char* out = folded_;
  uint8_t classes = 0;
  uint8_t stem_classes = 0;
  bool in_digits = false;
  bool has_dot = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const uint8_t its = ClassOf(c);
    if (c == '.') {
      stem_classes = classes;
      has_dot = true;
    }
    classes |= its;
    if (its == kDigit) {
      if (!in_digits) *out++ = kDigits;
      in_digits = true;
      continue;
    }
    in_digits = false;
    *out++ = c;
    if (c == '%' && i + 2 < text.size() && IsHex(text[i + 1]) &&
        IsHex(text[i + 2])) {
      for (int escaped = 0; escaped < 2; ++escaped) {
        *out++ = text[++i];
        classes |= ClassOf(text[i]);
      }
    }
  }
  const UrlToken token = {folded_, static_cast<size_t>(out - folded_), classes,
                          has_dot ? stem_classes : classes};
  folded_ = out;
  return token;
}

void UrlParts::SplitPath(std::string_view path) {
  size_t count = 0;
  size_t before_begin = 0;  // of the segment before this one
  for (size_t begin = 0;;) {
    const size_t slash = std::min(path.find('/', begin), path.size());
    const bool is_last = slash == path.size();
    if (is_last && count > 0) {
      before_last_ =
          count < kMaxSegments
              ? segments_[count - 1]
              : Fold(path.substr(before_begin, begin - 1 - before_begin));
    }
    // Most segments in the middle of a long path are not looked at.
    if (is_last || count < kMaxSegments - 1) {
      segments_[std::min(count, kMaxSegments - 1)] =
          Fold(path.substr(begin, slash - begin));
    }
    ++count;
    if (is_last) break;
    before_begin = begin;
    begin = slash + 1;
  }
  num_segments_ = std::min(count, kMaxSegments + 1);
  const std::string_view last_text = last().text();
  // A name is needed before the dot.
  const size_t dot = ExtensionBegin(last_text);
  extension_begin_ =
      dot == 0 || dot == last_text.size() ? last_text.size() : dot + 1;
  if (count > 3 || (count == 3 && !last_text.empty())) {
    section_ = head(1).text();
    if (section_.size() > kMaxSection) section_ = std::string_view();
  }
}

void UrlParts::SplitQuery(std::string_view query) {
  for (size_t begin = 0;;) {
    if (num_params_ == kMaxParams) {
      has_too_many_params_ = true;
      return;
    }
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view text = query.substr(begin, end - begin);
    const size_t equals = text.find('=');
    ParamToken& param = params_[num_params_++];
    param.key = Fold(text.substr(0, equals));
    param.valued = equals != std::string_view::npos;
    if (param.valued) param.value = Fold(text.substr(equals + 1));
    if (end == query.size()) return;
    begin = end + 1;
  }
}

}  // namespace trommel::url::internal
