#ifndef TROMMEL_TESTS_TESTING_COMPRESSION_H_
#define TROMMEL_TESTS_TESTING_COMPRESSION_H_

// Compressors for tests of readers.

#include <zdict.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace trommel::testing_support {

// One deflate stream. `window_bits` as zlib's: 31 gzip, 15 zlib, -15 bare.
inline std::string Deflate(std::string_view text, int window_bits,
                           int level = Z_DEFAULT_COMPRESSION,
                           int flush = Z_FINISH) {
  z_stream stream = {};
  if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    std::abort();
  }
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in =
      const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, flush);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Gzip(std::string_view text,
                        int level = Z_DEFAULT_COMPRESSION) {
  return Deflate(text, 31, level);
}

// One Zstandard frame with a checksum, and the given window unless 0.
inline std::string Zstd(std::string_view text, std::string_view dictionary = {},
                        int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  if (window_log != 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  }
  if (!dictionary.empty()) {
    ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  }
  std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_inBuffer in = {text.data(), text.size(), 0};
  ZSTD_outBuffer buffer = {out.data(), out.size(), 0};
  // While the size of the text is unknown, the window stays as asked for.
  if (window_log != 0) {
    ZSTD_compressStream2(context, &buffer, &in, ZSTD_e_flush);
  }
  if (ZSTD_compressStream2(context, &buffer, &in, ZSTD_e_end) != 0) {
    std::abort();
  }
  out.resize(buffer.pos);
  ZSTD_freeCCtx(context);
  return out;
}

inline std::string LittleEndian(uint32_t value) {
  std::string out;
  for (int i = 0; i < 4; ++i) {
    out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  }
  return out;
}

// A Zstandard skippable frame, RFC 8878, section 3.1.2.
inline std::string SkippableFrame(uint32_t magic, std::string_view user_data) {
  return LittleEndian(magic) +
         LittleEndian(static_cast<uint32_t>(user_data.size())) +
         std::string(user_data);
}

// A dictionary trained on texts that share most of their words.
inline std::string TrainDictionary() {
  Random random(7);
  std::string samples;
  std::vector<size_t> sizes;
  for (int i = 0; i < 500; ++i) {
    std::string sample = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: ";
    for (int j = 0; j < 20; ++j) {
      sample += " word" + std::to_string(random.Below(50)) + " in common;";
    }
    sizes.push_back(sample.size());
    samples += sample;
  }
  std::string dictionary(4096, '\0');
  const size_t size = ZDICT_trainFromBuffer(
      dictionary.data(), dictionary.size(), samples.data(), sizes.data(),
      static_cast<unsigned>(sizes.size()));
  if (ZDICT_isError(size)) std::abort();
  dictionary.resize(size);
  return dictionary;
}

inline std::string RandomBytes(Random* random, size_t size) {
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random->Below(256));
  return out;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_COMPRESSION_H_
