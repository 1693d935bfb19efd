#include "synth/traits.h"

#include "core/base/random.h"
#include "synth/prose.h"
#include "synth/words.h"

namespace trommel::synth {

SiteTraits MakeTraits(uint64_t site_seed) {
  Random random(site_seed);
  SiteTraits traits;
  traits.seed = site_seed;
  const uint64_t encoding = random.Below(10);
  traits.encoding = encoding < 7   ? SiteTraits::Encoding::kUtf8
                    : encoding < 9 ? SiteTraits::Encoding::kWindows1252
                                   : SiteTraits::Encoding::kUndeclared;
  traits.latin1_label = random.Chance(0.5);
  traits.date_format = static_cast<int>(random.Below(6));
  traits.phone_format = static_cast<int>(random.Below(5));
  traits.price_format = static_cast<int>(random.Below(5));
  traits.isbn_format = static_cast<int>(random.Below(3));
  traits.url_style = static_cast<int>(random.Below(6));
  traits.last_name_first = random.Chance(0.1);
  return traits;
}

std::string_view CharsetName(const SiteTraits& traits) {
  switch (traits.encoding) {
    case SiteTraits::Encoding::kUtf8:
      return "utf-8";
    case SiteTraits::Encoding::kWindows1252:
      return "windows-1252";
    case SiteTraits::Encoding::kUndeclared:
      return "";
  }
  return "";
}

std::string_view DeclaredCharset(const SiteTraits& traits) {
  if (traits.encoding == SiteTraits::Encoding::kWindows1252 &&
      traits.latin1_label) {
    return "iso-8859-1";
  }
  return CharsetName(traits);
}

void AppendDate(const SiteTraits& traits, int year, int month, int day,
                std::string* out) {
  const std::string_view name = Words().month()[month - 1];
  switch (traits.date_format) {
    case 0:
    case 1:
      out->append(traits.date_format == 0 ? name : name.substr(0, 3));
      out->push_back(' ');
      AppendNumber(static_cast<uint64_t>(day), out);
      out->append(", ");
      AppendNumber(static_cast<uint64_t>(year), out);
      return;
    case 2:
      AppendNumber(static_cast<uint64_t>(day), out);
      out->push_back(' ');
      out->append(name);
      out->push_back(' ');
      AppendNumber(static_cast<uint64_t>(year), out);
      return;
    case 3:
      AppendNumber(static_cast<uint64_t>(year), out);
      out->push_back('-');
      AppendNumber(static_cast<uint64_t>(month), 2, out);
      out->push_back('-');
      AppendNumber(static_cast<uint64_t>(day), 2, out);
      return;
    case 4:
      AppendNumber(static_cast<uint64_t>(month), out);
      out->push_back('/');
      AppendNumber(static_cast<uint64_t>(day), out);
      out->push_back('/');
      AppendNumber(static_cast<uint64_t>(year), out);
      return;
    default:
      AppendNumber(static_cast<uint64_t>(day), 2, out);
      out->push_back('.');
      AppendNumber(static_cast<uint64_t>(month), 2, out);
      out->push_back('.');
      AppendNumber(static_cast<uint64_t>(year), out);
      return;
  }
}

void AppendPhone(const SiteTraits& traits, int area, int exchange, int line,
                 std::string* out) {
  struct Punctuation {
    std::string_view before, middle, after;
  };
  static constexpr Punctuation kFormats[] = {
      {"(", ") ", "-"},  {"", "-", "-"}, {"", ".", "."},
      {"+1 ", " ", " "}, {"", "/", "-"},
  };
  const Punctuation& format = kFormats[traits.phone_format];
  out->append(format.before);
  AppendNumber(static_cast<uint64_t>(area), 3, out);
  out->append(format.middle);
  AppendNumber(static_cast<uint64_t>(exchange), 3, out);
  out->append(format.after);
  AppendNumber(static_cast<uint64_t>(line), 4, out);
}

void AppendPrice(const SiteTraits& traits, int64_t cents, std::string* out) {
  struct Format {
    std::string_view before, after;
    bool with_cents;
  };
  static constexpr Format kFormats[] = {{"$", "", true},
                                        {"US $", "", true},
                                        {"$", "", false},
                                        {"£", "", true},
                                        {"", " €", true}};
  const Format& format = kFormats[traits.price_format];
  out->append(format.before);
  AppendGrouped(static_cast<uint64_t>(cents / 100), out);
  if (format.with_cents) {
    out->push_back('.');
    AppendNumber(static_cast<uint64_t>(cents % 100), 2, out);
  }
  out->append(format.after);
}

void AppendIsbn13(const SiteTraits& traits, uint32_t body, std::string* out) {
  std::string digits = "978";
  AppendNumber(body % 1000000000, 9, &digits);
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    sum += (digits[i] - '0') * (i % 2 == 0 ? 1 : 3);
  }
  digits.push_back(static_cast<char>('0' + (10 - sum % 10) % 10));
  if (traits.isbn_format == 0) {
    out->append(digits);
    return;
  }
  out->append(digits, 0, 3);
  out->push_back('-');
  if (traits.isbn_format == 1) {
    out->append(digits, 3);
    return;
  }
  out->append(digits, 3, 1);
  out->push_back('-');
  out->append(digits, 4, 4);
  out->push_back('-');
  out->append(digits, 8, 4);
  out->push_back('-');
  out->append(digits, 12);
}

}  // namespace trommel::synth
