#include "core/compress/decode_body.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/compress/decoder_internal.h"

namespace trommel::compress {
namespace {

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(ToAbsl(a), ToAbsl(b));
}

bool IsGzip(std::string_view coding) {
  return EqualsIgnoreCase(coding, "gzip") || EqualsIgnoreCase(coding, "x-gzip");
}
bool IsDeflate(std::string_view coding) {
  return EqualsIgnoreCase(coding, "deflate");
}
bool IsBrotli(std::string_view coding) {
  return EqualsIgnoreCase(coding, "br");
}
bool IsZstd(std::string_view coding) {
  return EqualsIgnoreCase(coding, "zstd");
}
bool IsIdentity(std::string_view coding) {
  return coding.empty() || EqualsIgnoreCase(coding, "identity");
}

bool StartsZstd(std::string_view body) {
  return body.starts_with(kZstdMagic) ||
         (body.size() >= 4 && IsZstdSkippableMagic(LittleEndian32(body)));
}

// RFC 1950, section 2.2: the method, and a check of five bits.
bool StartsZlib(std::string_view body) {
  if (body.size() < 2) return false;
  const unsigned first = static_cast<unsigned char>(body[0]);
  const unsigned second = static_cast<unsigned char>(body[1]);
  return (first & 0x0F) == 8 && (first * 256 + second) % 31 == 0;
}

absl::Status TooLong(size_t max_size) {
  return absl::ResourceExhaustedError(
      StrCat("the decoded body is longer than ", max_size, " bytes"));
}

// Decodes frames for as long as `starts_frame` recognizes another one. `out`
// grows by doubling, never past one byte more than `max_size`: that byte is
// what proves the body too long.
template <typename StartsFrame>
absl::Status DecodeFrames(std::string_view body, Decoder& decoder,
                          size_t max_size, StartsFrame starts_frame,
                          std::string* out) {
  constexpr size_t kFirstSize = 16 << 10;
  const size_t limit =
      max_size == std::numeric_limits<size_t>::max() ? max_size : max_size + 1;
  std::string_view rest = body;
  size_t size = 0;
  out->clear();
  const auto offset = [&] { return body.size() - rest.size(); };
  while (true) {
    if (size == out->size()) {
      if (size > max_size) return TooLong(max_size);
      const size_t doubled =
          std::max({kFirstSize, size > limit / 2 ? limit : 2 * size});
      out->resize(std::min(limit, doubled));
    }
    const Decoder::Step step =
        decoder.Decode(rest, out->data() + size, out->size() - size);
    rest.remove_prefix(step.consumed);
    size += step.produced;
    if (size > max_size) return TooLong(max_size);
    switch (step.state) {
      case Decoder::State::kMore:
        if (step.consumed > 0 || step.produced > 0) break;
        out->resize(size);
        return absl::OutOfRangeError(
            StrCat("the compressed body ends early, after byte ", body.size(),
                   " of it"));
      case Decoder::State::kFrameEnd:
        if (!starts_frame(rest)) {
          out->resize(size);
          return absl::OkStatus();
        }
        decoder.Reset();
        break;
      case Decoder::State::kCorrupt:
        return absl::DataLossError(
            StrCat("the compressed body is damaged at byte ", offset(), " of ",
                   body.size(), ": ", decoder.message()));
      case Decoder::State::kNoMemory:
        return absl::ResourceExhaustedError("no memory for a decoder");
    }
  }
}

// Decodes one stream that nothing may follow.
absl::Status DecodeExactly(std::string_view body, Decoder& decoder,
                           size_t max_size, std::string* out) {
  size_t num_rest = 0;
  const auto ends = [&](std::string_view rest) {
    num_rest = rest.size();
    return false;
  };
  TROMMEL_RETURN_IF_ERROR(DecodeFrames(body, decoder, max_size, ends, out));
  if (num_rest == 0) return absl::OkStatus();
  return absl::DataLossError(
      StrCat("the compressed body ends ", num_rest, " bytes early"));
}

// "deflate" means zlib's wrapper in the standard and a bare stream in many
// servers. The wrapper's two header bytes carry a check of five bits, so they
// are tried first where they fit, and the bare form next, since its first bytes
// can pass that check by chance.
absl::Status DecodeDeflate(std::string_view body, size_t max_size,
                           std::string* out) {
  absl::Status wrapped_status;
  const bool may_be_wrapped = body.size() < 2 || StartsZlib(body);
  if (may_be_wrapped) {
    const auto decoder = NewDeflateDecoder(DeflateWrapper::kZlib);
    const auto none = [](std::string_view) { return false; };
    wrapped_status = DecodeFrames(body, *decoder, max_size, none, out);
    if (!absl::IsDataLoss(wrapped_status)) return wrapped_status;
  }
  const auto decoder = NewDeflateDecoder(DeflateWrapper::kNone);
  const absl::Status status = DecodeExactly(body, *decoder, max_size, out);
  return status.ok() || !may_be_wrapped ? status : wrapped_status;
}

// DecodeBody, with OutOfRange for a body that ends early; `out` then holds what
// was decoded.
absl::Status Decode(std::string_view body, std::string_view coding,
                    size_t max_size, std::string* out) {
  if (IsIdentity(coding)) {
    if (body.size() > max_size) return TooLong(max_size);
    out->assign(body);
    return absl::OkStatus();
  }
  if (IsGzip(coding)) {
    const auto decoder = NewDeflateDecoder(DeflateWrapper::kGzip);
    const auto starts = [](std::string_view rest) {
      return rest.starts_with(kGzipMagic);
    };
    return DecodeFrames(body, *decoder, max_size, starts, out);
  }
  if (IsDeflate(coding)) return DecodeDeflate(body, max_size, out);
  if (IsBrotli(coding)) {
    return DecodeExactly(body, *NewBrotliDecoder(), max_size, out);
  }
  if (IsZstd(coding)) {
    if (body.size() >= 4 && !StartsZstd(body)) {
      return absl::DataLossError("the body does not begin a Zstandard frame");
    }
    const auto decoder = NewZstdDecoder(nullptr);
    return DecodeFrames(body, *decoder, max_size, StartsZstd, out);
  }
  return absl::UnimplementedError(
      StrCat("content coding \"", coding, "\" is not supported"));
}

}  // namespace

absl::StatusOr<std::string> DecodeBody(std::string_view body,
                                       std::string_view coding,
                                       size_t max_size) {
  std::string out;
  const absl::Status status = Decode(body, coding, max_size, &out);
  if (absl::IsOutOfRange(status)) return absl::DataLossError(status.message());
  if (!status.ok()) return status;
  return out;
}

absl::StatusOr<std::string> DecodeBodyPrefix(std::string_view body,
                                             std::string_view coding,
                                             size_t max_size, bool* truncated) {
  std::string out;
  const absl::Status status = Decode(body, coding, max_size, &out);
  if (absl::IsOutOfRange(status)) {
    *truncated = true;
    return out;
  }
  if (!status.ok()) return status;
  return out;
}

CodingSign FindCodingSign(std::string_view body, std::string_view coding) {
  const auto sign = [](bool is_present) {
    return is_present ? CodingSign::kPresent : CodingSign::kAbsent;
  };
  // A gzip body may have been cut inside its magic number.
  if (IsGzip(coding)) return sign(body.starts_with(kGzipMagic.substr(0, 2)));
  if (IsZstd(coding)) return sign(StartsZstd(body));
  // Without its wrapper, deflate has none.
  if (IsDeflate(coding) && StartsZlib(body)) return CodingSign::kPresent;
  return CodingSign::kNone;
}

}  // namespace trommel::compress
