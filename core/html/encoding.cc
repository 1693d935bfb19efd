#include "core/html/encoding.h"

#include <lexbor/encoding/encoding.h>
#include <lexbor/html/encoding.h>

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::html {
namespace {

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";
constexpr std::string_view kUtf16BeBom = "\xFE\xFF";
constexpr std::string_view kUtf16LeBom = "\xFF\xFE";
constexpr size_t kPrescanBytes = 1024;

const lxb_char_t* Chars(std::string_view text) {
  return reinterpret_cast<const lxb_char_t*>(text.data());
}

bool IsSingleByte(uint32_t id) {
  switch (id) {
    case LXB_ENCODING_BIG5:
    case LXB_ENCODING_EUC_JP:
    case LXB_ENCODING_EUC_KR:
    case LXB_ENCODING_GBK:
    case LXB_ENCODING_GB18030:
    case LXB_ENCODING_ISO_2022_JP:
    case LXB_ENCODING_SHIFT_JIS:
    case LXB_ENCODING_UTF_16BE:
    case LXB_ENCODING_UTF_16LE:
    case LXB_ENCODING_UTF_8:
    case LXB_ENCODING_REPLACEMENT:
      return false;
    default:
      return true;
  }
}

// Appends the decoded bytes through lexbor's streaming decoder.
void AppendDecoded(std::string_view bytes, const lxb_encoding_data_t* data,
                   std::string* out) {
  std::array<lxb_codepoint_t, 4096> code_points;
  const lxb_codepoint_t replacement = LXB_ENCODING_REPLACEMENT_CODEPOINT;
  lxb_encoding_decode_t decode = {};
  lxb_encoding_decode_init(&decode, data, code_points.data(),
                           code_points.size());
  lxb_encoding_decode_replace_set(&decode, &replacement, 1);
  const lxb_char_t* position = Chars(bytes);
  const lxb_char_t* const end = position + bytes.size();
  const auto flush = [&] {
    const size_t used = lxb_encoding_decode_buf_used(&decode);
    for (size_t i = 0; i < used; ++i) AppendCodePoint(code_points[i], out);
    lxb_encoding_decode_buf_used_set(&decode, 0);
  };
  lxb_status_t status;
  do {
    status = data->decode(&decode, &position, end);
    flush();
  } while (status == LXB_STATUS_SMALL_BUFFER);
  lxb_encoding_decode_finish(&decode);
  flush();
}

// Single-byte encodings map bytes from 0x80 on to one character each. The map
// is made per page (128 look-ups) and applied between runs of ASCII.
void AppendSingleByte(std::string_view bytes, const lxb_encoding_data_t* data,
                      std::string* out) {
  std::array<std::string, 128> map;
  for (size_t i = 0; i < map.size(); ++i) {
    const char byte = static_cast<char>(0x80 + i);
    AppendDecoded(std::string_view(&byte, 1), data, &map[i]);
  }
  out->reserve(out->size() + bytes.size() + bytes.size() / 16);
  size_t i = 0;
  while (i < bytes.size()) {
    size_t run = i;
    while (run < bytes.size() && static_cast<unsigned char>(bytes[run]) < 0x80)
      ++run;
    out->append(bytes, i, run - i);
    for (i = run; i < bytes.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      if (byte < 0x80) break;
      out->append(map[byte - 0x80]);
    }
  }
}

// The encoding that a <meta> of the first bytes names, validated as the
// standard says (UTF-16 means UTF-8 there, x-user-defined windows-1252).
Encoding PrescannedEncoding(std::string_view bytes) {
  lxb_html_encoding_t prescan;
  if (lxb_html_encoding_init(&prescan) != LXB_STATUS_OK) return {};
  bytes = bytes.substr(0, kPrescanBytes);
  size_t length = 0;
  const lxb_char_t* const name = lxb_html_encoding_prescan(
      &prescan, Chars(bytes), Chars(bytes) + bytes.size(), &length);
  Encoding encoding;
  if (name != nullptr) {
    encoding = Encoding::FromLabel(
        std::string_view(reinterpret_cast<const char*>(name), length));
  }
  lxb_html_encoding_destroy(&prescan, /*self_destroy=*/false);
  return encoding;
}

}  // namespace

Encoding Encoding::FromLabel(std::string_view label) {
  label = ToStd(absl::StripAsciiWhitespace(ToAbsl(label)));
  Encoding encoding;
  if (label.empty()) return encoding;
  const lxb_encoding_data_t* data =
      lxb_encoding_data_by_name(Chars(label), label.size());
  if (data != nullptr) encoding.id_ = data->encoding;
  return encoding;
}

std::string_view Encoding::name() const {
  if (!known()) return "unknown";
  return reinterpret_cast<const char*>(
      lxb_encoding_data(static_cast<lxb_encoding_t>(id_))->name);
}

bool Encoding::IsAsciiCompatible() const {
  return id_ != LXB_ENCODING_UTF_16BE && id_ != LXB_ENCODING_UTF_16LE &&
         id_ != LXB_ENCODING_ISO_2022_JP && id_ != LXB_ENCODING_REPLACEMENT;
}

Encoding DetectEncoding(std::string_view bytes,
                        std::string_view declared_charset) {
  Encoding encoding;
  if (bytes.substr(0, 3) == kUtf8Bom) {
    encoding.id_ = LXB_ENCODING_UTF_8;
    return encoding;
  }
  if (bytes.substr(0, 2) == kUtf16BeBom) {
    encoding.id_ = LXB_ENCODING_UTF_16BE;
    return encoding;
  }
  if (bytes.substr(0, 2) == kUtf16LeBom) {
    encoding.id_ = LXB_ENCODING_UTF_16LE;
    return encoding;
  }
  encoding = Encoding::FromLabel(declared_charset);
  if (encoding.known()) return encoding;
  if (!bytes.empty()) encoding = PrescannedEncoding(bytes);
  if (!encoding.known()) encoding.id_ = LXB_ENCODING_WINDOWS_1252;
  return encoding;
}

std::string_view DecodeToUtf8(std::string_view bytes, Encoding encoding,
                              std::string* buffer) {
  if (encoding.id_ == LXB_ENCODING_UTF_8 || !encoding.known()) {
    if (bytes.substr(0, 3) == kUtf8Bom) bytes.remove_prefix(3);
    if (ValidUtf8Prefix(bytes) == bytes.size()) return bytes;
    buffer->clear();
    AppendUtf8Lossy(bytes, buffer);
    return *buffer;
  }
  if ((encoding.id_ == LXB_ENCODING_UTF_16BE &&
       bytes.substr(0, 2) == kUtf16BeBom) ||
      (encoding.id_ == LXB_ENCODING_UTF_16LE &&
       bytes.substr(0, 2) == kUtf16LeBom)) {
    bytes.remove_prefix(2);
  }
  const lxb_encoding_data_t* const data =
      lxb_encoding_data(static_cast<lxb_encoding_t>(encoding.id_));
  buffer->clear();
  if (encoding.id_ == LXB_ENCODING_REPLACEMENT) {
    // Encodings that are not safe to decode: one U+FFFD for the whole page.
    if (!bytes.empty()) AppendCodePoint(0xFFFD, buffer);
  } else if (IsSingleByte(encoding.id_)) {
    if (ValidUtf8Prefix(bytes) == bytes.size() &&
        std::none_of(bytes.begin(), bytes.end(),
                     [](char c) { return (c & 0x80) != 0; })) {
      return bytes;  // pure ASCII is the same text in both
    }
    AppendSingleByte(bytes, data, buffer);
  } else {
    buffer->reserve(bytes.size());
    AppendDecoded(bytes, data, buffer);
  }
  return *buffer;
}

}  // namespace trommel::html
