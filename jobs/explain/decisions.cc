#include "jobs/explain/decisions.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"

namespace trommel::jobs::explain {
namespace {

using nlohmann::ordered_json;

ordered_json TextOrNull(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

}  // namespace

absl::StatusOr<std::vector<tables::DecisionRow>> ReadDecisions(
    const std::vector<io::Path>& rule_files) {
  std::vector<tables::DecisionRow> decisions;
  for (const io::Path& file : rule_files) {
    const io::Path table = file.Parent().Child(tables::kDecisionsFolder);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(table));
    if (entry.kind != io::EntryKind::kDirectory) continue;
    TROMMEL_RETURN_IF_ERROR(
        tables::VisitDecisions(table, [&](tables::DecisionRow decision) {
          decisions.push_back(std::move(decision));
          return absl::OkStatus();
        }));
  }
  return decisions;
}

absl::StatusOr<tables::DecisionRow> FindDecision(
    const std::vector<tables::DecisionRow>& decisions,
    std::string_view cluster_id) {
  for (const tables::DecisionRow& decision : decisions) {
    if (decision.cluster_id == cluster_id) return decision;
  }
  for (const tables::DecisionRow& decision : decisions) {
    if (decision.old_cluster_id == cluster_id) return decision;
  }
  return absl::NotFoundError(
      decisions.empty()
          ? "the rules have no decisions/; trommel reuse writes it"
          : StrCat("none of the ",
                   Counted(static_cast<int64_t>(decisions.size()), "decision"),
                   " is on cluster ", Printable(cluster_id)));
}

void AppendDecision(const tables::DecisionRow& decision, std::string* text) {
  absl::StrAppendFormat(
      text, "reuse: cluster %s of %s, %s: %s\n",
      decision.cluster_id.empty() ? "(none)" : decision.cluster_id,
      Printable(decision.site), Counted(decision.size, "page"),
      decision.decision);
  if (!decision.rule_id.empty()) {
    absl::StrAppendFormat(text, "  rule %s\n", decision.rule_id);
  }
  if (!decision.old_rule_id.empty()) {
    absl::StrAppendFormat(
        text, "  from rule %s of the old cluster %s%s\n", decision.old_rule_id,
        decision.old_cluster_id,
        decision.how.empty() ? std::string() : StrCat(", by ", decision.how));
  } else if (!decision.old_cluster_id.empty()) {
    absl::StrAppendFormat(text, "  old cluster %s, without a rule\n",
                          decision.old_cluster_id);
  }
  absl::StrAppendFormat(
      text,
      "  %s shared with old clusters; field test: %d passed, %d null, %d "
      "wrong, %d with a new record, %d without a record\n",
      Counted(decision.shared_urls, "URL"), decision.passed, decision.null,
      decision.wrong, decision.appeared, decision.silent);
  absl::StrAppendFormat(text, "  why: %s\n", Printable(decision.reason));
}

ordered_json DecisionAsJson(const tables::DecisionRow& decision) {
  ordered_json json;
  json["site"] = decision.site;
  json["cluster_id"] = TextOrNull(decision.cluster_id);
  json["size"] = decision.size;
  json["decision"] = decision.decision;
  json["how"] = TextOrNull(decision.how);
  json["rule_id"] = TextOrNull(decision.rule_id);
  json["old_cluster_id"] = TextOrNull(decision.old_cluster_id);
  json["old_rule_id"] = TextOrNull(decision.old_rule_id);
  json["shared_urls"] = decision.shared_urls;
  json["passed"] = decision.passed;
  json["null"] = decision.null;
  json["wrong"] = decision.wrong;
  json["appeared"] = decision.appeared;
  json["silent"] = decision.silent;
  json["unshared"] = decision.unshared;
  json["reason"] = decision.reason;
  return json;
}

void AppendClustersWithoutRule(
    const std::vector<tables::DecisionRow>& decisions, std::string_view site,
    std::string* text) {
  for (const tables::DecisionRow& decision : decisions) {
    if (decision.site == site && decision.rule_id.empty()) {
      AppendDecision(decision, text);
    }
  }
}

}  // namespace trommel::jobs::explain
