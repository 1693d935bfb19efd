#include "core/html/direct/document_writer.h"

namespace trommel::html::direct {

void DocumentWriter::Start(Document* document, size_t max_text) {
  document_ = document;
  document->Clear();
  out_ = document->text_.Reserve(max_text);
  open_.clear();
  open_.push_back({0, kNoNode, names::kNone, 0});
  text_begin_ = text_end_ = 0;
  space_pending_ = false;
}

void DocumentWriter::Finish() {
  while (!open_.empty()) Close();
  document_->text_.SetEnd(out_);
}

void DocumentWriter::CopyAttributes(NodeId from) {
  std::vector<Attribute>& all = document_->attributes_;
  const Node source = document_->nodes_[from];
  for (uint32_t i = 0; i < source.data_size; ++i) {
    const Attribute attribute = all[source.data_begin + i];
    all.push_back(attribute);
  }
  EndAttributes();
}

}  // namespace trommel::html::direct
