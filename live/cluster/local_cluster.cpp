#include "proffer/live/local_cluster.hpp"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

#include "live/cluster/child_end.hpp"
#include "live/cluster/last_line.hpp"
#include "live/cluster/seeded_store.hpp"
#include "proffer/check.hpp"
#include "proffer/live/executor.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

constexpr Duration kReadyTimeout = std::chrono::seconds(20);
constexpr Duration kStopTimeout = std::chrono::seconds(5);
constexpr const char* kFreePort = "tcp://127.0.0.1:0";

/// "allocator frameworks=tcp://… agents=tcp://…" -> its values by name.
std::map<std::string, std::string> values_of(const std::string& ready_line) {
  std::map<std::string, std::string> values;
  std::istringstream words(ready_line);
  for (std::string word; words >> word;) {
    if (const auto equals = word.find('='); equals != std::string::npos) {
      values[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return values;
}

Result<> write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) return Error{ErrorCode::io, "cannot write " + path.string()};
  return {};
}

Error prefixed(const std::string& who, const Error& error) {
  return {error.code, who + ": " + error.message};
}

}  // namespace

LocalCluster::LocalCluster(LocalClusterConfig config) : config_(std::move(config)) {}

std::vector<LocalAgent> even_agents(int agents, int racks, const Resources& slots) {
  std::vector<LocalAgent> all;
  for (int i = 0; i < agents; ++i) {
    const auto number = std::to_string(i + 1);
    all.push_back(
        {(number.size() < 2 ? "n0" : "n") + number, LocalCluster::rack_name(i * racks / agents), slots});
  }
  return all;
}

std::string LocalCluster::rack_name(int index) { return "rack" + std::to_string(index + 1); }

std::string LocalCluster::event_log() const { return event_log_of("allocator"); }

std::string LocalCluster::event_log_of(const std::string& name) const {
  return config_.dir + "/" + name + "/events.jsonl";
}

std::vector<std::string> LocalCluster::event_logs() const {
  std::vector<std::string> logs{event_log()};
  if (!config_.all_event_logs) return logs;
  logs.push_back(event_log_of("catalog"));
  for (const auto& agent : config_.agents) logs.push_back(event_log_of(agent.name));
  return logs;
}

Result<std::unique_ptr<LocalCluster>> LocalCluster::start(LocalClusterConfig config) {
  std::unique_ptr<LocalCluster> cluster(new LocalCluster(std::move(config)));
  std::error_code failed;
  std::filesystem::create_directories(cluster->config_.dir, failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + cluster->config_.dir + ": " + failed.message()};
  if (auto seeded = seed_store(cluster->config_); !seeded) return seeded.error();
  if (auto started = cluster->start_catalog(); !started) return prefixed("catalog", started.error());
  if (auto started = cluster->start_allocator(); !started) return prefixed("allocator", started.error());
  if (auto started = cluster->start_agents(); !started) return started.error();
  return cluster;
}

LocalCluster::~LocalCluster() { static_cast<void>(stop()); }

Result<> LocalCluster::stop() {
  Result<> all;
  // One that has not said yet that it is ready may not know yet what to do about SIGTERM.
  for (const auto& name : std::exchange(starting_, {})) {
    if (child_of(name).second.read_line(Duration::zero())) continue;
    auto killed = kill(name);
    if (all) all = std::move(killed);
  }
  // Agents first, so that their tasks end while somebody still listens.
  for (auto it = children_.rbegin(); it != children_.rend(); ++it) it->second.signal(SIGTERM);
  const auto deadline = steady_now() + kStopTimeout;
  for (auto& [name, child] : children_) {
    if (killed_.contains(name)) continue;
    auto ended = clean_end(name, child, deadline, config_.dir + "/" + name + "/log");
    if (all) all = std::move(ended);
  }
  // An agent that was killed has left its tasks running.
  for (const auto& agent : config_.agents) {
    auto ended = end_runs_of(agent.name);
    if (all) all = std::move(ended);
  }
  return all;
}

Result<Child> LocalCluster::start_process(const std::string& name, const std::string& role,
                                          const Config& settings) const {
  const auto dir = std::filesystem::path(config_.dir) / name;
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + dir.string() + ": " + failed.message()};
  const auto file = (dir / (role + ".toml")).string();
  if (auto written = write_file(file, print_config(settings, role)); !written) return written.error();
  return Child::start({config_.proffer_path, role, "--config", file, "--end-with-parent"},
                      (dir / "log").string());
}

Result<> LocalCluster::start_daemon(const std::string& name, const std::string& role,
                                    const Config& settings) {
  auto child = start_process(name, role, settings);
  if (!child) return child.error();
  children_.emplace_back(name, std::move(*child));
  return {};
}

std::pair<std::string, Child>& LocalCluster::child_of(std::string_view daemon) {
  const auto found = std::find_if(children_.begin(), children_.end(),
                                  [&](const auto& child) { return child.first == daemon; });
  PROFFER_CHECK(found != children_.end(), "no such daemon");
  return *found;
}

Result<> LocalCluster::kill_and_restart(std::string_view daemon) {
  auto& child = child_of(daemon).second;
  child.signal(SIGKILL);
  child.wait_exit(kStopTimeout);
  return start_again(daemon);
}

