#ifndef TROMMEL_CORE_HTML_TEXT_BUFFER_H_
#define TROMMEL_CORE_HTML_TEXT_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace trommel::html {

// A string to append to, whose memory a parser may also fill itself: unlike
// std::string it makes room without writing zeros to it first.
class TextBuffer {
 public:
  TextBuffer() = default;
  TextBuffer(TextBuffer&& other) noexcept { *this = std::move(other); }
  TextBuffer& operator=(TextBuffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  const char* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  std::string_view view(size_t begin, size_t size) const {
    return std::string_view(data() + begin, size);
  }

  void clear() { size_ = 0; }
  void append(std::string_view text) {
    Reserve(text.size());
    if (!text.empty())
      std::memcpy(bytes_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }
  void push_back(char c) { append(std::string_view(&c, 1)); }

  // Makes room for `count` more bytes and returns where they go. SetEnd() tells
  // how far they have been written.
  char* Reserve(size_t count) {
    if (capacity_ - size_ <= count) Grow(count + 1);  // never without memory
    return bytes_.get() + size_;
  }
  void SetEnd(const char* end) { size_ = static_cast<size_t>(end - data()); }

 private:
  void Grow(size_t count) {
    const size_t capacity = std::max(2 * capacity_, size_ + count);
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(bytes.get(), data(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_TEXT_BUFFER_H_
