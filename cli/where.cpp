#include "cli/where.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "proffer/formats/config.hpp"
#include "proffer/live/describe.hpp"

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

/// The first file that is there counts.
Result<ClientSettings> client_settings() {
  for (const auto& file : client_files()) {
    auto config = read_config(file);
    if (config) return config->client;
    if (config.error().code != ErrorCode::not_found) return config.error();
  }
  return ClientSettings{};
}

Result<std::string> catalog_endpoint(live::Context& context, const Where& where) {
  if (!where.catalog.empty()) return where.catalog;
  auto state = live::describe(context, where.allocator, kAnswerTimeout);
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

void warn_of_missing_kinds(const ClusterState& state, const std::vector<Kind>& kinds) {
  for (const auto kind : kinds) {
    const bool is_there = std::any_of(state.agents.begin(), state.agents.end(),
                                      [kind](const AgentState& agent) { return agent.total[kind] > 0; });
    if (is_there) continue;
    std::fprintf(stderr, "proffer: no agent has slots of the kind %s; waiting for one that has\n",
                 std::string(kind.name()).c_str());
  }
}

Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& given) {
  const auto where = find_cluster(given);
  if (!where) return where.error();
  auto endpoint = catalog_endpoint(context, *where);
  if (!endpoint) return endpoint.error();
  return live::CatalogClient::connect(context, *endpoint, kAnswerTimeout);
}

}  // namespace proffer::cli
