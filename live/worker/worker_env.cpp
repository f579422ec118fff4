#include "live/worker/worker_env.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace proffer::live {
namespace {

Environment all_variables() {
  Environment all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0) continue;
    all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

/// The last one counts, as it does for a shell.
const std::string* find(const Environment& env, std::string_view name) {
  const auto at = std::find_if(env.rbegin(), env.rend(), [&](const auto& one) { return one.first == name; });
  return at == env.rend() ? nullptr : &at->second;
}

void set(Environment& env, const std::string& name, std::string value) {
  std::erase_if(env, [&](const auto& one) { return one.first == name; });
  env.emplace_back(name, std::move(value));
}

std::optional<std::uint64_t> number(const std::string* text) {
  std::uint64_t value = 0;
  if (!text) return {};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return {};
  return value;
}

Error missing(const std::string& name) {
  return {ErrorCode::invalid, name + " is not set, or not to what it should be; only agents start workers"};
}

std::string padded(std::uint64_t value, std::size_t width) {
  auto digits = std::to_string(value);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

/// The attempt is the last number of a task's id.
std::string attempt_of(const TaskId& task) {
  const auto dash = task.value.rfind('-');
  return dash == std::string::npos ? "0" : task.value.substr(dash + 1);
}

struct TaskFacts {
  bool map = false;
  JobId job;
  std::uint32_t index = 0;
};

Environment streaming_env(const WorkerEnv& env, const TaskFacts& facts) {
  auto all = env.variables;
  for (const auto* name : {"PROFFER_RESULT_FD", "PROFFER_DELIVER_FD"}) {
    std::erase_if(all, [&](const auto& one) { return one.first == name; });
  }
  const auto* path = find(all, "PATH");
  set(all, "PATH", env.sandbox + ":" + (path ? *path : std::string("/usr/local/bin:/usr/bin:/bin")));
  const auto job = to_hex(env.framework.value) + "_" + padded(facts.job.value, 4);
  const auto task = job + (facts.map ? "_m_" : "_r_") + padded(facts.index, 6);
  set(all, "mapreduce_job_id", "job_" + job);
  set(all, "mapreduce_task_id", "task_" + task);
  set(all, "mapreduce_task_attempt_id", "attempt_" + task + "_" + attempt_of(env.task));
  set(all, "mapreduce_task_partition", std::to_string(facts.index));
  set(all, "mapreduce_task_ismap", facts.map ? "true" : "false");
  return all;
}

void add_own(Environment& all, const Environment& own) {
  for (const auto& [name, value] : own) set(all, name, value);
}

}  // namespace

Result<WorkerEnv> worker_env() {
  WorkerEnv env;
  env.variables = all_variables();
  const auto get = [&env](std::string_view name) { return find(env.variables, name); };
  const auto id = [&get](std::string_view name) {
    const auto* text = get(name);
    return text ? bits_from_hex(*text) : std::nullopt;
  };
  const auto framework = id("PROFFER_FRAMEWORK_ID");
  if (!framework) return missing("PROFFER_FRAMEWORK_ID");
  const auto agent = id("PROFFER_AGENT_ID");
  if (!agent) return missing("PROFFER_AGENT_ID");
  const auto* task = get("PROFFER_TASK_ID");
  if (!task || !valid_task_id(*task)) return missing("PROFFER_TASK_ID");
  const auto* blocks = get("PROFFER_BLOCKS_DIR");
  if (!blocks) return missing("PROFFER_BLOCKS_DIR");
  const auto* outputs = get("PROFFER_OUTPUTS_DIR");
  if (!outputs) return missing("PROFFER_OUTPUTS_DIR");
  const auto fd = number(get("PROFFER_RESULT_FD"));
  if (!fd || *fd > INT_MAX) return missing("PROFFER_RESULT_FD");
  const auto deliver_fd = number(get("PROFFER_DELIVER_FD"));
  if (!deliver_fd || *deliver_fd > INT_MAX) return missing("PROFFER_DELIVER_FD");
  if (const auto* bytes = get("PROFFER_SORT_BYTES")) {
    const auto value = number(bytes);
    if (!value || *value == 0) return missing("PROFFER_SORT_BYTES");
    env.sort_bytes = static_cast<std::size_t>(*value);
  }
  if (const auto* folder = get("PROFFER_CACHE_DIR")) {
    const auto bytes = number(get("PROFFER_CACHE_BYTES"));
    if (!bytes) return missing("PROFFER_CACHE_BYTES");
    env.cache_dir = *folder;
    env.cache_bytes = *bytes;
  }
  if (const auto* how = get("PROFFER_SYNTHETIC")) env.synthetic_waits = *how == "waits";
  char folder[PATH_MAX];
  if (::getcwd(folder, sizeof folder) == nullptr)
    return Error{ErrorCode::io, "the task's folder cannot be named"};
  env.sandbox = folder;
  env.framework = {*framework};
  env.agent = {*agent};
  env.task = {*task};
  env.blocks_dir = *blocks;
  env.outputs_dir = *outputs;
  env.result_fd = static_cast<int>(*fd);
  env.deliver_fd = static_cast<int>(*deliver_fd);
  return env;
}

Environment command_env(const WorkerEnv& env, const MapWork& work) {
  auto all = streaming_env(env, {true, work.job, work.index});
  set(all, "mapreduce_map_input_file", work.input_path);
  set(all, "map_input_file", work.input_path);
  set(all, "mapreduce_job_reduces", std::to_string(work.partitions));
  add_own(all, work.env);
  return all;
}

Environment command_env(const WorkerEnv& env, const ReduceWork& work) {
  auto all = streaming_env(env, {false, work.job, work.index});
  add_own(all, work.env);
  return all;
}

}  // namespace proffer::live
