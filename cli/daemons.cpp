// The commands `proffer allocator|agent|catalog`: a configuration file, flags over it, and the daemon.
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/log.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Returns the folder in which a daemon keeps its state when nobody names one.
std::string default_folder(const std::string& role) {
  if (const char* cache = std::getenv("XDG_STATE_HOME")) return std::string(cache) + "/proffer/" + role;
  if (const char* home = std::getenv("HOME")) return std::string(home) + "/.local/state/proffer/" + role;
  return "proffer-" + role;
}

Result<Config> config_of(const DaemonOptions& options) {
  Config config;
  if (!options.config.empty()) {
    auto read = read_config(options.config);
    if (!read) return read.error();
    config = std::move(*read);
    config.allocator.file = options.config;
  }
  for (const auto& [key, text] : options.overrides) {
    if (auto set = set_config(config, options.role, key, text); !set) return set.error();
  }
  if (auto sound = check_config(config); !sound) return sound.error();
  auto& agent = config.agent;
  if (agent.agent.name.empty()) agent.agent.name = host_name();
  if (agent.work_dir.empty()) agent.work_dir = default_folder("agent-" + agent.agent.name);
  auto& allocator = config.allocator;
  allocator.version = PROFFER_VERSION;
  // An allocator without a folder would be another cluster for its agents at each start.
  if (allocator.state_dir.empty()) allocator.state_dir = default_folder("allocator");
  if (config.catalog.state_dir.empty()) config.catalog.state_dir = default_folder("catalog");
  return config;
}

Result<> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) return Error{ErrorCode::io, "cannot make the folder " + path + ": " + failed.message()};
  return {};
}

live::Reach reach_of(const std::string& role, const Config& config) {
  if (role == "allocator") return live::reach_of(config.allocator);
  return role == "catalog" ? live::reach_of(config.catalog) : live::reach_of(config.agent);
}

/// Returns an exit code, unless the daemon may listen at its addresses.
int check_reach(const std::string& role, const Config& config) {
  if (role == "agent") {
    if (auto told = live::check_data_address(config.agent); !told) return report(told.error());
  }
  const auto reach = reach_of(role, config);
  if (!reach.allowed) {
    report(reach.allowed.error());
    return kUnsafe;
  }
  if (!reach.warning.empty()) live::log::warn(reach.warning);
  if (role == "agent" && ::geteuid() == 0) {
    live::log::warn("runs as root, and so do all tasks: start it as a user of its own");
  }
  return kOk;
}

Result<> serve(const std::string& role, const Config& config, live::Stop& stop) {
  if (role == "allocator") return live::run_allocator(config.allocator, stop);
  if (role == "catalog") {
    if (auto made = make_folder(config.catalog.state_dir); !made) return made;
    return live::run_catalog(config.catalog, stop);
  }
  if (config.agent.agent.slots.empty()) {
    return Error{ErrorCode::invalid, "an agent needs slots to offer: --slots map=2,reduce=1"};
  }
  if (auto made = make_folder(config.agent.work_dir); !made) return made;
  return live::run_agent(config.agent, stop);
}

}  // namespace

int run_daemon(const DaemonOptions& options) {
  if (options.end_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const auto config = config_of(options);
  if (!config) return report(config.error());
  if (options.print_config) {
    std::fputs(print_config(*config, options.role).c_str(), stdout);
    return kOk;
  }
  const auto name = options.role == "agent" ? "agent " + config->agent.agent.name : options.role;
  if (auto logging = live::log::start(name, "info"); !logging) return report(logging.error());
  if (const int unsafe = check_reach(options.role, *config); unsafe != kOk) return unsafe;
  live::Stop stop;
  stop.on_signals();
  const auto served = serve(options.role, *config, stop);
  return served ? kOk : report(served.error());
}

}  // namespace proffer::cli
