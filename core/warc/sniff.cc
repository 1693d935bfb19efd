#include "core/warc/sniff.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "core/base/text.h"

namespace trommel::warc {
namespace {

// The standard's resource header, for all: so many bytes decide.
constexpr size_t kSniffedBytes = 1445;
// So many bytes of text may have one control character among them. Of
// compressed data, one in ten is.
constexpr size_t kOneIn = 128;
constexpr size_t kMaxUtf8Bytes = 4;

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// The standard's "binary data byte": a control character that no text has.
bool IsBinaryByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) ||
         (byte >= 0x1C && byte <= 0x1F);
}

size_t CountBinaryBytes(std::string_view bytes) {
  return static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), IsBinaryByte));
}

bool HasUtf16Mark(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

// First bytes of what is no HTML although no binary byte need be near.
constexpr std::string_view kOtherFormats[] = {"%PDF-", "%!PS-Adobe-", "GIF87a",
                                              "GIF89a"};

}  // namespace

bool StartsLikeMarkup(std::string_view bytes) {
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  while (!bytes.empty() && IsHtmlSpace(bytes[0])) bytes.remove_prefix(1);
  if (bytes.size() < 2 || bytes[0] != '<') return false;
  return absl::ascii_isalpha(static_cast<unsigned char>(bytes[1])) ||
         bytes[1] == '!' || bytes[1] == '?' || bytes[1] == '/';
}

bool IsPlainText(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, kSniffedBytes);
  if (first.empty() || CountBinaryBytes(first) > 0) return false;
  const size_t valid = ValidUtf8Prefix(first);
  if (valid == first.size()) return true;
  // A character may be cut where the sniffed bytes end.
  return first.size() < bytes.size() && first.size() - valid < kMaxUtf8Bytes;
}

bool LooksLikeText(std::string_view bytes) {
  if (IsPlainText(bytes) || StartsLikeMarkup(bytes) || HasUtf16Mark(bytes)) {
    return true;
  }
  const std::string_view first = bytes.substr(0, kSniffedBytes);
  return !first.empty() && CountBinaryBytes(first) <= first.size() / kOneIn;
}

bool MayBeHtml(std::string_view content) {
  if (StartsLikeMarkup(content) || HasUtf16Mark(content)) return true;
  for (const std::string_view magic : kOtherFormats) {
    if (content.starts_with(magic)) return false;
  }
  return CountBinaryBytes(content.substr(0, kSniffedBytes)) == 0;
}

}  // namespace trommel::warc
