#ifndef TROMMEL_MAPREDUCE_PROGRESS_H_
#define TROMMEL_MAPREDUCE_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace trommel {

// Tells on standard error how far long work has come: a bar that redraws
// itself on a terminal, a line every ten seconds elsewhere. Cheap to call for
// every record. For one thread.
class Progress {
 public:
  // `unit` names what is counted ("pages"). A total below 0 is unknown: then
  // there is a count and a rate, but no bar.
  Progress(std::string_view label, std::string_view unit, int64_t total);
  // Takes the bar off the terminal if Finish() was not called.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Update(int64_t done) {
    done_ = done;
    if (++calls_ % 64 == 0 || done == total_) MaybeDraw();
  }
  // The same for work that is looked at now and then: draws whenever it is
  // time to, however few the calls.
  void Show(int64_t done) {
    done_ = done;
    MaybeDraw();
  }
  // A line above the bar, made Printable().
  void Log(std::string_view message);
  void Finish();

 private:
  using Clock = std::chrono::steady_clock;

  void MaybeDraw();
  void Draw(Clock::time_point now);
  void Erase();

  std::string label_;
  std::string unit_;
  int64_t total_;
  int64_t done_ = 0;
  uint64_t calls_ = 0;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_draw_;
};

}  // namespace trommel

#endif  // TROMMEL_MAPREDUCE_PROGRESS_H_
