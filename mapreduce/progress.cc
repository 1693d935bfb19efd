#include "mapreduce/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel {
namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr auto kLogInterval = std::chrono::seconds(10);
constexpr int kBarWidth = 30;

// 1234567 as "1,234,567".
std::string WithCommas(int64_t number) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out.push_back(',');
    out.push_back(digits[i]);
  }
  return out;
}

std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  if (whole < 60) return absl::StrFormat("%ds", whole);
  if (whole < 3600) return absl::StrFormat("%dm%02ds", whole / 60, whole % 60);
  return absl::StrFormat("%dh%02dm", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(std::string_view label, std::string_view unit, int64_t total)
    : label_(label),
      unit_(unit),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_draw_(start_ + (terminal_ ? Clock::duration(kTerminalInterval)
                                     : Clock::duration(kLogInterval))) {}

Progress::~Progress() { Erase(); }

void Progress::MaybeDraw() {
  const Clock::time_point now = Clock::now();
  if (now >= next_draw_) Draw(now);
}

void Progress::Draw(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(done_) / elapsed : 0;
  std::string line = StrCat(label_, " ");
  if (total_ > 0) {
    const double share = std::clamp(
        static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0);
    if (terminal_) {
      const int filled = static_cast<int>(share * kBarWidth);
      StrAppend(&line, "[", std::string(static_cast<size_t>(filled), '#'),
                std::string(static_cast<size_t>(kBarWidth - filled), '.'),
                "] ");
    }
    absl::StrAppendFormat(&line, "%3.0f%% %s of %s %s", share * 100,
                          WithCommas(done_), WithCommas(total_), unit_);
    if (rate > 0 && share < 1) {
      StrAppend(&line, ", ",
                Duration(static_cast<double>(total_ - done_) / rate), " left");
    }
  } else {
    StrAppend(&line, WithCommas(done_), " ", unit_);
  }
  absl::StrAppendFormat(&line, ", %s/s",
                        WithCommas(static_cast<int64_t>(rate)));
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
  drawn_ = terminal_;
  next_draw_ = now + (terminal_ ? Clock::duration(kTerminalInterval)
                                : Clock::duration(kLogInterval));
}

void Progress::Erase() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
  drawn_ = false;
}

void Progress::Log(std::string_view message) {
  Erase();
  std::fprintf(stderr, "%s\n", Printable(message).c_str());
}

void Progress::Finish() { Erase(); }

}  // namespace trommel
