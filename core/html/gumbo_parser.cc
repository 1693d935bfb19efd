// gumbo parses in one call without callbacks, so its limits act through its
// allocator: all memory of a page comes from one arena that is dropped as a
// whole (gumbo's own clean-up recurses once per level of nesting), and the
// allocator looks at the clock and the total and leaves the parse by longjmp
// when one runs out. The jump crosses frames of gumbo only, which is C and
// holds nothing but arena memory.
//
// gumbo cannot be told to stop at a depth; deep pages end in the clock.
// Attributes are cut and depth is flattened while copying. A million
// attributes on a tag end in the clock as well.

#include <gumbo.h>

#include <algorithm>
#include <chrono>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/text.h"
#include "core/html/parser_internal.h"

namespace trommel::html {
namespace {

using Clock = std::chrono::steady_clock;

// gumbo needs some hundred bytes a node; a page whose tree has max_nodes nodes
// stays below this.
constexpr size_t kArenaBytesPerNode = 1024;
constexpr size_t kBlockSize = size_t{1} << 18;
constexpr uint64_t kClockInterval = 256;  // in allocations

class Arena {
 public:
  void Reset(size_t max_bytes, Clock::time_point deadline) {
    blocks_.resize(std::min<size_t>(blocks_.size(), 1));
    position_ = blocks_.empty() ? nullptr : blocks_[0].get();
    left_ = blocks_.empty() ? 0 : kBlockSize;
    used_ = 0;
    num_allocations_ = 0;
    max_bytes_ = max_bytes;
    deadline_ = deadline;
    outcome_ = ParseOutcome::kOk;
  }

  static void* Allocate(void* self, size_t size) {
    return static_cast<Arena*>(self)->Allocate(size);
  }
  static void Free(void*, void*) {}

  std::jmp_buf* escape() { return &escape_; }
  ParseOutcome outcome() const { return outcome_; }

 private:
  void* Allocate(size_t size) {
    size = (size + 15) & ~size_t{15};
    used_ += size;
    if (used_ > max_bytes_) Escape(ParseOutcome::kTooManyNodes);
    if (++num_allocations_ % kClockInterval == 0 && Clock::now() > deadline_) {
      Escape(ParseOutcome::kTimeout);
    }
    if (size > left_) {
      const size_t block = std::max(size, kBlockSize);
      blocks_.push_back(std::make_unique<char[]>(block));
      position_ = blocks_.back().get();
      left_ = block;
    }
    void* const result = position_;
    position_ += size;
    left_ -= size;
    return result;
  }

  [[noreturn]] void Escape(ParseOutcome outcome) {
    outcome_ = outcome;
    std::longjmp(escape_, 1);
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* position_ = nullptr;
  size_t left_ = 0;
  size_t used_ = 0;
  size_t max_bytes_ = 0;
  uint64_t num_allocations_ = 0;
  Clock::time_point deadline_;
  ParseOutcome outcome_ = ParseOutcome::kOk;
  std::jmp_buf escape_;
};

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (size_t i = 0; i < lower.size(); ++i) {
    if (AsciiLower(text[i]) != lower[i]) return false;
  }
  return true;
}

// gumbo takes HTML 4.01 Transitional and Frameset doctypes that lack a system
// identifier for standards mode; the HTML standard (13.2.6.4.1) says quirks
// mode, which decides for example whether a table ends a paragraph. Returns
// such a doctype, or an empty view. Without a doctype gumbo does what is right.
std::string_view MisreadDoctype(std::string_view utf8) {
  std::string_view rest = utf8;
  while (true) {
    while (!rest.empty() && IsHtmlSpace(rest[0])) rest.remove_prefix(1);
    if (rest.substr(0, 4) != "<!--") break;
    const size_t end = rest.find("-->");
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 3);
  }
  if (!StartsWithIgnoringCase(rest, "<!doctype")) return {};
  const std::string_view doctype = rest.substr(0, rest.find('>'));
  if (doctype.size() == rest.size()) return {};  // not closed
  const size_t quote = doctype.find_first_of("\"'");
  if (quote == std::string_view::npos) return {};
  const std::string_view identifier = doctype.substr(quote + 1);
  const size_t end = identifier.find(doctype[quote]);
  if (end == std::string_view::npos ||
      identifier.find_first_of("\"'", end + 1) != std::string_view::npos) {
    return {};
  }
  for (const std::string_view prefix : {"-//w3c//dtd html 4.01 transitional//",
                                        "-//w3c//dtd html 4.01 frameset//"}) {
    if (StartsWithIgnoringCase(identifier, prefix)) {
      return rest.substr(0, doctype.size() + 1);
    }
  }
  return {};
}

class GumboParser final : public Parser {
 public:
  explicit GumboParser(const ParseLimits& limits) : Parser(limits) {}

  ParseOutcome ParseUtf8(std::string_view utf8, Document* document) override;

 private:
  GumboOutput* Parse(std::string_view utf8);
  ParseOutcome Copy(const GumboNode& root, Document* document);
  void CopyElement(const GumboElement& element, DocumentBuilder* builder);
  NameId TagName(const GumboElement& element, DocumentBuilder* builder);
  NameId LowerName(std::string_view name, DocumentBuilder* builder);
  std::string_view ValidText(std::string_view text);

