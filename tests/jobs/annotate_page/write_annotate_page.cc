// write_annotate_page SPEC.json OUT.html INDEX.html: an annotation page of HTML
// files and an index of it, in the same folder, for the browser test. SPEC has
// "site", "schema" (a textproto file, or null) and "clusters", each with "id",
// "size", "pattern" and "pages", each with "url" and "file".
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/html/parser.h"
#include "jobs/annotate_page/annotate_page.h"
#include "jobs/annotate_page/page_tree.h"
#include "jobs/textproto/textproto.h"

namespace trommel::jobs::annotate_page {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

int Main(const std::string& spec_file, const std::string& out_file,
         const std::string& index_file) {
  const nlohmann::json spec = nlohmann::json::parse(ReadFile(spec_file));
  const std::unique_ptr<html::Parser> parser =
      html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  AnnotateSite site;
  site.site = spec.at("site");
  for (const nlohmann::json& from : spec.at("clusters")) {
    AnnotateCluster& cluster = site.clusters.emplace_back();
    cluster.cluster_id = from.at("id");
    cluster.size = from.at("size");
    cluster.url_regex = from.at("pattern");
    for (const nlohmann::json& page : from.at("pages")) {
      if (parser->ParsePage(ReadFile(page.at("file")), "", &document) !=
          html::ParseOutcome::kOk) {
        std::fprintf(stderr, "a page is over a limit\n");
        return 1;
      }
      const auto rank = static_cast<int64_t>(cluster.pages.size());
      cluster.pages.push_back({rank, page.at("url"), EncodePageTree(document)});
    }
  }
  proto::Schema schema;
  const bool has_schema = !spec.at("schema").is_null();
  if (has_schema) {
    const std::string file = spec.at("schema");
    const absl::Status status =
        textproto::ParseTextproto(ReadFile(file), file, &schema);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      return 1;
    }
  }
  std::ofstream out(out_file, std::ios::binary);
  out << AnnotatePageHtml(site, has_schema ? &schema : nullptr);
  AnnotateIndexRow row;
  row.site = site.site;
  row.file = out_file.substr(out_file.rfind('/') + 1);
  row.digest = AnnotateDigest(site);
  row.clusters = static_cast<int64_t>(site.clusters.size());
  for (const AnnotateCluster& cluster : site.clusters) {
    row.pages += static_cast<int64_t>(cluster.pages.size());
  }
  std::ofstream index(index_file, std::ios::binary);
  index << AnnotateIndexHtml({row, {"other.example", "other.html", "0", 1, 1}},
                             schema.name());
  return out.flush() && index.flush() ? 0 : 1;
}

}  // namespace
}  // namespace trommel::jobs::annotate_page

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr,
                 "usage: write_annotate_page SPEC.json OUT.html INDEX.html\n");
    return 2;
  }
  return trommel::jobs::annotate_page::Main(argv[1], argv[2], argv[3]);
}
