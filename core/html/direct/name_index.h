#ifndef TROMMEL_CORE_HTML_DIRECT_NAME_INDEX_H_
#define TROMMEL_CORE_HTML_DIRECT_NAME_INDEX_H_

// From the name of a tag or attribute to its id, without hashing strings.
//
// One open-addressing table holds the frequent names (core/html/names.h) for
// good, and those names of the current document that fit into a key. Starting
// the next document makes the latter stale, and a stale slot is an empty one:
// whatever was put behind it was put there by an earlier document as well.

#include <cstdint>
#include <string>
#include <vector>

#include "core/html/direct/byte_scan.h"
#include "core/html/document.h"

namespace trommel::html::direct {

class NameIndex {
 public:
  NameIndex();

  void StartDocument();

  // The id of a name, names::kNone if it is neither frequent nor in the
  // current document.
  NameId Find(NameKey key) const { return slots_[Locate(key)].id_in(epoch_); }

  // Remembers the id that the current document gave to a name, if there is
  // room.
  void Add(NameKey key, NameId id);

 private:
  struct Slot {
    NameKey key;
    NameId id = names::kNone;
    uint32_t epoch = 0;  // document, kForever for frequent names

    bool live(uint32_t now) const { return epoch == now || epoch == kForever; }
    NameId id_in(uint32_t now) const {
      return live(now) ? id : NameId{names::kNone};
    }
  };

  static constexpr uint32_t kForever = UINT32_MAX;
  static constexpr int kBits = 11;
  // Names of a document that are kept; more are looked up in the document.
  static constexpr uint32_t kMaxAdded = 512;

  // The slot of a key, or the empty one where it would go.
  size_t Locate(NameKey key) const {
    size_t at =
        ((key.low ^ (key.high * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u) >>
        (64 - kBits);
    while (true) {
      const Slot& slot = slots_[at];
      if ((slot.key.low == key.low && slot.key.high == key.high) ||
          !slot.live(epoch_)) {
        return at;
      }
      at = (at + 1) & ((size_t{1} << kBits) - 1);
    }
  }

  std::vector<Slot> slots_;
  uint32_t epoch_ = 1;
  uint32_t num_added_ = 0;
};

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_NAME_INDEX_H_
