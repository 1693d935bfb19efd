#include "mapreduce/task/task_spec.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/status.h"

namespace trommel::mr {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

// Reads with one message for everything that can be wrong: these files are
// written and read by the same program.
template <typename T, typename Function>
absl::StatusOr<T> Parse(std::string_view text, std::string_view what,
                        Function read) {
  try {
    const Json json = Json::parse(text);
    return read(json);
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(
        StrCat("not ", what, " of this version of trommel: ", error.what()));
  }
}

Json RunsToJson(const std::vector<Run>& runs) {
  Json json = Json::array();
  for (const Run& run : runs) {
    json.push_back({{"path", run.path}, {"ends", run.section_ends}});
  }
  return json;
}

std::vector<Run> RunsFromJson(const Json& json) {
  std::vector<Run> runs;
  for (const Json& item : json) {
    runs.push_back({item.at("path").get<std::string>(),
                    item.at("ends").get<std::vector<int64_t>>()});
  }
  return runs;
}

}  // namespace

std::string ToJson(const TaskSpec& spec) {
  Json json;
  json["step"] = spec.step;
  json["step_index"] = spec.step_index;
  json["config"] = spec.config;
  json["side_data"] = spec.side_data;
  json["inputs"] = Json::array();
  for (const TableInput& input : spec.inputs) {
    Json columns = Json::array();
    for (const io::ColumnRequest& column : input.columns) {
      columns.push_back({{"name", column.name},
                         {"type", static_cast<int>(column.type)},
                         {"required", column.required},
                         {"deferred", column.deferred}});
    }
    json["inputs"].push_back({{"columns", std::move(columns)},
                              {"max_batch_rows", input.max_batch_rows},
                              {"max_value_bytes", input.max_value_bytes}});
  }
  json["num_reducers"] = spec.num_reducers;
  json["combine"] = spec.combine;
  json["limits"] = {{"memory_mb", spec.limits.memory_mb},
                    {"sort_memory_mb", spec.limits.sort_memory_mb},
                    {"row_timeout_s", spec.limits.row_timeout_s},
                    {"max_attempts", spec.limits.max_attempts},
                    {"max_killer_rows", spec.limits.max_killer_rows}};
  return Dump(json);
}

absl::StatusOr<TaskSpec> TaskSpecFromJson(std::string_view text) {
  return Parse<TaskSpec>(text, "the description of a step", [](const Json& j) {
    TaskSpec spec;
    spec.step = j.at("step").get<std::string>();
    spec.step_index = j.at("step_index").get<int>();
    spec.config = j.at("config").get<std::map<std::string, std::string>>();
    spec.side_data =
        j.at("side_data").get<std::map<std::string, std::string>>();
    for (const Json& item : j.at("inputs")) {
      TableInput input;
      for (const Json& column : item.at("columns")) {
        input.columns.push_back(
            {column.at("name").get<std::string>(),
             static_cast<io::ColumnType>(column.at("type").get<int>()),
             column.at("required").get<bool>(),
             column.at("deferred").get<bool>()});
      }
      input.max_batch_rows = item.at("max_batch_rows").get<int64_t>();
      input.max_value_bytes = item.at("max_value_bytes").get<int64_t>();
      spec.inputs.push_back(std::move(input));
    }
    spec.num_reducers = j.at("num_reducers").get<int>();
    spec.combine = j.at("combine").get<bool>();
    const Json& limits = j.at("limits");
    spec.limits.memory_mb = limits.at("memory_mb").get<int64_t>();
    spec.limits.sort_memory_mb = limits.at("sort_memory_mb").get<int64_t>();
    spec.limits.row_timeout_s = limits.at("row_timeout_s").get<int64_t>();
    spec.limits.max_attempts = limits.at("max_attempts").get<int>();
    spec.limits.max_killer_rows = limits.at("max_killer_rows").get<int>();
    return spec;
  });
}

std::string ToJson(const AttemptSpec& spec) {
  Json json;
  json["task_spec"] = spec.task_spec;
  json["is_map"] = spec.is_map;
  json["directory"] = spec.directory;
  json["tables"] = spec.tables;
  json["clear_tables"] = spec.clear_tables;
  json["published_result"] = spec.published_result;
  json["split"] = ToLine(spec.split);
  json["killer_rows"] = Json::array();
  for (const KillerRow& row : spec.killer_rows) {
    json["killer_rows"].push_back(
        {{"row", row.row}, {"reason", row.reason}, {"detail", row.detail}});
  }
  json["as_stream"] = spec.as_stream;
  json["partition"] = spec.partition;
  json["runs"] = RunsToJson(spec.runs);
  return Dump(json);
}

absl::StatusOr<AttemptSpec> AttemptSpecFromJson(std::string_view text) {
  std::string split;
  TROMMEL_ASSIGN_OR_RETURN(
      AttemptSpec spec,
      Parse<AttemptSpec>(text, "an attempt", [&split](const Json& j) {
        AttemptSpec result;
        result.task_spec = j.at("task_spec").get<std::string>();
        result.is_map = j.at("is_map").get<bool>();
        result.directory = j.at("directory").get<std::string>();
        result.tables = j.at("tables").get<std::string>();
        result.clear_tables = j.at("clear_tables").get<bool>();
        result.published_result = j.at("published_result").get<std::string>();
        split = j.at("split").get<std::string>();
        for (const Json& row : j.at("killer_rows")) {
          result.killer_rows.push_back({row.at("row").get<int64_t>(),
                                        row.at("reason").get<std::string>(),
                                        row.at("detail").get<std::string>()});
        }
        result.as_stream = j.at("as_stream").get<bool>();
        result.partition = j.at("partition").get<int>();
        result.runs = RunsFromJson(j.at("runs"));
        return result;
      }));
  TROMMEL_ASSIGN_OR_RETURN(spec.split, SplitFromLine(split));
  return spec;
}

std::string ToJson(const AttemptResult& result) {
  Json json;
  json["code"] = static_cast<int>(result.status.code());
  json["message"] = std::string(result.status.message());
  json["counters"] = Json::object();
  for (const auto& [name, value] : result.counters) {
    json["counters"][name] = value;
  }
  json["shards"] = Json::object();
  for (const auto& [table, shards] : result.shards) {
    Json& list = json["shards"][table] = Json::array();
    for (const io::ShardInfo& shard : shards) {
      list.push_back({{"file", shard.file},
                      {"rows", shard.num_rows},
                      {"bytes", shard.num_bytes},
                      {"digest", shard.digest},
                      {"footer_digest", shard.footer_digest}});
    }
  }
  json["runs"] = RunsToJson(result.runs);
  return Dump(json);
}

absl::StatusOr<AttemptResult> AttemptResultFromJson(std::string_view text) {
  return Parse<AttemptResult>(text, "a task's result", [](const Json& j) {
    AttemptResult result;
    result.status =
        absl::Status(static_cast<absl::StatusCode>(j.at("code").get<int>()),
                     j.at("message").get<std::string>());
    for (const auto& [name, value] : j.at("counters").items()) {
      result.counters[name] = value.get<int64_t>();
    }
    for (const auto& [table, shards] : j.at("shards").items()) {
      for (const Json& shard : shards) {
        result.shards[table].push_back(
            {shard.at("file").get<std::string>(),
             shard.at("rows").get<int64_t>(), shard.at("bytes").get<int64_t>(),
             shard.at("digest").get<std::string>(),
             shard.at("footer_digest").get<std::string>()});
      }
    }
    result.runs = RunsFromJson(j.at("runs"));
    return result;
  });
}

}  // namespace trommel::mr