  Arena arena_;
  std::string lower_;
  std::string valid_text_;
  std::string without_doctype_;
};

// The frame that longjmp returns to: nothing here needs a destructor.
GumboOutput* GumboParser::Parse(std::string_view utf8) {
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = Arena::Allocate;
  options.deallocator = Arena::Free;
  options.userdata = &arena_;
  options.max_errors = 0;
  if (setjmp(*arena_.escape()) != 0) return nullptr;
  return gumbo_parse_with_options(&options, utf8.data(), utf8.size());
}

ParseOutcome GumboParser::ParseUtf8(std::string_view utf8, Document* document) {
  notes_ = {};
  ParseOutcome outcome = ParseOutcome::kTooLarge;
  if (utf8.size() <= limits_.max_bytes) {
    if (const std::string_view doctype = MisreadDoctype(utf8);
        !doctype.empty()) {
      const auto offset = static_cast<size_t>(doctype.data() - utf8.data());
      without_doctype_.assign(utf8);
      without_doctype_.replace(offset, doctype.size(), doctype.size(), ' ');
      utf8 = without_doctype_;
    }
    arena_.Reset(limits_.max_bytes * 8 + limits_.max_nodes * kArenaBytesPerNode,
                 Clock::now() + absl::ToChronoNanoseconds(limits_.timeout));
    const GumboOutput* const output = Parse(utf8);
    outcome = output == nullptr ? arena_.outcome()
                                : Copy(*output->document, document);
  }
  if (outcome != ParseOutcome::kOk) DocumentBuilder(document, 1).Finish();
  return outcome;
}

NameId GumboParser::LowerName(std::string_view name, DocumentBuilder* builder) {
  lower_.assign(name);
  for (char& c : lower_) c = AsciiLower(c);
  return builder->InternName(lower_);
}

NameId GumboParser::TagName(const GumboElement& element,
                            DocumentBuilder* builder) {
  if (element.tag != GUMBO_TAG_UNKNOWN) {
    return builder->InternName(gumbo_normalized_tagname(element.tag));
  }
  GumboStringPiece original = element.original_tag;
  // gumbo counts an empty end tag as part of the tag that follows it.
  while (original.length > 3 && std::memcmp(original.data, "</>", 3) == 0) {
    original.data += 3;
    original.length -= 3;
  }
  gumbo_tag_from_original_text(&original);
  return LowerName(std::string_view(original.data, original.length), builder);
}

// gumbo's arithmetic on character references such as &#11111111111; overflows
// and can leave anything. The result is valid until the next call.
std::string_view GumboParser::ValidText(std::string_view text) {
  if (ValidUtf8Prefix(text) == text.size()) return text;
  valid_text_.clear();
  AppendUtf8Lossy(text, &valid_text_);
  return valid_text_;
}

void GumboParser::CopyElement(const GumboElement& element,
                              DocumentBuilder* builder) {
  builder->OpenElement(TagName(element, builder));
  const GumboVector& attributes = element.attributes;
  const size_t count =
      std::min<size_t>(attributes.length, limits_.max_attributes);
  notes_.attributes_dropped |= count < attributes.length;
  for (size_t i = 0; i < count; ++i) {
    const auto& attribute =
        *static_cast<const GumboAttribute*>(attributes.data[i]);
    if (attribute.name[0] == '\0') {  // the name was U+0000, which C ends at
      notes_.attributes_dropped = true;
      continue;
    }
    static constexpr const char* kPrefixes[] = {"", "xlink:", "xml:", "xmlns:"};
    lower_ = kPrefixes[attribute.attr_namespace];
    if (lower_ == "xmlns:" && std::strcmp(attribute.name, "xmlns") == 0) {
      lower_.clear();
    }
    for (const char* c = attribute.name; *c != '\0'; ++c) {
      lower_.push_back(AsciiLower(*c));
    }
    builder->AddAttribute(builder->InternName(lower_),
                          ValidText(attribute.value));
  }
}

ParseOutcome GumboParser::Copy(const GumboNode& root, Document* document) {
  DocumentBuilder builder(document, limits_.max_depth);
  struct Level {
    const GumboVector* children;
    unsigned next;
  };
  std::vector<Level> levels = {{&root.v.document.children, 0}};
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.children->length) {
      levels.pop_back();
      if (!levels.empty()) builder.CloseElement();
      continue;
    }
    const auto& node =
        *static_cast<const GumboNode*>(level.children->data[level.next++]);
    switch (node.type) {
      case GUMBO_NODE_ELEMENT:
      case GUMBO_NODE_TEMPLATE:
        CopyElement(node.v.element, &builder);
        levels.push_back({&node.v.element.children, 0});
        break;
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_CDATA:
      case GUMBO_NODE_WHITESPACE:
        builder.AddText(ValidText(node.v.text.text));
        break;
      case GUMBO_NODE_COMMENT:
        builder.AddComment(ValidText(node.v.text.text));
        break;
      default:
        break;
    }
    if (builder.num_nodes() > limits_.max_nodes) {
      return ParseOutcome::kTooManyNodes;
    }
  }
  notes_.depth_flattened = builder.flattened();
  builder.Finish();
  return ParseOutcome::kOk;
}

}  // namespace

std::unique_ptr<Parser> MakeGumboParser(const ParseLimits& limits) {
  return std::make_unique<GumboParser>(limits);
}

}  // namespace trommel::html
