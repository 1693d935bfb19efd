#include "tests/testing/damaged_warc.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "core/base/random.h"
#include "tests/testing/compression.h"

namespace trommel::testing_support {
namespace {

// The original bytes [begin, end) of the file become `replacement`.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string replacement;
  std::string name;
};

// The bytes of a record or of its frame in the undamaged file.
struct Extent {
  size_t begin = 0;
  size_t end = 0;
};

std::string Words(Random* random, size_t size) {
  std::string text;
  while (text.size() < size) {
    text += "word" + std::to_string(random->Below(2000)) +
            (random->Chance(0.1) ? "\r\n" : " ");
  }
  text.resize(size);
  return text;
}

// From 0 to 100 KB, small ones more often.
size_t RandomSize(Random* random) {
  return random->Below(size_t{1} << random->Below(18)) % 100'000;
}

std::string ForgedRecord(Random* random) {
  return MakeWarcRecord(
      std::string(kForgedUrlPrefix) + std::to_string(random->Next()),
      Words(random, random->Below(3000)));
}

// WARC text that begins lines but leads nowhere.
std::string BrokenWarcText(Random* random) {
  std::string text;
  for (uint64_t i = random->Below(8); i > 0; --i) {
    text += "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ";
    text += std::string(kForgedUrlPrefix) + "text\r\nContent-Length: ";
    text += std::to_string(random->Below(5000)) + "\r\n\r\n";
    text += Words(random, random->Below(500)) + "\n";
  }
  return text;
}

std::string RandomBlock(WarcFraming framing, Random* random) {
  std::string block = Words(random, random->Below(300));
  block += "\r\n\r\n";
  switch (random->Below(8)) {
    case 0:
      return "";
    case 1:
      return block + RandomBytes(random, RandomSize(random));
    case 2:
      return block + BrokenWarcText(random);
    case 3:
      if (!HasFramePerRecord(framing)) break;
      for (uint64_t i = random->Below(6); i > 0; --i) {
        block += ForgedRecord(random);
      }
      return block;
    case 4:
      for (uint64_t i = random->Below(40); i > 0; --i) {
        block += Gzip(ForgedRecord(random));
      }
      return block + Words(random, random->Below(100));
    case 5:
      for (uint64_t i = random->Below(40); i > 0; --i) {
        block += Zstd(ForgedRecord(random));
      }
      return block + Words(random, random->Below(100));
    default:
      break;
  }
  return block + Words(random, RandomSize(random));
}

std::string Frame(WarcFraming framing, const std::string& text,
                  const std::string& dictionary, Random* random) {
  switch (framing) {
    case WarcFraming::kGzipRecords:
      // Level 0 stores everything, so that frames in pages are visible.
      return Gzip(text, static_cast<int>(random->Below(3)) * 3);
    case WarcFraming::kZstdRecords:
      return Zstd(text);
    case WarcFraming::kZstdDictionary:
      return Zstd(text, dictionary);
    case WarcFraming::kPlain:
    case WarcFraming::kGzipWhole:
      break;
  }
  return text;
}

Edit RandomEdit(const std::string& file, const std::vector<Extent>& extents,
                Random* random) {
  // Small records are hit as often as large ones.
  const Extent& hit = extents[random->Below(extents.size())];
  Edit edit;
  edit.begin = hit.begin + random->Below(hit.end - hit.begin);
  edit.end = edit.begin;
  const size_t length =
      std::min(1 + random->Below(size_t{1} << random->Below(13)),
               file.size() - edit.begin);
  switch (random->Below(8)) {
    case 0:
      edit.name = "deleted";
      edit.end += length;
      break;
    case 1:
      edit.name = "inserted";
      edit.replacement = RandomBytes(random, std::min<size_t>(length, 4000));
      break;
    case 2:
      edit.name = "zeroed";
      edit.end += length;
      edit.replacement.assign(length, '\0');
      break;
    case 3:
      edit.name = "duplicated";
      edit.replacement = file.substr(edit.begin, length);
      break;
    case 4:
      edit.name = "frame cut";
      edit.end = hit.end;
      break;
    case 5:
      // The checksum, or the end of a record.
      edit.name = "flipped at the end";
      edit.begin =
          hit.end - 1 - random->Below(std::min<size_t>(8, hit.end - hit.begin));
      [[fallthrough]];
    default:
      if (edit.name.empty()) edit.name = "flipped";
      edit.end = edit.begin + 1;
      edit.replacement = file.substr(edit.begin, 1);
      edit.replacement[0] ^= static_cast<char>(1 << random->Below(8));
  }
  return edit;
}

// Edits in order that do not touch each other.
std::vector<Edit> RandomEdits(const std::string& file,
                              const std::vector<Extent>& extents,
                              Random* random) {
  std::vector<Edit> edits;
  for (uint64_t i = 1 + random->Below(6); i > 0; --i) {
    edits.push_back(RandomEdit(file, extents, random));
  }
  if (random->Chance(0.1)) {
    const size_t cut = random->Below(file.size());
    edits.push_back({cut, file.size(), "", "end cut off"});
  }
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::vector<Edit> apart;
  for (Edit& edit : edits) {
    if (apart.empty() || edit.begin > apart.back().end) {
      apart.push_back(std::move(edit));
    }
  }
  return apart;
}

std::string Apply(const std::string& file, const std::vector<Edit>& edits) {
  std::string out;
  size_t position = 0;
  for (const Edit& edit : edits) {
    out.append(file, position, edit.begin - position);
    out += edit.replacement;
    position = edit.end;
  }
  return out.append(file, position);
}

void MarkDamage(const std::vector<Edit>& edits,
                const std::vector<Extent>& extents, DamagedWarc* warc) {
  for (const Edit& edit : edits) {
    warc->damage += " " + edit.name + " at " + std::to_string(edit.begin) +
                    "-" + std::to_string(edit.end);
    const size_t copied_end = edit.begin + edit.replacement.size();
    for (size_t i = 0; i < extents.size(); ++i) {
      const Extent& extent = extents[i];
      const bool is_hit =
          edit.begin == edit.end
              ? edit.begin > extent.begin && edit.begin < extent.end
              : edit.begin < extent.end && edit.end > extent.begin;
      if (is_hit) warc->records[i].is_good = false;
      if (edit.name == "duplicated" && edit.begin <= extent.begin &&
          copied_end >= extent.end) {
        ++warc->records[i].num_copies;
      }
    }
  }
}

// How many of the decoded bytes of a damaged gzip file are as they were.
size_t GoodPrefix(const std::string& file, const std::string& text) {
  z_stream stream = {};
  if (inflateInit2(&stream, 31) != Z_OK) return 0;
  std::string decoded(text.size(), '\0');
  stream.next_in =
      const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file.data()));
  stream.avail_in = static_cast<uInt>(file.size());
  stream.next_out = reinterpret_cast<Bytef*>(decoded.data());
  stream.avail_out = static_cast<uInt>(decoded.size());
  inflate(&stream, Z_FINISH);
  decoded.resize(stream.total_out);
  inflateEnd(&stream);
  return static_cast<size_t>(
      std::mismatch(decoded.begin(), decoded.end(), text.begin()).first -
      decoded.begin());
}

}  // namespace

