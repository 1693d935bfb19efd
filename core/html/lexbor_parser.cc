// lexbor builds its own tree; this adapter keeps it within the limits while it
// is built, then copies it into the flat Document in one walk.
//
// Limits. The tokenizer is a state machine that is driven from here, so that
// the attributes of a long tag are counted while it is read and those over the
// limit are skipped (lexbor compares each with all before it and keeps names in
// 128 chains, so a million attributes would take hours). Every token goes to a
// callback before lexbor's tree builder sees it. Ours stands in between and
//   - keeps the stack of open elements within max_depth by closing the current
//     element before another opens (most tree-building steps search that
//     stack, so depth makes parsing quadratic);
//   - counts nodes and memory and looks at the clock, and stops the parse when
//     one of them runs out.
// One token can make many nodes: unclosed formatting elements (<b>, <font>)
// are opened again in every new block, and their end tags in the wrong place
// make more copies, each with all attributes. Their number is therefore
// bounded as well, and lexbor's arenas are watched, so that whatever a token
// makes is seen.

#include <lexbor/dom/interfaces/character_data.h>
#include <lexbor/html/html.h>
#include <lexbor/html/tokenizer/state.h>
#include <lexbor/html/tree/active_formatting.h>
#include <lexbor/html/tree/insertion_mode.h>
#include <lexbor/html/tree/template_insertion.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/base/text.h"
#include "core/html/parser_internal.h"
#include "core/html/tag_scanner.h"

namespace trommel::html {
namespace {

using Clock = std::chrono::steady_clock;

// How often the clock is read, in tokens and in looks at the tokenizer; also
// whenever an arena grows.
constexpr uint64_t kClockInterval = 64;

// How often the tokenizer is looked at, in its own steps; an attribute is two
// to six of them.
constexpr int kStepsBetweenLooks = 64;

// lexbor takes some 200 bytes for an element or text and 100 for an attribute;
// a page of max_nodes nodes with a few attributes each stays below this.
constexpr size_t kArenaBytesPerNode = 512;

// The stack of open elements always keeps <html>, <body> and what a table
// needs; a lower max_depth acts in the copy only.
constexpr size_t kMinOpenElements = 16;

// <html> and <body> tags of a page whose attributes are taken.
constexpr size_t kMaxRootTags = 8;

std::string_view View(const lxb_char_t* data, size_t size) {
  return std::string_view(reinterpret_cast<const char*>(data), size);
}

// lexbor's ids of frequent names as ours; names::kNone where we have none.
template <size_t kCount, typename NameById>
std::array<NameId, kCount> TranslateIds(NameById name_by_id) {
  std::array<NameId, kCount> translated = {};
  for (size_t id = 1; id < kCount; ++id) {
    size_t length = 0;
    const lxb_char_t* const name = name_by_id(id, &length);
    if (name != nullptr) translated[id] = FrequentName(View(name, length));
  }
  return translated;
}

const std::array<NameId, LXB_TAG__LAST_ENTRY>& TagIds() {
  static const auto* const ids =
      new auto(TranslateIds<LXB_TAG__LAST_ENTRY>(lxb_tag_name_by_id));
  return *ids;
}

const std::array<NameId, LXB_DOM_ATTR__LAST_ENTRY>& AttributeIds() {
  static const auto* const ids = new auto(
      TranslateIds<LXB_DOM_ATTR__LAST_ENTRY>([](size_t id, size_t* length) {
        const lxb_dom_attr_data_t* data = lxb_dom_attr_data_by_id(nullptr, id);
        if (data == nullptr) return static_cast<const lxb_char_t*>(nullptr);
        *length = data->entry.length;
        return static_cast<const lxb_char_t*>(
            lexbor_hash_entry_str(&data->entry));
      }));
  return *ids;
}

// An element of HTML that only stands inside <table> or <template>.
bool IsTablePart(const lxb_dom_node_t* node) {
  if (node->ns != LXB_NS_HTML) return false;
  switch (node->local_name) {
    case LXB_TAG_CAPTION:
    case LXB_TAG_COLGROUP:
    case LXB_TAG_TBODY:
    case LXB_TAG_TD:
    case LXB_TAG_TFOOT:
    case LXB_TAG_TH:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR:
      return true;
    default:
      return false;
  }
}

// Notices the growth of one of lexbor's arenas, a list of chunks.
class ArenaWatch {
 public:
  void Start(const lexbor_mraw_t* arena) {
    arena_ = arena->mem;
    last_ = arena_->chunk;
  }

