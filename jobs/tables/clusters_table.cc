#include "jobs/tables/clusters_table.h"

#include <arrow/type.h>

#include <utility>

#include "core/base/status.h"
#include "core/words/own_words.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::tables {
namespace {

// As requested, not as stored: lists of structs are read field by field, and
// the importance of a cluster follows from its signatures.
enum Column : size_t {
  kSite,
  kClusterId,
  kSignatures,
  kImportances,
  kSketch,
  kSize,
  kSizeBySketch,
  kUrlRegex,
  kExampleUrls,
  kSiteKey,
  kShingleLength,
  kOwnWords,
};

}  // namespace

std::shared_ptr<arrow::Schema> ClustersSchema() {
  const auto signature =
      arrow::struct_({arrow::field("signature", arrow::utf8(), false),
                      arrow::field("importance", arrow::int64(), false)});
  return arrow::schema({
      arrow::field("site", arrow::utf8(), false),
      arrow::field("cluster_id", arrow::utf8(), false),
      arrow::field("signatures", arrow::list(signature), false),
      arrow::field("sketch", arrow::binary()),
      arrow::field("importance", arrow::int64(), false),
      arrow::field("size", arrow::int64(), false),
      arrow::field("size_by_sketch", arrow::int64(), false),
      arrow::field("url_regex", arrow::utf8(), false),
      arrow::field("example_urls", arrow::list(arrow::utf8()), false),
      arrow::field("site_key", arrow::utf8(), false),
      arrow::field("shingle_length", arrow::int64(), false),
      arrow::field("own_words", arrow::int64()),
  });
}

absl::Status WriteCluster(const ClusterRow& cluster, io::RowWriter* table) {
  table->Text(cluster.site).Text(cluster.cluster_id).BeginList();
  for (const cluster::Signature& signature : cluster.tmpl.signatures) {
    table->BeginStruct()
        .Text(signature.vector.Text())
        .Int64(signature.importance)
        .EndStruct();
  }
  table->EndList();
  if (cluster.tmpl.sketch.has_value()) {
    table->Bytes(cluster.tmpl.sketch->Encode());
  } else {
    table->Null();
  }
  table->Int64(cluster.tmpl.Importance())
      .Int64(cluster.size)
      .Int64(cluster.size_by_sketch)
      .Text(cluster.url_regex)
      .Texts(cluster.example_urls)
      .Text(cluster.site_key)
      .Int64(cluster.shingle_length);
  if (cluster.own_words.has_value()) {
    table->Int64(*cluster.own_words);
  } else {
    table->Null();
  }
  return table->EndRow();
}

const std::vector<io::ColumnRequest>& ClustersColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"cluster_id", io::ColumnType::kBytes},
      {"signatures.signature", io::ColumnType::kBytesList},
      {"signatures.importance", io::ColumnType::kInt64List},
      {"sketch", io::ColumnType::kBytes},
      {"size", io::ColumnType::kInt64},
      {"size_by_sketch", io::ColumnType::kInt64},
      {"url_regex", io::ColumnType::kBytes},
      {"example_urls", io::ColumnType::kBytesList},
      {"site_key", io::ColumnType::kBytes},
      {"shingle_length", io::ColumnType::kInt64},
      {"own_words", io::ColumnType::kInt64, /*required=*/false}};
  return *columns;
}

absl::StatusOr<ClusterRow> ReadCluster(const io::Row& row) {
  ClusterRow cluster;
  cluster.site = row.bytes(kSite);
  cluster.cluster_id = row.bytes(kClusterId);
  const auto annotate = [&](const absl::Status& status) {
    return Annotate(
        status, StrCat("cluster ", cluster.cluster_id, " of ", cluster.site));
  };
  for (int64_t i = 0; i < row.list_size(kSignatures); ++i) {
    const absl::StatusOr<signature::MaskedVector> vector =
        signature::MaskedVector::Parse(row.list_bytes(kSignatures, i));
    if (!vector.ok()) return annotate(vector.status());
    cluster.tmpl.signatures.push_back(
        {*vector, row.list_int64(kImportances, i), 0});
  }
  if (!row.is_null(kSketch)) {
    absl::StatusOr<cluster::TypicalSketch> sketch =
        cluster::TypicalSketch::Decode(row.bytes(kSketch));
    if (!sketch.ok()) return annotate(sketch.status());
    cluster.tmpl.sketch = *std::move(sketch);
  }
  cluster.size = row.int64(kSize);
  cluster.size_by_sketch = row.int64(kSizeBySketch);
  cluster.url_regex = row.bytes(kUrlRegex);
  for (int64_t i = 0; i < row.list_size(kExampleUrls); ++i) {
    cluster.example_urls.emplace_back(row.list_bytes(kExampleUrls, i));
  }
  cluster.site_key = row.bytes(kSiteKey);
  cluster.shingle_length = row.int64(kShingleLength);
  if (!row.is_null(kOwnWords)) cluster.own_words = row.int64(kOwnWords);
  return cluster;
}

