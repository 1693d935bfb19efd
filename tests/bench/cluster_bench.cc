// Clustering: how the passes grow with the vectors of a site, and linkage with
// the sketches of a sample.
//
//   cluster_bench [ROUNDS]
//
// Vectors and sketches are made up, by templates, so that candidates are shared
// and pages linked as on real sites. Each row is measured in processes of its
// own, ROUNDS times, and shows the least processor time and the memory of such
// a process. Growth is the time per vector or per pair over that of the table's
// first row: 1 is linear in vectors, or quadratic in sketches.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/cluster/linkage.h"
#include "core/cluster/site_sample.h"
#include "core/cluster/templates.h"
#include "core/cluster/three_pass.h"

namespace trommel {
namespace {

constexpr uint64_t kSeed = 20260101;

// --- Pages -------------------------------------------------------------------

// One of a few bytes that a place of a template can have; the first is what the
// template itself writes, and of the others the lower are the more frequent.
uint8_t ByteOf(uint64_t tmpl, uint64_t place, uint64_t choice) {
  const uint64_t hash = Mix64(Mix64(tmpl * 1024 + place) + choice);
  return static_cast<uint8_t>(hash % 255 + 1);
}

uint64_t SkewedChoice(Random* random, uint64_t num_choices) {
  const double unit = random->Unit();
  const double skewed = unit * unit * unit * static_cast<double>(num_choices);
  return 1 + static_cast<uint64_t>(skewed);
}

// The vector of a template with up to four of its bytes changed.
signature::ShingleVector MakeVector(uint64_t tmpl, Random* random) {
  constexpr uint64_t kChoices = 16;
  std::array<uint8_t, signature::kVectorBytes> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = ByteOf(tmpl, i, 0);
  for (uint64_t changes = random->Below(5); changes > 0; --changes) {
    const size_t place = random->Below(bytes.size());
    bytes[place] = ByteOf(tmpl, place, SkewedChoice(random, kChoices));
  }
  return signature::VectorOf(bytes);
}

// Ten pages per vector, few vectors having most of them. A template has 1,000
// vectors whatever the size, so that rows differ in nothing else.
std::vector<signature::ShingleVector> MakePages(size_t num_vectors) {
  Random random(kSeed);
  const uint64_t num_templates = num_vectors / 1000;
  std::vector<signature::ShingleVector> vectors;
  while (vectors.size() < num_vectors) {
    while (vectors.size() < num_vectors + num_vectors / 4) {
      vectors.push_back(MakeVector(random.Below(num_templates), &random));
    }
    std::sort(vectors.begin(), vectors.end());
    vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
  }
  for (size_t i = 0; i < num_vectors; ++i) {
    std::swap(vectors[i], vectors[i + random.Below(vectors.size() - i)]);
  }
  vectors.resize(num_vectors);
  vectors.reserve(10 * num_vectors);
  while (vectors.size() < 10 * num_vectors) {
    const double unit = random.Unit();
    vectors.push_back(vectors[static_cast<size_t>(
        unit * unit * unit * static_cast<double>(num_vectors))]);
  }
  return vectors;
}

// Nothing in common but what chance gives: no pair is ever linked.
std::vector<signature::PageSignature> MakeStrangers(size_t num_pages) {
  Random random(kSeed);
  std::vector<signature::PageSignature> pages(num_pages);
  for (signature::PageSignature& page : pages) {
    page.vector = random.Next();
    for (int16_t& slot : page.sketch.slots) {
      slot = static_cast<int16_t>(
          random.Between(-0x8000, signature::Sketch::kEmpty - 1));
    }
  }
  return pages;
}

// Adds shingles to a sketch: its slots keep the least.
void AddShingles(uint64_t first, uint64_t count, signature::Sketch* sketch) {
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t hash = Mix64(first + i);
    int16_t& slot = sketch->slots[hash % signature::Sketch::kSlots];
    const auto value =
        static_cast<int16_t>(static_cast<int>(hash >> 32 & 0x7FFF) - 0x4000);
    slot = std::min(slot, value);
  }
}

// Thirty templates of very different frequency. They share a quarter of their
// shingles, the site's; a page may have any of six sections of its template,
// and has some shingles of its own, the more the rarer its template. A fifth
// of the pages has none, so that sketches occur again.
std::vector<signature::PageSignature> MakeSample(size_t num_pages) {
  constexpr uint64_t kTemplates = 30;
  constexpr uint64_t kSections = 6;
  Random random(kSeed);
  std::vector<signature::PageSignature> pages(num_pages);
  for (signature::PageSignature& page : pages) {
    const uint64_t tmpl = SkewedChoice(&random, kTemplates);
    page.vector = MakeVector(tmpl, &random);
    signature::Sketch* const sketch = &page.sketch;
    sketch->slots.fill(signature::Sketch::kEmpty);
    AddShingles(0, 100, sketch);
    AddShingles(tmpl << 32, 200, sketch);
    for (uint64_t section = 1; section <= kSections; ++section) {
      if (random.Chance(0.7))
        AddShingles(tmpl << 32 | section << 16, 20, sketch);
    }
    if (random.Chance(0.8)) AddShingles(random.Next(), 3 * tmpl, sketch);
  }
  return pages;
}

// --- Measures ----------------------------------------------------------------

// What a process reports.
struct Measure {
  double first_seconds = 0;
  double second_seconds = 0;
  int64_t num_distinct = 0;
  int64_t num_found = 0;
  int64_t peak_mb = 0;
};

// Processor time: what else runs on the machine counts little.
class Clock {
 public:
  // Seconds since the last call.
  double Lap() {
    const std::clock_t now = std::clock();
    return static_cast<double>(now - std::exchange(last_, now)) /
           CLOCKS_PER_SEC;
  }

