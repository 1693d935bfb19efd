#include "core/record/attribute_counts.h"

#include "core/base/text.h"
#include "core/record/value_set.h"

namespace trommel::record {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) {
  const char lower = AsciiLower(c);
  return (lower >= 'a' && lower <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool HaveSameLayouts(const ValueSet& a, const ValueSet& b) {
  ValueSet layouts_a, layouts_b;
  for (const std::string& value : a) layouts_a.insert(LayoutOf(value));
  for (const std::string& value : b) layouts_b.insert(LayoutOf(value));
  return layouts_a == layouts_b;
}

}  // namespace

void AttributeCounts::Add(const std::vector<std::string>& values_before,
                          const std::vector<std::string>& values_now) {
  const ValueSet before = NormalizedValues(values_before);
  const ValueSet now = NormalizedValues(values_now);
  if (before.empty()) {
    gained += now.empty() ? 0 : 1;
    return;
  }
  ++had;
  if (now.empty()) {
    ++lost;
    return;
  }
  same += before == now ? 1 : 0;
  alike += before == now || HaveSameLayouts(before, now) ? 1 : 0;
}

std::string LayoutOf(std::string_view text) {
  std::string layout;
  for (const char c : text) {
    const char mark = IsDigit(c) ? '9' : IsLetter(c) ? 'a' : c;
    const bool goes_on = mark == '9' || mark == 'a';
    if (!goes_on || layout.empty() || layout.back() != mark) layout += mark;
  }
  return layout;
}

}  // namespace trommel::record
