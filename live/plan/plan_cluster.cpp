#include "live/plan/plan_cluster.hpp"

#include <algorithm>
#include <utility>

#include "live/cluster/seeded_store.hpp"
#include "proffer/live/port.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::live {
namespace {

constexpr Duration kLookAtMachines = std::chrono::seconds(1);

Error prefixed(const std::string& who, const Error& error) {
  return {error.code, who + ": " + error.message};
}

/// What an agent needs to be told beyond what it would be told here.
Config settings_on(const ListedMachine& machine, Config settings) {
  settings.agent.data_endpoint = "tcp://" + machine.address + ":0";
  settings.agent.insecure = !only_from_here(settings.agent.data_endpoint);
  settings.agent.work_dir.clear();
  settings.agent.event_log.clear();
  return settings;
}

}  // namespace

Result<std::unique_ptr<PlanCluster>> PlanCluster::start(LocalClusterConfig config,
                                                        const std::optional<MachineList>& machines,
                                                        const std::string& version) {
  std::vector<std::size_t> dealt;
  std::vector<LocalAgent> agents;
  if (machines) {
    auto done = deal_nodes(*machines, config.agents.size());
    if (!done) return done.error();
    dealt = std::move(*done);
    agents = std::exchange(config.agents, {});
    config.address = machines->address;
  }
  std::unique_ptr<PlanCluster> cluster(new PlanCluster);
  auto local = LocalCluster::start(config);
  if (!local) return local.error();
  cluster->local_ = std::move(*local);
  if (machines) {
    auto started = cluster->start_elsewhere(config, agents, *machines, dealt, version);
    if (!started) return started.error();
  }
  return cluster;
}

PlanCluster::~PlanCluster() {
  for (auto& outpost : outposts_) outpost.close();
}

/// Machines start up side by side, and so do agents.
Result<> PlanCluster::start_elsewhere(const LocalClusterConfig& config, const std::vector<LocalAgent>& agents,
                                      const MachineList& machines, const std::vector<std::size_t>& dealt,
                                      const std::string& version) {
  for (const auto& machine : machines.all) {
    auto link = OutpostLink::open(machine, config.proffer_path, config.dir + "/" + machine.name + ".log");
    if (!link) return link.error();
    outposts_.push_back(std::move(*link));
  }
  for (auto& outpost : outposts_) {
    if (auto said = outpost.hello(version); !said) return said;
  }
  const auto blocks = blocks_by_agent(config.files);
  for (std::uint32_t i = 0; i < agents.size(); ++i) {
    const auto& name = agents[i].name;
    auto& outpost = outposts_[dealt[i]];
    if (const auto own = blocks.find(i); own != blocks.end()) {
      if (auto put = outpost.put_blocks(name, own->second); !put) return put;
    }
    const auto settings = settings_on(outpost.machine(), local_->agent_settings(agents[i]));
    elsewhere_[name] = {dealt[i], settings};
    if (auto started = outpost.start(name, settings); !started) return prefixed(name, started.error());
  }
  for (const auto& [name, place] : elsewhere_) {
    if (auto ready = outposts_[place.machine].wait_ready(name); !ready) return prefixed(name, ready.error());
  }
  return {};
}

const PlanCluster::Place* PlanCluster::place_of(std::string_view agent) const {
  const auto found = elsewhere_.find(agent);
  return found == elsewhere_.end() ? nullptr : &found->second;
}

Result<> PlanCluster::kill(std::string_view daemon) {
  const auto* place = place_of(daemon);
  return place == nullptr ? local_->kill(daemon) : outposts_[place->machine].kill(std::string(daemon));
}

Result<> PlanCluster::start_again(std::string_view daemon) {
  const auto* place = place_of(daemon);
  if (place == nullptr) return local_->start_again(daemon);
  return outposts_[place->machine].start(std::string(daemon), place->settings);
}

Result<> PlanCluster::signal(std::string_view daemon, int number) {
  const auto* place = place_of(daemon);
  if (place != nullptr) return outposts_[place->machine].signal(std::string(daemon), number);
  local_->signal(daemon, number);
  return {};
}

Result<> PlanCluster::check() {
  if (const auto ended = local_->ended()) return Error{ErrorCode::io, *ended + " has ended by itself"};
  if (steady_now() - looked_ < kLookAtMachines) return {};
  looked_ = steady_now();
  for (auto& outpost : outposts_) {
    if (auto seen = outpost.look(); !seen) return seen;
  }
  return {};
}

Result<> PlanCluster::stop() {
  Result<> all;
  for (auto& outpost : outposts_) {
    auto stopped = outpost.stop();
    if (all) all = std::move(stopped);
  }
  auto stopped = local_->stop();
  return all ? stopped : all;
}

std::size_t PlanCluster::agents_on(std::size_t outpost) const {
  return static_cast<std::size_t>(std::count_if(elsewhere_.begin(), elsewhere_.end(), [&](const auto& agent) {
    return agent.second.machine == outpost;
  }));
}

}  // namespace proffer::live