 private:
  std::clock_t last_ = std::clock();
};

[[noreturn]] void Die(const char* message) {
  std::fprintf(stderr, "cluster_bench: %s\n", message);
  std::exit(1);
}

// Calls `measure` in a process of its own.
template <typename MeasureOnce>
Measure InProcess(MeasureOnce measure) {
  int ends[2];
  if (::pipe(ends) != 0) Die("no pipe");
  const pid_t child = ::fork();
  if (child < 0) Die("no process");
  if (child == 0) {
    const Measure result = measure();
    const bool written =
        ::write(ends[1], &result, sizeof result) == sizeof result;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  Measure result;
  const ssize_t size = ::read(ends[0], &result, sizeof result);
  ::close(ends[0]);
  int status = 0;
  rusage usage = {};
  if (::wait4(child, &status, 0, &usage) < 0 || status != 0 ||
      size != sizeof result) {
    Die("a process failed");
  }
  result.peak_mb = usage.ru_maxrss / 1024;
  return result;
}

template <typename MeasureOnce>
Measure Least(int rounds, MeasureOnce measure) {
  Measure least = InProcess(measure);
  for (int round = 1; round < rounds; ++round) {
    const Measure next = InProcess(measure);
    least.first_seconds = std::min(least.first_seconds, next.first_seconds);
    least.second_seconds = std::min(least.second_seconds, next.second_seconds);
    least.peak_mb = std::min(least.peak_mb, next.peak_mb);
  }
  return least;
}

Measure MeasurePasses(size_t num_vectors) {
  std::vector<signature::ShingleVector> pages = MakePages(num_vectors);
  const int64_t threshold =
      cluster::PruningThreshold(static_cast<int64_t>(pages.size()));
  Measure measure;
  Clock clock;
  const std::vector<cluster::VectorCount> counts =
      cluster::CountVectors(std::move(pages));
  measure.first_seconds = clock.Lap();
  const std::vector<cluster::Signature> found =
      cluster::FindSignatures(counts, threshold);
  measure.second_seconds = clock.Lap();
  measure.num_distinct = static_cast<int64_t>(counts.size());
  measure.num_found = static_cast<int64_t>(found.size());
  return measure;
}

Measure MeasureLinkage(const std::vector<signature::PageSignature>& pages) {
  std::vector<const signature::Sketch*> sketches;
  sketches.reserve(pages.size());
  for (const signature::PageSignature& page : pages)
    sketches.push_back(&page.sketch);
  Measure measure;
  Clock clock;
  const std::vector<int32_t> groups = cluster::GroupByStructure(sketches, 20);
  measure.first_seconds = clock.Lap();
  measure.num_found = *std::max_element(groups.begin(), groups.end()) + 1;
  std::sort(sketches.begin(), sketches.end(),
            [](const signature::Sketch* a, const signature::Sketch* b) {
              return *a < *b;
            });
  const auto end =
      std::unique(sketches.begin(), sketches.end(),
                  [](const signature::Sketch* a, const signature::Sketch* b) {
                    return *a == *b;
                  });
  measure.num_distinct = end - sketches.begin();
  return measure;
}

Measure MeasureTemplates(const std::vector<signature::PageSignature>& pages) {
  Measure measure;
  Clock clock;
  measure.num_found =
      static_cast<int64_t>(cluster::MergedTemplates(pages).size());
  measure.first_seconds = clock.Lap();
  return measure;
}

// --- Tables ------------------------------------------------------------------

void PrintPasses(int rounds) {
  std::printf("passes one and two\n");
  std::printf("  %10s %9s %9s %9s %10s %7s %8s %8s\n", "pages", "vectors",
              "count", "passes", "ns/vector", "growth", "clusters", "memory");
  double first_ns = 0;
  for (const size_t size : {10000, 30000, 100000, 300000, 1000000}) {
    const Measure measure = Least(rounds, [&] { return MeasurePasses(size); });
    const double vectors = static_cast<double>(measure.num_distinct);
    const double ns =
        (measure.first_seconds + measure.second_seconds) * 1e9 / vectors;
    if (first_ns == 0) first_ns = ns;
    std::printf("  %10zu %9.0f %7.3f s %7.3f s %10.0f %7.2f %8lld %5lld MB\n",
                10 * size, vectors, measure.first_seconds,
                measure.second_seconds, ns, ns / first_ns,
                static_cast<long long>(measure.num_found),
                static_cast<long long>(measure.peak_mb));
  }
}

template <typename MakePagesOfSample>
void PrintLinkage(int rounds, const char* title, MakePagesOfSample make) {
  std::printf("linkage, %s\n", title);
  std::printf("  %10s %9s %9s %10s %7s %8s\n", "pages", "sketches", "time",
              "ns/pair", "growth", "groups");
  double first_ns = 0;
  for (const size_t size : {2000, 5000, 10000, 20000}) {
    const Measure measure =
        Least(rounds, [&] { return MeasureLinkage(make(size)); });
    const double sketches = static_cast<double>(measure.num_distinct);
    const double pairs = sketches * (sketches - 1) / 2;
    const double ns = measure.first_seconds * 1e9 / pairs;
    if (first_ns == 0) first_ns = ns;
    std::printf("  %10zu %9.0f %7.3f s %10.2f %7.2f %8lld\n", size, sketches,
                measure.first_seconds, ns, ns / first_ns,
                static_cast<long long>(measure.num_found));
  }
}

int Main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: cluster_bench [ROUNDS]\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  PrintPasses(rounds);
  PrintLinkage(rounds, "all pages strangers", MakeStrangers);
  PrintLinkage(rounds, "thirty templates", MakeSample);
  const Measure merged = Least(rounds, [] {
    return MeasureTemplates(MakeSample(cluster::kMaxSamplePages));
  });
  std::printf("templates of the largest sample\n");
  std::printf("  %10lld pages, %lld templates, %.3f s, %lld MB\n",
              static_cast<long long>(cluster::kMaxSamplePages),
              static_cast<long long>(merged.num_found), merged.first_seconds,
              static_cast<long long>(merged.peak_mb));
  return 0;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) { return trommel::Main(argc, argv); }
