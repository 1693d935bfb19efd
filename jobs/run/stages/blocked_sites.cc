#include "jobs/run/stages/blocked_sites.h"

#include <algorithm>
#include <optional>

#include "core/base/status.h"
#include "core/monitor/site_answer.h"
#include "jobs/run/layout/dates.h"
#include "jobs/tables/clustered_sites.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

// What is usual for a site is the least share of such pages on the nights
// before: a site that really has many has them every night, and one that was
// walled for some of these nights was not on all of them.

namespace trommel::jobs::run::stages {
namespace {

// The nights before that are looked at. A site that is walled for longer is
// taken to be like that.
constexpr int kNightsBefore = 14;

// By site; none where nobody counted such pages on the nights before.
using UsualShares = std::map<std::string, std::optional<double>>;

UsualShares FindUsualShares(const Night& night,
                            const scheduling::Available& available) {
  UsualShares shares;
  for (int ago = 1; ago <= kNightsBefore; ++ago) {
    const std::string clusters =
        night.layout->Clusters(layout::AddDays(night.date, -ago));
    if (!PathExists(StrCat(clusters, "/", io::kSuccessFile)) ||
        !available(clusters)) {
      continue;
    }
    const absl::StatusOr<io::Path> folder = io::ResolvePath(clusters);
    if (!folder.ok()) continue;
    // A night that can no longer be read is a night of which nothing is known.
    tables::VisitClusteredSites(*folder, [&](const tables::ClusteredSite&
                                                 site) {
      std::optional<double>& usual = shares[site.site];
      if (site.pages == 0 || !site.alike.has_value()) return;
      const double share =
          static_cast<double>(*site.alike) / static_cast<double>(site.pages);
      usual = std::min(usual.value_or(1), share);
    }).IgnoreError();
  }
  return shares;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> FindBlockedSites(
    const Night& night, const scheduling::Available& available) {
  std::map<std::string, std::string> blocked;
  const std::string clusters = night.layout->Clusters(night.date);
  if (!available(clusters)) return blocked;
  const UsualShares usual = FindUsualShares(night, available);
  TROMMEL_ASSIGN_OR_RETURN(const io::Path folder, io::ResolvePath(clusters));
  TROMMEL_RETURN_IF_ERROR(tables::VisitClusteredSites(
      folder, [&](const tables::ClusteredSite& site) {
        const auto share = usual.find(site.site);
        // Of a site that was there before such pages were counted, nothing is
        // known that tonight could be held against.
        if (share != usual.end() && !share->second.has_value()) return;
        const monitor::AnswerVerdict verdict = monitor::JudgeAnswer(
            {site.pages, site.alike, site.alike_text},
            share == usual.end() ? std::nullopt : share->second, {});
        if (verdict.is_blocked) blocked[site.site] = verdict.reason;
      }));
  return blocked;
}

std::string FormatBlockedSites(
    const std::map<std::string, std::string>& blocked) {
  std::string lines;
  for (const auto& [site, reason] : blocked) {
    StrAppend(&lines, site, "\t", reason, "\n");
  }
  return lines;
}

}  // namespace trommel::jobs::run::stages
