#include "jobs/run/pipeline_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/stages/stages.h"
#include "jobs/tables/extract_output.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run {
namespace {

bool IsFolderName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

bool HasDate(const std::string& pattern) {
  return pattern.find(layout::kDatePlaceholder) != std::string::npos;
}

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(ToAbsl(what));
}

void FillIn(proto::Pipeline* pipeline) {
  const auto text = [](std::string* value, const std::string& otherwise) {
    if (value->empty()) *value = otherwise;
  };
  text(pipeline->mutable_work(), "work");
  text(pipeline->mutable_rules(), "rules");
  text(pipeline->mutable_records(), tables::kRecordsFolder);
  text(pipeline->mutable_rejects(),
       tables::BesideRecords(pipeline->records(), tables::kRejectsFolder));
  text(pipeline->mutable_figures(),
       tables::BesideRecords(pipeline->records(), tables::kFiguresFolder));
  text(pipeline->mutable_reports(), "reports");
  text(pipeline->mutable_engine()->mutable_engine(), "local");
  if (pipeline->on_alert_timeout_s() == 0) pipeline->set_on_alert_timeout_s(30);
  if (pipeline->ready().quiet_s() == 0) {
    pipeline->mutable_ready()->set_quiet_s(600);
  }
  proto::Limits* const limits = pipeline->mutable_limits();
  if (limits->parallel_stages() == 0) limits->set_parallel_stages(2);
  if (limits->attempts() == 0) limits->set_attempts(3);
  if (limits->backoff_s() == 0) limits->set_backoff_s(5);
  if (limits->max_backoff_s() == 0) limits->set_max_backoff_s(300);
  if (limits->coverage_days() == 0) limits->set_coverage_days(7);
}

void MakePathsAbsolute(const std::string& folder, proto::Pipeline* pipeline) {
  const auto absolute = [&](std::string* path) {
    const bool is_uri = path->find("://") != std::string::npos;
    if (path->empty() || is_uri || path->front() == '/') return;
    *path = StrCat(folder, folder == "/" ? "" : "/", *path);
  };
  absolute(pipeline->mutable_crawl());
  absolute(pipeline->mutable_work());
  absolute(pipeline->mutable_rules());
  absolute(pipeline->mutable_records());
  absolute(pipeline->mutable_rejects());
  absolute(pipeline->mutable_figures());
  absolute(pipeline->mutable_reports());
  for (proto::Vertical& vertical : *pipeline->mutable_vertical()) {
    absolute(vertical.mutable_schema());
    absolute(vertical.mutable_annotations());
  }
}

absl::Status CheckVertical(const proto::Vertical& vertical) {
  if (!IsFolderName(vertical.name())) {
    return Wrong(
        "name is missing or has other characters than letters, "
        "digits, '-' and '_'");
  }
  if (vertical.schema().empty()) return Wrong("schema is missing");
  if (!HasDate(vertical.annotations())) {
    return Wrong(
        "annotations must be a path with {date}, the date of the sample they "
        "are for, like \"annotations/{date}.jsonl\"");
  }
  return absl::OkStatus();
}

