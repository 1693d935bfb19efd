#ifndef TROMMEL_TESTS_TESTING_BROTLI_H_
#define TROMMEL_TESTS_TESTING_BROTLI_H_

#include <brotli/encode.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace trommel::testing_support {

// A Brotli stream. Tests that use it link PkgConfig::brotli_encoder.
inline std::string Brotli(std::string_view text) {
  size_t size = BrotliEncoderMaxCompressedSize(text.size()) + 16;
  std::string out(size, '\0');
  if (BrotliEncoderCompress(
          BROTLI_DEFAULT_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT,
          text.size(), reinterpret_cast<const uint8_t*>(text.data()), &size,
          reinterpret_cast<uint8_t*>(out.data())) != BROTLI_TRUE) {
    std::abort();
  }
  out.resize(size);
  return out;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_BROTLI_H_
