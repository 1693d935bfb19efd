#include "core/html/direct/name_index.h"

namespace trommel::html::direct {

NameIndex::NameIndex() : slots_(size_t{1} << kBits) {
  for (NameId id = 1; id < names::kFirstDynamic; ++id) {
    const std::string_view name = FrequentNameOf(id);
    const NameKey key = KeyOf(name.data(), name.size());
    slots_[Locate(key)] = {key, id, kForever};
  }
}

void NameIndex::StartDocument() {
  num_added_ = 0;
  if (++epoch_ != kForever) return;
  for (Slot& slot : slots_) {
    if (slot.epoch != kForever) slot = {};
  }
  epoch_ = 1;
}

void NameIndex::Add(NameKey key, NameId id) {
  if (num_added_ == kMaxAdded) return;
  ++num_added_;
  slots_[Locate(key)] = {key, id, epoch_};
}

}  // namespace trommel::html::direct