absl::Status CheckVerticals(const proto::Pipeline& pipeline) {
  if (pipeline.vertical().empty()) {
    return Wrong(
        "it has no vertical { name: ... schema: ... annotations: ... }: "
        "nothing says what to extract");
  }
  std::set<std::string> names;
  std::set<std::string> sites;
  for (const proto::Vertical& vertical : pipeline.vertical()) {
    TROMMEL_RETURN_IF_ERROR(
        Annotate(CheckVertical(vertical),
                 StrCat("vertical \"", Printable(vertical.name()), "\"")));
    if (!names.insert(vertical.name()).second) {
      return Wrong(StrCat("vertical \"", vertical.name(), "\" is there twice"));
    }
    for (const std::string& site : vertical.site()) {
      if (!sites.insert(site).second) {
        return Wrong(StrCat("site \"", Printable(site),
                            "\" is in a vertical twice, or in two of them"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFlag(const std::string& flag) {
  if (flag.rfind("--", 0) == 0) return absl::OkStatus();
  return Wrong(
      StrCat("flag: \"", Printable(flag), "\" does not begin with --"));
}

absl::Status CheckFlagsOf(const proto::StageSettings& stage,
                          const stages::StageKind& kind) {
  for (const std::string& flag : stage.flag()) {
    TROMMEL_RETURN_IF_ERROR(CheckFlag(flag));
    if (!kind.no_flags.empty()) {
      return Wrong(StrCat("flag: \"", Printable(flag),
                          "\": the stage takes no flags; ", kind.no_flags));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStages(const proto::Pipeline& pipeline) {
  for (const std::string& flag : pipeline.engine().flag()) {
    TROMMEL_RETURN_IF_ERROR(Annotate(CheckFlag(flag), "engine"));
  }
  const std::vector<stages::StageKind>& kinds = stages::AllStageKinds();
  std::set<std::string> names;
  for (const proto::StageSettings& stage : pipeline.stage()) {
    const std::string named = StrCat("stage \"", Printable(stage.name()), "\"");
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const stages::StageKind& other) {
                                     return other.name == stage.name();
                                   });
    if (kind == kinds.end()) {
      return Wrong(StrCat(named, " does not exist; there are ",
                          absl::StrJoin(stages::AllStageNames(), ", ")));
    }
    if (!names.insert(stage.name()).second) {
      return Wrong(
          StrCat(named, " is there twice; all of its settings go into one"));
    }
    TROMMEL_RETURN_IF_ERROR(Annotate(CheckFlagsOf(stage, *kind), named));
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const proto::Pipeline& pipeline) {
  const proto::Limits& limits = pipeline.limits();
  if (limits.parallel_stages() < 0 || limits.attempts() < 0 ||
      limits.backoff_s() < 0 || limits.max_backoff_s() < 0 ||
      limits.coverage_days() < 0 || pipeline.engine().workers() < 0 ||
      pipeline.ready().quiet_s() < 0 || pipeline.on_alert_timeout_s() < 0) {
    return Wrong("a number of limits, engine, ready or on_alert is negative");
  }
  if (limits.max_bad_fraction() < 0 || limits.max_bad_fraction() > 1) {
    return Wrong("limits: max_bad_fraction is a share from 0 to 1");
  }
  if (!(limits.min_confidence() >= 0 && limits.min_confidence() <= 1)) {
    return Wrong("limits: min_confidence is a probability from 0 to 1");
  }
  return absl::OkStatus();
}

// What the tasks of a cluster read, and write, must be where they see it.
absl::Status CheckForCluster(const proto::Pipeline& pipeline) {
  const auto check = [](std::string_view field, const std::string& path,
                        bool written) {
    if (path.find("://") != std::string::npos &&
        !(written && path.rfind("file:", 0) == 0)) {
      return absl::OkStatus();
    }
    return Wrong(StrCat(field, ": ", path,
                        " is a folder of this machine, which the tasks of a "
                        "cluster cannot see; with engine: \"hadoop\" it is an "
                        "hdfs: URI"));
  };
  TROMMEL_RETURN_IF_ERROR(check("crawl", pipeline.crawl(), false));
  TROMMEL_RETURN_IF_ERROR(check("work", pipeline.work(), true));
  TROMMEL_RETURN_IF_ERROR(check("rules", pipeline.rules(), true));
  TROMMEL_RETURN_IF_ERROR(check("records", pipeline.records(), true));
  TROMMEL_RETURN_IF_ERROR(check("rejects", pipeline.rejects(), true));
  return check("figures", pipeline.figures(), true);
}

// Whoever opens a table opens all that is below its folder.
absl::Status CheckTablesAreApart(const proto::Pipeline& pipeline) {
  const std::pair<const char*, const std::string*> tables[] = {
      {tables::kRecordsFolder, &pipeline.records()},
      {tables::kRejectsFolder, &pipeline.rejects()},
      {tables::kFiguresFolder, &pipeline.figures()}};
  for (const auto& [name, folder] : tables) {
    for (const auto& [other_name, other_folder] : tables) {
      if (name == other_name ||
          StrCat(*folder, "/").rfind(StrCat(*other_folder, "/"), 0) != 0) {
        continue;
      }
      return Wrong(StrCat(name, ": ", *folder, " is the folder of the ",
                          other_name, ", or inside it"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSchemes(const proto::Pipeline& pipeline) {
  const auto check = [](std::string_view field, const std::string& path) {
    return Annotate(io::CheckScheme(path), field);
  };
  TROMMEL_RETURN_IF_ERROR(check("crawl", pipeline.crawl()));
  TROMMEL_RETURN_IF_ERROR(check("work", pipeline.work()));
  TROMMEL_RETURN_IF_ERROR(check("rules", pipeline.rules()));
  TROMMEL_RETURN_IF_ERROR(check("records", pipeline.records()));
  TROMMEL_RETURN_IF_ERROR(check("rejects", pipeline.rejects()));
  TROMMEL_RETURN_IF_ERROR(check("figures", pipeline.figures()));
  for (const proto::Vertical& vertical : pipeline.vertical()) {
    TROMMEL_RETURN_IF_ERROR(check("schema", vertical.schema()));
    TROMMEL_RETURN_IF_ERROR(check("annotations", vertical.annotations()));
  }
  return absl::OkStatus();
}

absl::Status Check(const proto::Pipeline& pipeline) {
  TROMMEL_RETURN_IF_ERROR(CheckSchemes(pipeline));
  if (!HasDate(pipeline.crawl())) {
    return Wrong(
        "crawl must be a path with {date}, like \"crawls/day={date}\"");
  }
  if (pipeline.engine().engine() != "local" &&
      pipeline.engine().engine() != "hadoop") {
    return Wrong(StrCat("engine: \"", Printable(pipeline.engine().engine()),
                        "\" is neither local nor hadoop"));
  }
  if (pipeline.engine().engine() == "hadoop") {
    TROMMEL_RETURN_IF_ERROR(CheckForCluster(pipeline));
  }
  TROMMEL_RETURN_IF_ERROR(CheckTablesAreApart(pipeline));
  TROMMEL_RETURN_IF_ERROR(CheckNumbers(pipeline));
  if (pipeline.reports().find("://") != std::string::npos) {
    return Wrong(StrCat("reports: ", pipeline.reports(),
                        " must be a local folder; it has the lock and the "
                        "logs of this machine"));
  }
  TROMMEL_RETURN_IF_ERROR(CheckStages(pipeline));
  return CheckVerticals(pipeline);
}

absl::StatusOr<std::string> ReadText(const io::Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kNone) {
    return absl::NotFoundError(StrCat(path.name, " does not exist"));
  }
  if (entry.kind == io::EntryKind::kDirectory) {
    return absl::InvalidArgumentError(
        StrCat(path.name, " is a folder; a pipeline is a file"));
  }
  constexpr size_t kMaxBytes = size_t{1} << 20;
  return io::ReadFile(path, kMaxBytes);
}

}  // namespace

absl::StatusOr<proto::Pipeline> ReadPipelineFile(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  proto::Pipeline pipeline;
  TROMMEL_RETURN_IF_ERROR(
      textproto::ParseTextproto(text, path.name, &pipeline));
  FillIn(&pipeline);
  MakePathsAbsolute(path.Parent().Absolute(), &pipeline);
  TROMMEL_RETURN_IF_ERROR(Annotate(Check(pipeline), path.name));
  return pipeline;
}

}  // namespace trommel::jobs::run
