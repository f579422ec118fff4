#include "proffer/live/local_cluster.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <system_error>

#include "live/cluster/daemon_set.hpp"
#include "live/cluster/seeded_store.hpp"
#include "proffer/check.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::live {
namespace {

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

Error prefixed(const std::string& who, const Error& error) {
  return {error.code, who + ": " + error.message};
}

}  // namespace

LocalCluster::LocalCluster(LocalClusterConfig config)
    : config_(std::move(config)), daemons_(std::make_unique<DaemonSet>(config_.proffer_path, config_.dir)) {}

LocalCluster::~LocalCluster() = default;

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

Result<> LocalCluster::stop() { return daemons_->stop(); }

Result<> LocalCluster::kill_and_restart(std::string_view daemon) {
  daemons_->kill_process(daemon);
  return start_again(daemon);
}

Result<> LocalCluster::kill(std::string_view daemon) { return daemons_->kill(daemon); }

Result<> LocalCluster::start_again(std::string_view daemon) {
  const std::string name(daemon);
  if (daemon == "allocator") return daemons_->start(name, name, allocator_settings());
  if (daemon == "catalog") return daemons_->start(name, name, catalog_settings());
  const auto agent = std::find_if(config_.agents.begin(), config_.agents.end(),
                                  [&](const LocalAgent& one) { return one.name == daemon; });
  PROFFER_CHECK(agent != config_.agents.end(), "no such daemon");
  return daemons_->start(name, "agent", agent_settings(*agent));
}

void LocalCluster::signal(std::string_view daemon, int number) { daemons_->signal(daemon, number); }

std::string LocalCluster::free_port() const { return "tcp://" + config_.address + ":0"; }

/// The settings of each daemon name the address that it had before, once there is one: whoever knows it finds
/// a daemon there that was started again.
Config LocalCluster::catalog_settings() const {
  Config settings;
  settings.catalog.endpoint = catalog_endpoint_.empty() ? free_port() : catalog_endpoint_;
  settings.catalog.state_dir = config_.dir + "/catalog";
  settings.catalog.catalog.replication = config_.replication;
  settings.catalog.insecure = !only_from_here(settings.catalog.endpoint);
  if (config_.all_event_logs) settings.catalog.event_log = event_log_of("catalog");
  return settings;
}

Config LocalCluster::allocator_settings() const {
  Config settings;
  settings.allocator.allocator = config_.allocator;
  settings.allocator.frameworks_endpoint =
      frameworks_endpoint_.empty() ? config_.frameworks_endpoint : frameworks_endpoint_;
  settings.allocator.agents_endpoint = agents_endpoint_.empty() ? free_port() : agents_endpoint_;
  settings.allocator.allocator.catalog_endpoint = catalog_endpoint_;
  settings.allocator.state_dir = config_.dir + "/allocator";
  settings.allocator.event_log = event_log();
  settings.allocator.drivers = config_.drivers;
  settings.allocator.http = http_.empty() ? config_.http : http_;
  settings.allocator.insecure = !only_from_here(settings.allocator.agents_endpoint);
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
  if (auto started = daemons_->start("catalog", "catalog", catalog_settings()); !started) return started;
  auto line = daemons_->ready_line("catalog");
  if (!line) return line.error();
  catalog_endpoint_ = values_of(*line)["endpoint"];
  return {};
}

Result<> LocalCluster::start_allocator() {
  if (auto started = daemons_->start("allocator", "allocator", allocator_settings()); !started)
    return started;
  auto line = daemons_->ready_line("allocator");
  if (!line) return line.error();
  auto values = values_of(*line);
  frameworks_endpoint_ = values["frameworks"];
  agents_endpoint_ = values["agents"];
  http_ = values["http"];
  return {};
}

Result<> LocalCluster::start_agents() {
  for (const auto& agent : config_.agents) {
    auto started = daemons_->start(agent.name, "agent", agent_settings(agent));
    if (!started) return prefixed(agent.name, started.error());
  }
  for (const auto& agent : config_.agents) {
    if (auto line = daemons_->ready_line(agent.name); !line) return prefixed(agent.name, line.error());
  }
  return {};
}

std::optional<std::string> LocalCluster::ended() { return daemons_->ended(); }

pid_t LocalCluster::agent_pid(int index) const { return daemons_->pid_of(agent_name(index)); }
pid_t LocalCluster::allocator_pid() const { return daemons_->pid_of("allocator"); }
pid_t LocalCluster::catalog_pid() const { return daemons_->pid_of("catalog"); }

}  // namespace proffer::live
