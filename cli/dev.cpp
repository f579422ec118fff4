// The command `proffer dev`: a cluster of real processes on this machine.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/paths.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/formats/settings.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/stop.hpp"

extern char** environ;  // NOLINT: POSIX says so

namespace proffer::cli {
namespace {

void print_addresses(const live::LocalCluster& cluster, const DevOptions& options, const std::string& dir) {
  if (::geteuid() == 0) {
    std::fputs("You are root, and so are all tasks, whichever user of this machine runs them.\n", stderr);
  }
  std::fprintf(stderr,
               "allocator  %s   (state and logs in %s)\n"
               "catalog    %s\n"
               "agents     %d in %d racks, %s each\n",
               cluster.allocator_endpoint().c_str(), dir.c_str(), cluster.catalog_endpoint().c_str(),
               options.nodes, options.racks, options.slots.c_str());
  if (!cluster.http().empty()) std::fprintf(stderr, "dashboard  http://%s/\n", cluster.http().c_str());
  if (options.replication.empty()) return;
  std::fprintf(stderr, "replicas   %s; what it decides is in %s/catalog/events.jsonl\n",
               options.replication.c_str(), dir.c_str());
}

/// Waits for Ctrl-C or for a daemon that ends by itself.
int wait_for_end(live::LocalCluster& cluster, live::Stop& stop) {
  while (!stop.requested()) {
    stop.wait(std::chrono::milliseconds(500));
    if (const auto ended = cluster.ended()) {
      return report({ErrorCode::io, *ended + " has ended; its log says why"});
    }
  }
  return kOk;
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// Runs the user's command in this terminal, with the cluster's address in its environment.
int run_beside(const live::LocalCluster& cluster, const std::vector<std::string>& command) {
  ::setenv("PROFFER_ALLOCATOR", cluster.allocator_endpoint().c_str(), 1);
  ::setenv("PROFFER_EVENT_LOG", cluster.event_log().c_str(), 1);  // proffer why finds all of it in one
  ::unsetenv("PROFFER_CATALOG");                                  // another cluster's
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = -1;
  if (const int failed = ::posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ);
      failed != 0) {
    return report({ErrorCode::io, "cannot start " + command[0] + ": " + std::strerror(failed)});
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return exit_code_of(status);
}

/// Returns the replication settings of the options, read as the catalog reads them.
Result<ReplicationConfig> replication_of(const DevOptions& options) {
  Config config;
  const std::pair<std::string_view, const std::string&> settings[] = {
      {"replication", options.replication},
      {"replication_variant", options.replication_variant},
      {"replication_interval", options.replication_interval},
  };
  for (const auto& [key, text] : settings) {
    if (text.empty()) continue;
    if (auto set = set_config(config, "catalog", key, text); !set) return set.error();
  }
  return config.catalog.catalog.replication;
}

Result<AllocatorConfig> allocator_of(const std::string& file) {
  constexpr std::string_view kSections[] = {"allocator", "pool", "user"};
  auto read = read_config(file, kSections);
  if (read) return std::move(read->allocator.allocator);
  return Error{read.error().code, read.error().message + "; see the flags of `proffer dev` for more"};
}

Result<live::LocalClusterConfig> config_of(const DevOptions& options, const std::string& dir) {
  live::LocalClusterConfig config;
  config.proffer_path = own_path();
  config.dir = dir;
  config.drivers = true;
  config.frameworks_endpoint = fmt::format("tcp://127.0.0.1:{}", options.port);
  if (options.http != "off") {
    if (!formats::HttpAt::holds(options.http)) {
      return Error{ErrorCode::invalid, "--http " + std::string(formats::HttpAt::wants) + ", or off"};
    }
    config.http = options.http;
  }
  auto slots = parse_slots(options.slots);
  if (!slots) return Error{ErrorCode::invalid, "--slots: " + slots.error().message};
  config.agents = live::even_agents(options.nodes, std::min(options.racks, options.nodes), *slots);
  for (auto& agent : config.agents) agent.max_computing = options.max_computing;
  auto replication = replication_of(options);
  if (!replication) return replication.error();
  config.replication = *replication;
  config.all_event_logs = !options.replication.empty();
  if (!options.uplink.empty()) {
    const auto rate = parse_rate(options.uplink);
    if (!rate) return Error{ErrorCode::invalid, "--uplink: " + rate.error().message};
    config.uplink = *rate;
  }
  if (!options.pools.empty()) {
    auto allocator = allocator_of(options.pools);
    if (!allocator) return allocator.error();
    config.allocator = std::move(*allocator);
  }
  return config;
}

}  // namespace

int run_dev(const DevOptions& options) {
  std::optional<TemporaryFolder> temporary;
  if (options.dir.empty()) {
    auto made = TemporaryFolder::make("proffer-dev");
    if (!made) return report(made.error());
    temporary.emplace(std::move(*made));
  }
  std::error_code unknown;
  const auto dir = temporary ? temporary->path() : std::filesystem::absolute(options.dir, unknown).string();
  auto config = config_of(options, dir);
  if (!config) return report(config.error());

  live::Stop stop;
  stop.on_signals();
  auto cluster = live::LocalCluster::start(std::move(*config));
  if (!cluster) return report(cluster.error());
  print_addresses(**cluster, options, dir);
  if (!options.command.empty()) return run_beside(**cluster, options.command);
  std::printf("export PROFFER_ALLOCATOR=%s\nexport PROFFER_EVENT_LOG=%s\n",
              (*cluster)->allocator_endpoint().c_str(), (*cluster)->event_log().c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "%sIt ends with Ctrl-C or, in the background, with: kill %d\n",
               options.port == kUsualPort ? "Commands on this machine find it by themselves. "
                                          : "Commands find it where these two are set. ",
               static_cast<int>(::getpid()));
  return wait_for_end(**cluster, stop);
}

}  // namespace proffer::cli