std::string_view ToString(WarcFraming framing) {
  switch (framing) {
    case WarcFraming::kPlain:
      return "plain";
    case WarcFraming::kGzipRecords:
      return "gzip records";
    case WarcFraming::kGzipWhole:
      return "gzip whole";
    case WarcFraming::kZstdRecords:
      return "zstd records";
    case WarcFraming::kZstdDictionary:
      return "zstd dictionary";
  }
  return "unknown";
}

bool HasFramePerRecord(WarcFraming framing) {
  return framing != WarcFraming::kPlain && framing != WarcFraming::kGzipWhole;
}

std::string MakeWarcRecord(std::string_view url, std::string_view block) {
  std::string out = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: ";
  out.append(url).append("\r\nWARC-Date: 2016-09-19T17:20:24Z\r\n");
  out += "Content-Type: text/html\r\nContent-Length: ";
  out += std::to_string(block.size()) + "\r\n\r\n";
  return out.append(block).append("\r\n\r\n");
}

size_t DamagedWarc::num_good() const {
  return static_cast<size_t>(
      std::count_if(records.begin(), records.end(),
                    [](const Record& record) { return record.is_good; }));
}

DamagedWarc MakeDamagedWarc(uint64_t seed) {
  static const std::string& dictionary = *new std::string(TrainDictionary());
  Random random(seed);
  DamagedWarc warc;
  // Gzip with a frame per record is what nearly all archives are.
  constexpr WarcFraming kFramings[] = {
      WarcFraming::kGzipRecords, WarcFraming::kGzipRecords,
      WarcFraming::kGzipRecords, WarcFraming::kPlain,
      WarcFraming::kGzipWhole,   WarcFraming::kZstdRecords,
      WarcFraming::kZstdRecords, WarcFraming::kZstdDictionary};
  warc.framing = kFramings[random.Below(std::size(kFramings))];
  std::string file;
  if (warc.framing == WarcFraming::kZstdDictionary) {
    file = SkippableFrame(0x184D2A5D, Zstd(dictionary));
  }
  std::vector<Extent> extents;
  const uint64_t num_records = 3 + random.Below(60);
  for (uint64_t i = 0; i < num_records; ++i) {
    DamagedWarc::Record record;
    record.url = "https://example.org/" + std::to_string(i);
    record.block = RandomBlock(warc.framing, &random);
    const std::string frame =
        Frame(warc.framing, MakeWarcRecord(record.url, record.block),
              dictionary, &random);
    record.file_bytes = frame.size();
    extents.push_back({file.size(), file.size() + frame.size()});
    file += frame;
    warc.records.push_back(std::move(record));
  }
  if (warc.framing != WarcFraming::kGzipWhole) {
    const std::vector<Edit> edits = RandomEdits(file, extents, &random);
    warc.file = Apply(file, edits);
    MarkDamage(edits, extents, &warc);
    return warc;
  }
  const std::string compressed = Gzip(file);
  const std::vector<Edit> edits =
      RandomEdits(compressed, {{0, compressed.size()}}, &random);
  warc.file = Apply(compressed, edits);
  MarkDamage(edits, {}, &warc);
  const size_t good_prefix = GoodPrefix(warc.file, file);
  for (size_t i = 0; i < extents.size(); ++i) {
    warc.records[i].is_good = extents[i].end < good_prefix;
  }
  return warc;
}

}  // namespace trommel::testing_support
