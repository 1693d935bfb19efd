#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/html/encoding.h"
#include "core/html/serialize.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::dom {
namespace {

class StandardInput final : public ByteSource {
 public:
  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    const size_t count = std::fread(buffer, 1, size, stdin);
    if (count == 0 && std::ferror(stdin) != 0) {
      return absl::DataLossError("cannot read standard input");
    }
    return count;
  }
};

class DomVerb final : public cli::Verb {
 public:
  DomVerb() : Verb("dom", kDomHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Positional("PAGE", &pages_, "page file or URI; - is standard input")
        .Input()
        .Required();
    flags->Bool("xml", &xml_, "print XML instead of indented text");
    flags
        ->Text("charset", &charset_,
               "charset declared outside the page, as in content_charset")
        .NotAPath();
    page_.DefineForParsing(flags);
  }

  absl::Status CheckFlags() const override {
    if (pages_.size() != 1) {
      return absl::InvalidArgumentError(
          StrCat("dom takes one page, not ", pages_.size()));
    }
    if (!charset_.empty() && !html::Encoding::FromLabel(charset_).known()) {
      return absl::InvalidArgumentError(
          StrCat("--charset: unknown charset \"", charset_, "\""));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<cli::Report> Run() override {
    const absl::StatusOr<std::string> read = ReadPage();
    if (absl::IsResourceExhausted(read.status())) {
      return Annotate(read.status(), "too_large");
    }
    TROMMEL_RETURN_IF_ERROR(read.status());
    const std::string& bytes = *read;
    const std::unique_ptr<html::Parser> parser = page_.MakeParser();
    html::Document document;
    const html::ParseOutcome outcome =
        parser->ParsePage(bytes, charset_, &document);
    if (outcome != html::ParseOutcome::kOk) {
      return absl::ResourceExhaustedError(
          StrCat(pages_[0], ": ", html::ToString(outcome),
                 " (the limits are flags, see --help)"));
    }
    cli::Report report;
    if (xml_) {
      html::AppendXml(document, &report.text);
    } else {
      html::AppendIndentedText(document, &report.text);
    }
    (*report.json) = {
        {"page", pages_[0]},
        {"encoding", html::DetectEncoding(bytes, charset_).name()},
        {"nodes", document.num_nodes()},
        {"depth_flattened", parser->notes().depth_flattened},
        {"attributes_dropped", parser->notes().attributes_dropped},
        {"tree", report.text}};
    return report;
  }

 private:
  absl::StatusOr<std::string> ReadPage() const {
    const auto limit = static_cast<size_t>(page_.max_page_bytes);
    if (pages_[0] == "-") {
      StandardInput input;
      return io::ReadAll(&input, "standard input", limit);
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(pages_[0]));
    return io::ReadFile(path, limit);
  }

  std::vector<std::string> pages_;
  bool xml_ = false;
  std::string charset_;
  page::PageFlags page_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeDomVerb() { return std::make_unique<DomVerb>(); }

}  // namespace trommel::jobs::dom