Result<> LocalCluster::kill(std::string_view daemon) {
  auto& [name, child] = child_of(daemon);
  killed_.insert(name);
  starting_.erase(name);
  child.signal(SIGKILL);
  child.wait_exit(kStopTimeout);
  return name == "allocator" || name == "catalog" ? Result<>() : end_runs_of(name);
}

Result<> LocalCluster::start_again(std::string_view daemon) {
  auto& [name, child] = child_of(daemon);
  const bool server = daemon == "allocator" || daemon == "catalog";
  const auto agent = std::find_if(config_.agents.begin(), config_.agents.end(),
                                  [&](const LocalAgent& one) { return one.name == daemon; });
  auto started = start_process(name, server ? name : "agent",
                               daemon == "allocator" ? allocator_settings()
                               : server              ? catalog_settings()
                                                     : agent_settings(*agent));
  if (!started) return started.error();
  child = std::move(*started);
  killed_.erase(name);
  starting_.insert(name);
  return {};
}

void LocalCluster::signal(std::string_view daemon, int number) { child_of(daemon).second.signal(number); }

Result<> LocalCluster::end_runs_of(const std::string& agent) const {
  const auto launcher = std::filesystem::path(config_.proffer_path).replace_filename("proffer-launcher");
  return end_runs_in(config_.dir + "/" + agent, launcher.string());
}

Result<std::string> LocalCluster::ready_line(std::size_t index) {
  auto& [name, child] = children_[index];
  auto line = child.read_line(kReadyTimeout);
  if (line) return line;
  const auto why = last_line(config_.dir + "/" + name + "/log");
  return Error{line.error().code, line.error().message + (why.empty() ? "" : " (" + why + ")")};
}

/// The settings of each daemon name the address that it had before, once there is one: whoever knows it finds
/// a daemon there that was started again.
Config LocalCluster::catalog_settings() const {
  Config settings;
  settings.catalog.endpoint = catalog_endpoint_.empty() ? kFreePort : catalog_endpoint_;
  settings.catalog.state_dir = config_.dir + "/catalog";
  settings.catalog.catalog.replication = config_.replication;
  if (config_.all_event_logs) settings.catalog.event_log = event_log_of("catalog");
  return settings;
}

Config LocalCluster::allocator_settings() const {
  Config settings;
  settings.allocator.allocator = config_.allocator;
  settings.allocator.frameworks_endpoint =
      frameworks_endpoint_.empty() ? config_.frameworks_endpoint : frameworks_endpoint_;
  settings.allocator.agents_endpoint = agents_endpoint_.empty() ? kFreePort : agents_endpoint_;
  settings.allocator.allocator.catalog_endpoint = catalog_endpoint_;
  settings.allocator.state_dir = config_.dir + "/allocator";
  settings.allocator.event_log = event_log();
  settings.allocator.drivers = config_.drivers;
  return settings;
}

Config LocalCluster::agent_settings(const LocalAgent& local) const {
  Config settings;
  auto& agent = settings.agent;
  agent.agent.name = local.name;
  agent.agent.rack = local.rack;
  agent.agent.slots = local.slots;
  agent.agent.max_computing = local.max_computing;
  agent.allocator = agents_endpoint_;
  agent.work_dir = config_.dir + "/" + local.name;
  agent.uplink = local.uplink ? local.uplink : config_.uplink;
  agent.synthetic_waits = config_.synthetic_waits;
  agent.kill_tasks_at_stop = true;
  if (config_.all_event_logs) agent.event_log = event_log_of(local.name);
  return settings;
}

Result<> LocalCluster::start_catalog() {
  if (auto started = start_daemon("catalog", "catalog", catalog_settings()); !started) return started;
  auto line = ready_line(children_.size() - 1);
  if (!line) return line.error();
  catalog_endpoint_ = values_of(*line)["endpoint"];
  return {};
}

Result<> LocalCluster::start_allocator() {
  if (auto started = start_daemon("allocator", "allocator", allocator_settings()); !started) return started;
  auto line = ready_line(children_.size() - 1);
  if (!line) return line.error();
  auto values = values_of(*line);
  frameworks_endpoint_ = values["frameworks"];
  agents_endpoint_ = values["agents"];
  return {};
}

Result<> LocalCluster::start_agents() {
  const auto first = children_.size();
  for (const auto& agent : config_.agents) {
    auto started = start_daemon(agent.name, "agent", agent_settings(agent));
    if (!started) return prefixed(agent.name, started.error());
  }
  for (auto i = first; i < children_.size(); ++i) {
    if (auto line = ready_line(i); !line) return prefixed(children_[i].first, line.error());
  }
  return {};
}

std::optional<std::string> LocalCluster::ended() {
  for (auto& [name, child] : children_) {
    if (!killed_.contains(name) && child.poll_exit()) return name;
  }
  return {};
}

pid_t LocalCluster::agent_pid(int index) const {
  return pid_of(config_.agents.at(static_cast<std::size_t>(index)).name);
}

pid_t LocalCluster::allocator_pid() const { return pid_of("allocator"); }
pid_t LocalCluster::catalog_pid() const { return pid_of("catalog"); }

pid_t LocalCluster::pid_of(std::string_view wanted) const {
  for (const auto& [name, child] : children_) {
    if (name == wanted) return child.pid();
  }
  return -1;
}

}  // namespace proffer::live