std::string EncodeTemplate(const ClusterRow& cluster) {
  std::string bytes;
  mr::AppendOrderedBytes(cluster.site_key, &bytes);
  mr::AppendOrderedInt64(cluster.shingle_length, &bytes);
  mr::AppendOrderedBytes(
      cluster.tmpl.sketch.has_value() ? cluster.tmpl.sketch->Encode() : "",
      &bytes);
  for (const cluster::Signature& signature : cluster.tmpl.signatures) {
    mr::AppendOrderedBytes(signature.vector.Text(), &bytes);
    mr::AppendOrderedInt64(signature.importance, &bytes);
  }
  return bytes;
}

absl::Status DecodeTemplate(std::string_view bytes, ClusterRow* cluster) {
  std::string text;
  if (!mr::ConsumeOrderedBytes(&bytes, &cluster->site_key) ||
      !mr::ConsumeOrderedInt64(&bytes, &cluster->shingle_length) ||
      !mr::ConsumeOrderedBytes(&bytes, &text)) {
    return absl::DataLossError("a template is cut off");
  }
  if (!text.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(cluster->tmpl.sketch,
                             cluster::TypicalSketch::Decode(text));
  }
  while (!bytes.empty()) {
    cluster::Signature signature;
    if (!mr::ConsumeOrderedBytes(&bytes, &text) ||
        !mr::ConsumeOrderedInt64(&bytes, &signature.importance)) {
      return absl::DataLossError("a signature of a template is cut off");
    }
    TROMMEL_ASSIGN_OR_RETURN(signature.vector,
                             signature::MaskedVector::Parse(text));
    cluster->tmpl.signatures.push_back(signature);
  }
  return absl::OkStatus();
}

proto::Rule AboutCluster(const ClusterRow& cluster) {
  proto::Rule about;
  about.set_site(cluster.site);
  about.set_cluster_id(cluster.cluster_id);
  about.set_site_key(cluster.site_key);
  about.set_shingle_length(cluster.shingle_length);
  for (const cluster::Signature& signature : cluster.tmpl.signatures) {
    proto::Signature* const added = about.add_signature();
    added->set_signature(signature.vector.Text());
    added->set_importance(signature.importance);
  }
  if (cluster.tmpl.sketch.has_value()) {
    about.set_sketch(cluster.tmpl.sketch->Encode());
  }
  about.set_importance(cluster.tmpl.Importance());
  about.set_url_regex(cluster.url_regex);
  return about;
}

absl::Status VisitClusters(
    const io::Path& table,
    const std::function<absl::Status(ClusterRow cluster)>& visit) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(table));
  for (const io::Entry& file : files) {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowReader> rows,
        io::RowReader::Open(file.path, ClustersColumns(), {}));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) break;
      absl::StatusOr<ClusterRow> cluster = ReadCluster(row);
      if (!cluster.ok()) return Annotate(cluster.status(), file.path.name);
      TROMMEL_RETURN_IF_ERROR(visit(*std::move(cluster)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ClusterIndex> ClusterIndex::Read(const io::Path& table) {
  struct Parts {
    std::vector<cluster::Template> templates;
    std::vector<std::string> cluster_ids;
    std::vector<int64_t> sizes;
    std::vector<bool> say_the_same;
  };
  std::map<std::string, Parts> parts;
  ClusterIndex index;
  const auto add = [&](ClusterRow cluster) -> absl::Status {
    if (cluster.shingle_length < signature::kMinShingleLength ||
        cluster.shingle_length > signature::kMaxShingleLength) {
      return absl::InvalidArgumentError(
          StrCat(table.name, ": shingle_length ", cluster.shingle_length,
                 " of cluster ", cluster.cluster_id));
    }
    const int shingle_length = static_cast<int>(cluster.shingle_length);
    TROMMEL_ASSIGN_OR_RETURN(
        const SiteRule rule,
        SiteRule::FromTable(cluster.site_key, cluster.site));
    if (parts.empty()) {
      index.site_rule_ = rule;
      index.shingle_length_ = shingle_length;
    } else if (rule != index.site_rule_ ||
               shingle_length != index.shingle_length_) {
      return absl::InvalidArgumentError(
          StrCat(table.name, ": clusters were made with different settings: ",
                 cluster.cluster_id, " has site_key ", cluster.site_key,
                 ", shingle_length ", cluster.shingle_length));
    }
    Parts& site = parts[cluster.site];
    index.merged_ = index.merged_ || cluster.tmpl.sketch.has_value();
    site.templates.push_back(std::move(cluster.tmpl));
    site.cluster_ids.push_back(std::move(cluster.cluster_id));
    site.sizes.push_back(cluster.size);
    site.say_the_same.push_back(words::SayTheSame(cluster.own_words));
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(VisitClusters(table, add));
  for (auto& [name, site] : parts) {
    index.sites_.emplace(
        name, Site{cluster::SiteTemplates(std::move(site.templates)),
                   std::move(site.cluster_ids), std::move(site.sizes),
                   std::move(site.say_the_same)});
  }
  return index;
}

const ClusterIndex::Site* ClusterIndex::Find(std::string_view site) const {
  const auto found = sites_.find(site);
  return found == sites_.end() ? nullptr : &found->second;
}

}  // namespace trommel::jobs::tables
