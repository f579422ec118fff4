#include "cli/where.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "proffer/formats/config.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::cli {
namespace {

std::vector<std::string> client_files() {
  std::vector<std::string> files{"proffer.toml"};
  if (const char* config = std::getenv("XDG_CONFIG_HOME")) {
    files.push_back(std::string(config) + "/proffer/proffer.toml");
  } else if (const char* home = std::getenv("HOME")) {
    files.push_back(std::string(home) + "/.config/proffer/proffer.toml");
  }
  return files;
}

/// Reads the first of the client's files that exists.
Result<ClientSettings> client_settings() {
  for (const auto& file : client_files()) {
    auto config = read_config(file);
    if (config) return config->client;
    if (config.error().code != ErrorCode::not_found) return config.error();
  }
  return ClientSettings{};
}

constexpr Duration kSilent = std::chrono::milliseconds(500);

/// Returns whether a path is this user's own event log. Whoever answers as an allocator may name any file,
/// and only such a log may be written to.
bool is_own_event_log(const std::string& path) {
  struct stat file {};
  const bool is_own =
      ::lstat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == ::geteuid();
  if (!is_own || !path.ends_with(".jsonl")) return false;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return file.st_size == 0;  // the first lines are about to be written
  return line.starts_with("{\"t_us\":") && line.find("\"source\":\"") != std::string::npos;
}

Result<std::string> catalog_endpoint(live::Context& context, const Where& where) {
  if (!where.catalog.empty()) return where.catalog;
  auto state = reach(context, where.allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (state->catalog_endpoint.empty()) {
    return Error{ErrorCode::not_found,
                 "the allocator at " + where.allocator +
                     " knows no catalog; start it with --catalog-endpoint, or name one with --catalog"};
  }
  return state->catalog_endpoint;
}

}  // namespace

Result<Where> find_cluster(const Where& given) {
  if (!given.allocator.empty() && !given.catalog.empty()) return given;
  const auto settings = client_settings();
  if (!settings) return settings.error();
  auto where = given;
  // A catalog belongs to its allocator: a file's is of no use beside another allocator.
  if (given.allocator.empty() && given.catalog.empty()) where.catalog = settings->catalog;
  if (given.allocator.empty()) where.allocator = settings->allocator;
  return where;
}

Result<ClusterState> reach(live::Context& context, const std::string& allocator, Duration patience,
                           std::uint64_t tasks) {
  auto state = live::describe(context, allocator, std::min(kSilent, patience), tasks);
  if (state || state.error().code != ErrorCode::unreachable || patience <= kSilent) return state;
  std::fprintf(stderr, "proffer: no cluster answers at %s so far; waiting %lld s for one%s\n",
               allocator.c_str(),
               static_cast<long long>(std::chrono::duration_cast<std::chrono::seconds>(patience).count()),
               live::only_from_here(allocator) ? " (`proffer dev` starts one here)" : "");
  return live::describe(context, allocator, patience - kSilent, tasks);
}

std::string event_log_for(const FrameworkOptions& framework, const Where& where, const ClusterState& state) {
  if (!framework.event_log.empty()) return framework.event_log;
  return live::only_from_here(where.allocator) && is_own_event_log(state.event_log) ? state.event_log : "";
}

Result<FrameworkConfig> framework_config(const FrameworkOptions& options) {
  FrameworkConfig config;
  config.name = options.name;
  config.pool = options.pool;
  config.priority = priority_named(options.priority).value();
  if (const char* user = std::getenv("USER")) config.user = user;
  if (options.failover_timeout.empty()) {
    const auto settings = client_settings();
    if (!settings) return settings.error();
    if (settings->failover_timeout) config.failover_timeout = *settings->failover_timeout;
    return config;
  }
  const auto timeout = parse_duration(options.failover_timeout);
  if (!timeout) return Error{ErrorCode::invalid, "--failover-timeout: " + timeout.error().message};
  config.failover_timeout = *timeout;
  return config;
}

void warn_of_missing_kinds(const ClusterState& state, const std::vector<Kind>& kinds) {
  for (const auto kind : kinds) {
    const bool is_there = std::any_of(state.agents.begin(), state.agents.end(),
                                      [kind](const AgentState& agent) { return agent.total[kind] > 0; });
    if (is_there) continue;
    std::fprintf(stderr, "proffer: no agent has slots of the kind %s; waiting for one that has\n",
                 std::string(kind.name()).c_str());
  }
}

Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& given,
                                                             live::CatalogPatience patience) {
  const auto where = find_cluster(given);
  if (!where) return where.error();
  auto endpoint = catalog_endpoint(context, *where);
  if (!endpoint) return endpoint.error();
  return live::CatalogClient::connect(context, *endpoint, kAnswerTimeout, std::move(patience));
}

}  // namespace proffer::cli
