#include "live/run/sandbox.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "live/os/replace_file.hpp"
#include "live/run/run_folders.hpp"
#include "proffer/bulk.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/formats/units.hpp"

namespace proffer::live {
namespace {

constexpr const char* kWorkFile = "work.msgpack";

Error invalid(const std::string& why) { return {ErrorCode::invalid, why}; }

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

bool plain_file_name(const std::string& name) {
  constexpr std::array<std::string_view, 6> taken{"", ".", "..", "stdout", "stderr", kWorkFile};
  return std::find(taken.begin(), taken.end(), name) == taken.end() && name.size() <= 250 &&
         name.find('/') == std::string::npos && !has_nul(name);
}

Result<> ship(const std::string& sandbox, const std::vector<ShippedFile>& files) {
  for (const auto& file : files) {
    if (!plain_file_name(file.name)) return invalid("no file can be shipped as \"" + file.name + "\"");
    auto written = replace_file(sandbox + "/" + file.name, file.bytes,
                                file.executable ? FileMode::program : FileMode::data);
    if (!written) return written;
  }
  return {};
}

/// Writes the token that readers must show to fetch this job's outputs from us.
Result<> write_token(const ExecutorConfig& config, const StartRun& start, JobId job,
                     const std::string& token) {
  const auto folder =
      config.outputs_dir + "/" + to_hex(start.framework.value) + "/" + std::to_string(job.value);
  if (auto made = make_private_folders(folder); !made) return made;
  return replace_file(folder + "/.token", token);
}

/// Passes on what a task gets of the agent's own environment.
void pass_on(std::map<std::string, std::string>& env) {
  env["PATH"] = "/usr/local/bin:/usr/bin:/bin";
  for (const auto* name : {"PATH", "LANG", "LC_ALL", "USER", "ASAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) env[name] = value;
  }
}

Result<std::vector<std::string>> environment(const ExecutorConfig& config, const StartRun& start,
                                             const std::string& sandbox, const Environment& own) {
  std::map<std::string, std::string> env;
  pass_on(env);
  // Last, so that it hides nothing: what comes with the agent, as the driver of a detached job wants it.
  const auto beside = std::filesystem::path(config.worker_path).parent_path().string();
  if (!beside.empty()) env["PATH"] += ":" + beside;
  env["HOME"] = env["TMPDIR"] = sandbox;
  for (const auto& [name, value] : own) {
    if (name.empty() || name.find('=') != std::string::npos || has_nul(name) || has_nul(value)) {
      return invalid("no environment variable can be called \"" + name + "\"");
    }
    env[name] = value;
  }
  env["PROFFER_FRAMEWORK"] = start.framework_name;
  env["PROFFER_FRAMEWORK_ID"] = to_hex(start.framework.value);
  // By this line what a run has started is found again, whatever became of its shim.
  env["PROFFER_LAUNCH"] = RunFolders(config.dir).of(start.launch);
  env["PROFFER_TASK_ID"] = start.task.id.value;
  for (const auto& [kind, units] : start.task.resources) {
    if (kind == kCpus) env["PROFFER_CPUS"] = format_quantity(kind, units);
    if (kind == kGpus) env["PROFFER_GPUS"] = format_quantity(kind, units);
    if (kind == kMemory) env["PROFFER_MEMORY_MIB"] = std::to_string(units);
  }
  env["PROFFER_AGENT"] = config.agent_name;
  env["PROFFER_AGENT_ID"] = to_hex(config.agent.value);
  env["PROFFER_BLOCKS_DIR"] = config.blocks_dir;
  env["PROFFER_OUTPUTS_DIR"] = config.outputs_dir;
  if (!config.cache_dir.empty()) {
    env["PROFFER_CACHE_DIR"] = config.cache_dir;
    env["PROFFER_CACHE_BYTES"] = std::to_string(config.cache_bytes);
  }
  env["PROFFER_RESULT_FD"] = std::to_string(kResultFd);
  env["PROFFER_DELIVER_FD"] = std::to_string(kDeliverFd);
  if (config.synthetic_waits) env["PROFFER_SYNTHETIC"] = "waits";
  std::vector<std::string> lines;
  for (const auto& [name, value] : env) lines.push_back(name + "=" + value);
  return lines;
}

/// Prepares the sandbox for each kind of work.
class Preparation {
 public:
  Preparation(const ExecutorConfig& config, const StartRun& start, const std::string& sandbox)
      : config_(config), start_(start), sandbox_(sandbox) {}

  Result<Packet> operator()(const CommandWork& work) {
    if (work.argv.empty() || work.argv[0].empty()) return invalid("the command has no name");
    if (std::any_of(work.argv.begin(), work.argv.end(), has_nul)) {
      return invalid("an argument of the command holds a zero byte");
    }
    if (!work.output_token.empty()) {
      if (auto written = write_token(config_, start_, start_.task.job, work.output_token); !written)
        return written.error();
    }
    if (auto shipped = ship(sandbox_, work.files); !shipped) return shipped.error();
    return packet(work.argv, work.env);
  }
  Result<Packet> operator()(const MapWork& work) {
    if (auto written = write_token(config_, start_, work.job, work.job_token); !written)
      return written.error();
    return worker(work.env, work.files);
  }
  Result<Packet> operator()(const ReduceWork& work) { return worker(work.env, work.files); }
  Result<Packet> operator()(const SyntheticWork& work) {
    if (auto written = write_token(config_, start_, work.job, work.job_token); !written)
      return written.error();
    return worker({}, {});
  }

 private:
  Result<Packet> worker(const Environment& env, const std::vector<ShippedFile>& files) {
    if (auto shipped = ship(sandbox_, files); !shipped) return shipped.error();
    std::string bytes;
    encode_work(*start_.task.work, bytes);
    auto written = replace_file(sandbox_ + "/" + kWorkFile, bytes);
    if (!written) return written.error();
    auto spawn = packet({config_.worker_path}, env);
    if (spawn) spawn->of_agent = true;
    return spawn;
  }

  Result<Packet> packet(std::vector<std::string> argv, const Environment& own) {
    auto env = environment(config_, start_, sandbox_, own);
    if (!env) return env.error();
    Packet packet;
    packet.type = PacketType::spawn;
    packet.launch = start_.launch;
    packet.cap = config_.stream_cap_bytes;
    packet.text = sandbox_;
    packet.argv = std::move(argv);
    packet.env = std::move(*env);
    return packet;
  }

  const ExecutorConfig& config_;
  const StartRun& start_;
  const std::string& sandbox_;
};

}  // namespace

Result<Packet> prepare_run(const ExecutorConfig& config, const StartRun& start, const std::string& sandbox) {
  return std::visit(Preparation(config, start, sandbox), *start.task.work);
}

Packet prepare_probe(const ExecutorConfig& config, LaunchId launch, const std::string& sandbox) {
  std::map<std::string, std::string> env;
  pass_on(env);
  env["PROFFER_LAUNCH"] = RunFolders(config.dir).of(launch);
  env["PROFFER_RESULT_FD"] = std::to_string(kResultFd);
  Packet packet;
  packet.type = PacketType::spawn;
  packet.launch = launch;
  packet.cap = config.stream_cap_bytes;
  packet.text = sandbox;
  packet.argv = {config.worker_path, "--probe"};
  for (const auto& [name, value] : env) packet.env.push_back(name + "=" + value);
  packet.of_agent = true;
  return packet;
}

}  // namespace proffer::live