  // Bytes of the chunks added since the last call.
  size_t Growth() {
    size_t bytes = 0;
    for (; last_ != arena_->chunk; last_ = last_->next) {
      bytes += last_->next->size;
    }
    return bytes;
  }

 private:
  const lexbor_mem_t* arena_ = nullptr;
  const lexbor_mem_chunk_t* last_ = nullptr;
};

class LexborParser final : public Parser {
 public:
  explicit LexborParser(const ParseLimits& limits)
      : Parser(limits),
        max_open_(std::max<size_t>(limits.max_depth, kMinOpenElements)) {}
  ~LexborParser() override { Discard(); }

  ParseOutcome ParseUtf8(std::string_view utf8, Document* document) override;

 private:
  bool Prepare();
  void Discard();

  lxb_status_t Parse(std::string_view utf8);
  lxb_status_t Tokenize(std::string_view utf8);
  bool HasTooManyAttributes() const;
  const lxb_char_t* SkipAttributes(const lxb_char_t* end);

  // The token callback and its parts.
  static lxb_html_token_t* OnToken(lxb_html_tokenizer_t* tokenizer,
                                   lxb_html_token_t* token, void* self);
  lxb_html_token_t* Filter(lxb_html_tokenizer_t* tokenizer,
                           lxb_html_token_t* token);
  lxb_html_token_t* Stop(lxb_html_tokenizer_t* tokenizer, ParseOutcome outcome);
  void CutAttributes(lxb_html_token_t* token);
  bool EndsEarlyClosed(const lxb_html_token_t* token);
  void CloseCurrent();
  void LimitOpenElements();
  bool ContinuesText(const lxb_html_token_t* token) const;
  void LimitRootTags(lxb_html_token_t* token);

  // The copy.
  ParseOutcome Copy(Document* document);
  void CopyElement(lxb_dom_node_t* node, DocumentBuilder* builder);
  NameId TagName(uintptr_t tag_id, DocumentBuilder* builder);
  NameId AttributeName(lxb_dom_attr_t* attribute, DocumentBuilder* builder);

  const size_t max_open_;
  lxb_html_document_t* lexbor_ = nullptr;
  lxb_html_tree_t* tree_ = nullptr;
  lxb_html_tokenizer_t* tokenizer_ = nullptr;
  lxb_html_tokenizer_token_f build_ = nullptr;  // lexbor's own callback

  // State of the page being parsed.
  ParseOutcome outcome_ = ParseOutcome::kOk;
  Clock::time_point deadline_;
  uint64_t num_tokens_ = 0;
  size_t num_nodes_ = 0;
  size_t num_root_tags_ = 0;
  size_t arena_bytes_ = 0;
  ArenaWatch nodes_arena_;
  ArenaWatch text_arena_;
  // Names of elements closed to stay within max_open_, whose end tags are
  // still to come.
  std::vector<lxb_tag_id_t> closed_early_;

