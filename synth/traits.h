#ifndef TROMMEL_SYNTH_TRAITS_H_
#define TROMMEL_SYNTH_TRAITS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace trommel::synth {

// What a site keeps for good, whoever designs its pages: the shapes of its
// URLs, how its database prints dates, phone numbers and prices, and the
// encoding of its bytes. A redesign changes none of it, so the same page has
// the same URL and the same values before and after.
struct SiteTraits {
  enum class Encoding {
    kUtf8,         // declared
    kWindows1252,  // declared, some as iso-8859-1, which means the same
    kUndeclared,   // windows-1252 bytes, which is what readers assume
  };

  uint64_t seed;
  Encoding encoding;
  bool latin1_label;  // declares windows-1252 as "iso-8859-1"
  int date_format;
  int phone_format;
  int price_format;
  int isbn_format;
  int url_style;
  // Names are "Marlowe, Elena" instead of "Elena Marlowe".
  bool last_name_first;
};

// The traits of the site with this seed, a hash of the spec's seed and the
// host.
SiteTraits MakeTraits(uint64_t site_seed);

// The encoding of the bytes for GeneratedPage::charset, and the label that the
// pages declare; both are empty when undeclared.
std::string_view CharsetName(const SiteTraits& traits);
std::string_view DeclaredCharset(const SiteTraits& traits);

// Appenders of values in the site's formats.
void AppendDate(const SiteTraits& traits, int year, int month, int day,
                std::string* out);
void AppendPhone(const SiteTraits& traits, int area, int exchange, int line,
                 std::string* out);
void AppendPrice(const SiteTraits& traits, int64_t cents, std::string* out);
// `body` is the nine digits between the prefix 978 and the check digit.
void AppendIsbn13(const SiteTraits& traits, uint32_t body, std::string* out);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_TRAITS_H_
