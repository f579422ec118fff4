#include "live/run/sandbox.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {
namespace fs = std::filesystem;

Result<> make_private_folder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed) fs::permissions(path, fs::perms::owner_all, failed);
  if (failed)
    return Error{ErrorCode::io, "cannot make the folder " + path.string() + ": " + failed.message()};
  return {};
}

Result<> write_private_file(const fs::path& path, const std::string& bytes, bool executable = false) {
  // Appears whole: a reader of a token must not see half of it.
  auto part = path;
  part += ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code failed;
  fs::permissions(part, executable ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write,
                  failed);
  if (out) fs::rename(part, path, failed);
  if (!out || failed) return Error{ErrorCode::io, "cannot write " + path.string()};
  return {};
}

/// An earlier framework of that name may have used that task id; its sandbox stays as it was.
fs::path fresh_sandbox(const ExecutorConfig& config, const StartRun& start) {
  auto path = fs::path(config.sandboxes_dir) / start.framework_name / start.task.id.value;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return path;
  path += "." + std::to_string(start.launch.epoch) + "-" + std::to_string(start.launch.n);
  return path;
}

Result<> write_token(const ExecutorConfig& config, const StartRun& start, const MapWork& work) {
  const auto folder =
      fs::path(config.outputs_dir) / to_hex(start.framework.value) / std::to_string(work.job.value);
  if (auto made = make_private_folder(folder); !made) return made;
  return write_private_file(folder / ".token", work.job_token);
}

Result<> ship(const fs::path& sandbox, const std::vector<ShippedFile>& files) {
  for (const auto& file : files) {
    if (!valid_name(file.name))
      return Error{ErrorCode::invalid, "\"" + file.name + "\" is no plain file name"};
    if (auto written = write_private_file(sandbox / file.name, file.bytes, file.executable); !written)
      return written;
  }
  return {};
}

class Preparation {
 public:
  Preparation(const ExecutorConfig& config, const StartRun& start, const fs::path& sandbox)
      : config_(config), start_(start), sandbox_(sandbox) {}

  Result<> operator()(const CommandWork& work) {
    if (work.argv.empty() || work.argv[0].empty())
      return Error{ErrorCode::invalid, "a command without a name"};
    packet.argv = work.argv;
    add_environment(work.env);
    return {};
  }
  Result<> operator()(const MapWork& work) {
    if (work.partitions > 0) {
      if (auto written = write_token(config_, start_, work); !written) return written;
    }
    return worker(work.env, work.files);
  }
  Result<> operator()(const ReduceWork& work) { return worker(work.env, work.files); }

  Packet packet;

 private:
  Result<> worker(const Environment& env, const std::vector<ShippedFile>& files) {
    packet.argv = {config_.worker_path};
    add_environment(env);
    if (auto shipped = ship(sandbox_, files); !shipped) return shipped;
    std::string bytes;
    encode_work(*start_.task.work, bytes);
    return write_private_file(sandbox_ / "work.msgpack", bytes);
  }

  void add(const std::string& name, const std::string& value) { packet.env.push_back(name + "=" + value); }
  void pass_on(const char* name) {
    if (const char* value = std::getenv(name)) add(name, value);
  }
  void add_environment(const Environment& env) {
    for (const auto* name : {"PATH", "LANG", "LC_ALL", "USER", "ASAN_OPTIONS", "TSAN_OPTIONS"}) pass_on(name);
    add("HOME", sandbox_.string());
    add("TMPDIR", sandbox_.string());
    for (const auto& [name, value] : env) add(name, value);
    add("PROFFER_FRAMEWORK", start_.framework_name);
    add("PROFFER_FRAMEWORK_ID", to_hex(start_.framework.value));
    add("PROFFER_TASK_ID", start_.task.id.value);
    add("PROFFER_AGENT", config_.agent_name);
    add("PROFFER_AGENT_ID", to_hex(config_.agent.value));
    add("PROFFER_BLOCKS_DIR", config_.blocks_dir);
    add("PROFFER_OUTPUTS_DIR", config_.outputs_dir);
  }

  const ExecutorConfig& config_;
  const StartRun& start_;
  const fs::path& sandbox_;
};

}  // namespace

Result<Packet> prepare_run(const ExecutorConfig& config, const StartRun& start) {
  if (!valid_name(start.framework_name) || !valid_task_id(start.task.id.value) || !start.task.work) {
    return Error{ErrorCode::invalid, "a task without a proper name, or without work"};
  }
  const auto sandbox = fresh_sandbox(config, start);
  if (auto made = make_private_folder(sandbox); !made) return made.error();
  Preparation preparation(config, start, sandbox);
  if (auto prepared = std::visit(preparation, *start.task.work); !prepared) return prepared.error();
  auto& packet = preparation.packet;
  packet.type = PacketType::spawn;
  packet.launch = start.launch;
  packet.cap = config.stream_cap_bytes;
  packet.text = sandbox.string();
  return std::move(packet);
}

}  // namespace proffer::live