  // Rare names of the page by lexbor's ids, which are small numbers or
  // addresses and mean different names for tags and for attributes.
  absl::flat_hash_map<uintptr_t, NameId> rare_tags_;
  absl::flat_hash_map<uintptr_t, NameId> rare_attributes_;
  std::string lower_;
};

bool LexborParser::Prepare() {
  if (lexbor_ != nullptr) return true;
  lexbor_ = lxb_html_document_create();
  if (lexbor_ == nullptr) return false;
  // The document makes its parser with the first page.
  lxb_html_document_parse(lexbor_, reinterpret_cast<const lxb_char_t*>(""), 0);
  auto* const parser = static_cast<lxb_html_parser_t*>(
      lxb_dom_interface_document(lexbor_)->parser);
  tree_ = parser->tree;
  tokenizer_ = parser->tkz;
  // Nobody reads the lists of errors, and on a broken page they would be longer
  // than the page; lexbor keeps none where there is no list.
  tree_->parse_errors = lexbor_array_obj_destroy(tree_->parse_errors, true);
  tokenizer_->parse_errors =
      lexbor_array_obj_destroy(tokenizer_->parse_errors, true);
  build_ = tokenizer_->callback_token_done;
  lxb_html_tokenizer_callback_token_done_set(tokenizer_, OnToken, this);
  return true;
}

void LexborParser::Discard() {
  if (lexbor_ != nullptr) lxb_html_document_destroy(lexbor_);
  lexbor_ = nullptr;
}

lxb_html_token_t* LexborParser::OnToken(lxb_html_tokenizer_t* tokenizer,
                                        lxb_html_token_t* token, void* self) {
  return static_cast<LexborParser*>(self)->Filter(tokenizer, token);
}

lxb_html_token_t* LexborParser::Stop(lxb_html_tokenizer_t* tokenizer,
                                     ParseOutcome outcome) {
  outcome_ = outcome;
  tokenizer->status = LXB_STATUS_STOPPED;
  return nullptr;
}

// Drops the attribute that has just begun and all that follow in its tag.
// Returns where the tokenizer goes on, at the end of the tag.
const lxb_char_t* LexborParser::SkipAttributes(const lxb_char_t* end) {
  lxb_html_token_attr_t* const attribute = tokenizer_->token->attr_last;
  bool self_closing;
  const char* tag_end = tag_scanner_internal::FindTagEnd(
      reinterpret_cast<const char*>(attribute->name_begin),
      reinterpret_cast<const char*>(end), &self_closing);
  if (self_closing) --tag_end;
  lxb_html_token_attr_delete(tokenizer_->token, attribute,
                             tokenizer_->dobj_token_attr);
  tokenizer_->state = lxb_html_tokenizer_state_before_attribute_name;
  notes_.attributes_dropped = true;
  return reinterpret_cast<const lxb_char_t*>(tag_end);
}

bool LexborParser::HasTooManyAttributes() const {
  uint32_t count = 0;
  for (const lxb_html_token_attr_t* attribute = tokenizer_->token->attr_last;
       attribute != nullptr; attribute = attribute->prev) {
    if (++count > limits_.max_attributes) return true;
  }
  return false;
}

// lxb_html_tokenizer_chunk() with a look at the attributes now and then.
lxb_status_t LexborParser::Tokenize(std::string_view utf8) {
  lxb_html_tokenizer_t* const tokenizer = tokenizer_;
  const auto* data = reinterpret_cast<const lxb_char_t*>(utf8.data());
  const lxb_char_t* const end = data + utf8.size();
  tokenizer->is_eof = false;
  tokenizer->status = LXB_STATUS_OK;
  tokenizer->last = end;
  // Room for a token as long as the page, with every byte as U+FFFD. lexbor
  // itself makes room by 4 KiB at a time, which is quadratic.
  if (const size_t room = 3 * utf8.size();
      static_cast<size_t>(tokenizer->end - tokenizer->start) < room &&
      lxb_html_tokenizer_temp_realloc(tokenizer, room) != LXB_STATUS_OK) {
    return tokenizer->status;
  }
  for (uint64_t num_looks = 1; data < end; ++num_looks) {
    for (int i = 0; i < kStepsBetweenLooks && data < end; ++i) {
      data = tokenizer->state(tokenizer, data, end);
    }
    // One token may be the whole page.
    if (num_looks % kClockInterval == 0 && Clock::now() > deadline_) {
      outcome_ = ParseOutcome::kTimeout;
      return LXB_STATUS_STOPPED;
    }
    // The token is gone when the callback has stopped the parse.
    if (tokenizer->token == nullptr || !HasTooManyAttributes()) continue;
    const lxb_html_token_attr_t* const last = tokenizer->token->attr_last;
    while (data < end && tokenizer->token->attr_last == last) {
      data = tokenizer->state(tokenizer, data, end);
      if (tokenizer->token == nullptr) return tokenizer->status;
    }
    const lxb_html_token_attr_t* const next = tokenizer->token->attr_last;
    if (data < end && next != nullptr && next->prev == last) {
      data = SkipAttributes(end);
    }
  }
  return tokenizer->status;
}

// The exact limit, for tags that ended before anyone looked.
void LexborParser::CutAttributes(lxb_html_token_t* token) {
  uint32_t count = 0;
  for (lxb_html_token_attr_t* attribute = token->attr_first;
       attribute != nullptr; attribute = attribute->next) {
    if (++count <= limits_.max_attributes) continue;
    token->attr_last = attribute->prev;
    if (attribute->prev == nullptr) {
      token->attr_first = nullptr;
    } else {
      attribute->prev->next = nullptr;
    }
    notes_.attributes_dropped = true;
    return;
  }
}

lxb_status_t LexborParser::Parse(std::string_view utf8) {
  lxb_html_document_clean(lexbor_);
  nodes_arena_.Start(lxb_dom_interface_document(lexbor_)->mraw);
  text_arena_.Start(lxb_dom_interface_document(lexbor_)->text);
  lxb_status_t status = lxb_html_document_parse_chunk_begin(lexbor_);
  if (status == LXB_STATUS_OK) status = Tokenize(utf8);
  if (status == LXB_STATUS_OK) {
    status = lxb_html_document_parse_chunk_end(lexbor_);
  }
  return status;
}

// Whether an end tag belongs to an element that was closed early. Those stood
// at the greatest depth, so their end tags are met one level above it; once
// that level is left, what has not come does not come any more.
bool LexborParser::EndsEarlyClosed(const lxb_html_token_t* token) {
  if (closed_early_.empty() || tree_->open_elements->length >= max_open_) {
    return false;
  }
  if (tree_->open_elements->length + 1 < max_open_) {
    closed_early_.clear();
    return false;
  }
  if (closed_early_.back() != token->tag_id) return false;
  closed_early_.pop_back();
  return true;
}

// Closes the current element. Where lexbor's insertion mode follows from it,
// the mode is set anew, because lexbor takes for granted that, for example, a
// cell is open while it is in its cell mode.
void LexborParser::CloseCurrent() {
  lexbor_array_t* const open = tree_->open_elements;
  const auto current = [open] {
    return static_cast<lxb_dom_node_t*>(open->list[open->length - 1]);
  };
  if (lxb_html_tree_node_is(current(), LXB_TAG_TEMPLATE)) {
    lexbor_array_pop(open);
    lxb_html_tree_active_formatting_up_to_last_marker(tree_);
    lxb_html_tree_template_insertion_pop(tree_);
    lxb_html_tree_reset_insertion_mode_appropriately(tree_);
    return;
  }
  if (IsTablePart(current()) ||
      lxb_html_tree_node_is(current(), LXB_TAG_TABLE)) {
    // Text of the table is still to be placed: the next token is in time.
    if (tree_->mode == lxb_html_tree_insertion_mode_in_table_text) return;
    // The whole table, so that what follows stands behind it.
    bool had_marker = false;  // cells and captions scope formatting elements
    for (; IsTablePart(current()); lexbor_array_pop(open)) {
      const uintptr_t tag = current()->local_name;
      had_marker |=
          tag == LXB_TAG_TD || tag == LXB_TAG_TH || tag == LXB_TAG_CAPTION;
    }
    if (lxb_html_tree_node_is(current(), LXB_TAG_TABLE)) {
      lexbor_array_pop(open);
    }
    if (had_marker) lxb_html_tree_active_formatting_up_to_last_marker(tree_);
    lxb_html_tree_reset_insertion_mode_appropriately(tree_);
    return;
  }
  closed_early_.push_back(current()->local_name);
  lexbor_array_pop(open);
}

void LexborParser::LimitOpenElements() {
  if (tree_->open_elements->length >= max_open_) {
    CloseCurrent();
    notes_.depth_flattened = true;
  }
  lexbor_array_t* const formatting = tree_->active_formatting;
  if (formatting->length > max_open_) {
    lexbor_array_delete(formatting, 0, formatting->length / 2);
  }
}

// Whether a token is text that joins the text node before it.
bool LexborParser::ContinuesText(const lxb_html_token_t* token) const {
  const lexbor_array_t* const open = tree_->open_elements;
  if (token->tag_id != LXB_TAG__TEXT || open->length == 0) return false;
  const auto* const current =
      static_cast<lxb_dom_node_t*>(open->list[open->length - 1]);
  return current->last_child != nullptr &&
         current->last_child->type == LXB_DOM_NODE_TYPE_TEXT;
}

// Further <html> and <body> tags add their attributes to the one element, each
// compared with all that it has.
void LexborParser::LimitRootTags(lxb_html_token_t* token) {
  if (token->attr_first == nullptr || ++num_root_tags_ <= kMaxRootTags) return;
  token->attr_first = token->attr_last = nullptr;
  notes_.attributes_dropped = true;
}

lxb_html_token_t* LexborParser::Filter(lxb_html_tokenizer_t* tokenizer,
                                       lxb_html_token_t* token) {
  const bool is_end_tag = (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;
  if (is_end_tag) {
    if (EndsEarlyClosed(token)) return token;
  } else {
    if (!ContinuesText(token)) ++num_nodes_;
    if (token->tag_id >= LXB_TAG_A) {
      CutAttributes(token);
      LimitOpenElements();
    }
    if (token->tag_id == LXB_TAG_HTML || token->tag_id == LXB_TAG_BODY) {
      LimitRootTags(token);
    }
  }
  const lexbor_array_t* const open = tree_->open_elements;
  const size_t open_before = open->length;
  lxb_html_token_t* const result = build_(tokenizer, token, tree_);
  // Implied elements and formatting that was opened again.
  if (open->length > open_before + 1) {
    num_nodes_ += open->length - open_before - 1;
  }
  if (num_nodes_ > limits_.max_nodes) {
    return Stop(tokenizer, ParseOutcome::kTooManyNodes);
  }
  const size_t growth = nodes_arena_.Growth() + text_arena_.Growth();
  if (growth > 0 || ++num_tokens_ % kClockInterval == 0) {
    arena_bytes_ += growth;
    if (arena_bytes_ >
        8 * limits_.max_bytes + kArenaBytesPerNode * limits_.max_nodes) {
      return Stop(tokenizer, ParseOutcome::kTooManyNodes);
    }
    if (Clock::now() > deadline_) {
      return Stop(tokenizer, ParseOutcome::kTimeout);
    }
  }
  return result;
}

ParseOutcome LexborParser::ParseUtf8(std::string_view utf8,
                                     Document* document) {
  notes_ = {};
  outcome_ = ParseOutcome::kOk;
  if (utf8.size() > limits_.max_bytes) {
    outcome_ = ParseOutcome::kTooLarge;
  } else if (!Prepare()) {
    outcome_ = ParseOutcome::kTooManyNodes;  // out of memory
  }
  if (outcome_ == ParseOutcome::kOk) {
    deadline_ = Clock::now() + absl::ToChronoNanoseconds(limits_.timeout);
    num_tokens_ = num_nodes_ = num_root_tags_ = arena_bytes_ = 0;
    closed_early_.clear();
    // lexbor keeps the compatibility mode of the page before.
    lxb_dom_interface_document(lexbor_)->compat_mode =
        LXB_DOM_DOCUMENT_CMODE_NO_QUIRKS;
    const lxb_status_t status = Parse(utf8);
    if (outcome_ == ParseOutcome::kOk && status != LXB_STATUS_OK) {
      outcome_ = ParseOutcome::kTooManyNodes;  // out of memory
    }
    if (outcome_ == ParseOutcome::kOk) outcome_ = Copy(document);
  }
  if (outcome_ != ParseOutcome::kOk) {
    DocumentBuilder(document, 1).Finish();
    Discard();
  } else if (utf8.size() > size_t{1} << 20) {
    Discard();  // give the memory of a large page back
  }
  return outcome_;
}

NameId LexborParser::TagName(uintptr_t tag_id, DocumentBuilder* builder) {
  if (tag_id < LXB_TAG__LAST_ENTRY) {
    if (const NameId id = TagIds()[tag_id]; id != names::kNone) return id;
  }
  const auto [entry, inserted] = rare_tags_.try_emplace(tag_id, 0);
  if (inserted) {
    size_t length = 0;
    const lxb_char_t* const name = lxb_tag_name_by_id(tag_id, &length);
    entry->second = builder->InternName(View(name, length));
  }
  return entry->second;
}

NameId LexborParser::AttributeName(lxb_dom_attr_t* attribute,
                                   DocumentBuilder* builder) {
  const uintptr_t local_name = attribute->node.local_name;
  const bool qualified = attribute->node.prefix != 0;
  if (local_name < LXB_DOM_ATTR__LAST_ENTRY && !qualified) {
    if (const NameId id = AttributeIds()[local_name]; id != names::kNone) {
      return id;
    }
  }
  // SVG's xlink:href and the like are known by their whole name.
  const uintptr_t key = qualified ? attribute->qualified_name : local_name;
  const auto [entry, inserted] = rare_attributes_.try_emplace(key, 0);
  if (inserted) {
    size_t length = 0;
    const lxb_char_t* const name =
        qualified ? lxb_dom_attr_qualified_name(attribute, &length)
                  : lxb_dom_attr_local_name(attribute, &length);
    lower_.assign(View(name, length));
    for (char& c : lower_) c = AsciiLower(c);
    entry->second = builder->InternName(lower_);
  }
  return entry->second;
}

void LexborParser::CopyElement(lxb_dom_node_t* node, DocumentBuilder* builder) {
  builder->OpenElement(TagName(node->local_name, builder));
  uint32_t count = 0;
  for (lxb_dom_attr_t* attribute = lxb_dom_interface_element(node)->first_attr;
       attribute != nullptr; attribute = attribute->next) {
    if (++count > limits_.max_attributes) {  // several <body> tags together
      notes_.attributes_dropped = true;
      break;
    }
    const lexbor_str_t* const value = attribute->value;
    builder->AddAttribute(AttributeName(attribute, builder),
                          value == nullptr ? std::string_view()
                                           : View(value->data, value->length));
  }
}

ParseOutcome LexborParser::Copy(Document* document) {
  rare_tags_.clear();
  rare_attributes_.clear();
  DocumentBuilder builder(document, limits_.max_depth);
  lxb_dom_node_t* const root = lxb_dom_interface_node(lexbor_);
  const auto first_child = [](lxb_dom_node_t* node) {
    if (node->local_name == LXB_TAG_TEMPLATE && node->ns == LXB_NS_HTML &&
        node->type == LXB_DOM_NODE_TYPE_ELEMENT) {
      auto* const content = lxb_html_interface_template(node)->content;
      if (content != nullptr && content->node.first_child != nullptr) {
        return content->node.first_child;
      }
    }
    return node->first_child;
  };
  // The way back up passes a template's content, which has no parent.
  const auto parent = [](lxb_dom_node_t* node) {
    lxb_dom_node_t* up = node->parent;
    if (up != nullptr && up->type == LXB_DOM_NODE_TYPE_DOCUMENT_FRAGMENT) {
      up =
          lxb_dom_interface_node(lxb_dom_interface_document_fragment(up)->host);
    }
    return up;
  };
  lxb_dom_node_t* node = root->first_child;
  while (node != nullptr) {
    switch (node->type) {
      case LXB_DOM_NODE_TYPE_ELEMENT: {
        CopyElement(node, &builder);
        if (lxb_dom_node_t* const child = first_child(node); child != nullptr) {
          node = child;
          continue;
        }
        builder.CloseElement();
        break;
      }
      case LXB_DOM_NODE_TYPE_TEXT:
      case LXB_DOM_NODE_TYPE_CDATA_SECTION: {
        const lexbor_str_t& text = lxb_dom_interface_character_data(node)->data;
        builder.AddText(View(text.data, text.length));
        break;
      }
      case LXB_DOM_NODE_TYPE_COMMENT:
      case LXB_DOM_NODE_TYPE_PROCESSING_INSTRUCTION: {
        const lexbor_str_t& text = lxb_dom_interface_character_data(node)->data;
        builder.AddComment(View(text.data, text.length));
        break;
      }
      default:
        break;
    }
    if (builder.num_nodes() > limits_.max_nodes) {
      return ParseOutcome::kTooManyNodes;
    }
    while (node != nullptr && node->next == nullptr) {
      node = parent(node);
      if (node == root) {
        node = nullptr;
        break;
      }
      if (node != nullptr) builder.CloseElement();
    }
    if (node != nullptr) node = node->next;
  }
  builder.Finish();
  notes_.depth_flattened |= builder.flattened();
  return ParseOutcome::kOk;
}

}  // namespace

std::unique_ptr<Parser> MakeLexborParser(const ParseLimits& limits) {
  return std::make_unique<LexborParser>(limits);
}

}  // namespace trommel::html
