// `proffer status`
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "proffer/live/describe.hpp"

namespace proffer::cli {
namespace {

using Json = nlohmann::ordered_json;
using Entries = std::vector<Resources::Entry>;

template <class Bag>
Json json_of(const Bag& bag) {
  auto json = Json::object();
  for (const auto& [kind, n] : bag)
    json[std::string(kind.name())] = n >= kUnbounded ? Json("unbounded") : Json(n);
  return json;
}

template <class Bag>
std::string text_of(const Bag& bag) {
  std::string text;
  for (const auto& [kind, n] : bag) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(),
                        n >= kUnbounded ? "any" : std::to_string(n));
  }
  return text.empty() ? "-" : text;
}

Json declines_json(const FrameworkState& framework) {
  auto json = Json::object();
  for (int i = 0; i < kDeclineReasons; ++i) {
    const auto n = framework.offers_declined[static_cast<std::size_t>(i)];
    if (n > 0) json[std::string(to_string(static_cast<DeclineReason>(i)))] = n;
  }
  return json;
}

std::string declines_text(const FrameworkState& framework) {
  std::string text;
  const auto declines = declines_json(framework);
  for (const auto& [reason, n] : declines.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason, n.get<std::uint64_t>());
  }
  return text.empty() ? "-" : text;
}

Json to_json(const ClusterState& state) {
  Json json;
  json["catalog"] = state.catalog_endpoint;
  json["agents"] = Json::array();
  for (const auto& agent : state.agents) {
    json["agents"].push_back({{"id", to_hex(agent.id.value)},
                              {"name", agent.name},
                              {"rack", agent.rack},
                              {"data_endpoint", agent.data_endpoint},
                              {"reachable", agent.reachable},
                              {"total", json_of(agent.total)},
                              {"used", json_of(agent.used)},
                              {"offered", json_of(agent.offered)}});
  }
  json["pools"] = Json::array();
  for (const auto& pool : state.pools) {
    json["pools"].push_back({{"name", pool.name},
                             {"weight", static_cast<double>(pool.weight_milli) / 1000},
                             {"min_share", json_of(pool.min_share)},
                             {"used", json_of(pool.used)},
                             {"demand", json_of(pool.demand)},
                             {"fair", json_of(pool.fair)},
                             {"frameworks", pool.frameworks}});
  }
  json["frameworks"] = Json::array();
  for (const auto& framework : state.frameworks) {
    json["frameworks"].push_back({{"id", to_hex(framework.id.value)},
                                  {"name", framework.name},
                                  {"pool", framework.pool},
                                  {"user", framework.user},
                                  {"connected", framework.connected},
                                  {"used", json_of(framework.used)},
                                  {"offered", json_of(framework.offered)},
                                  {"demand", json_of(framework.demand)},
                                  {"fair", json_of(framework.fair)},
                                  {"offers",
                                   {{"sent", framework.offers_sent},
                                    {"accepted", framework.offers_accepted},
                                    {"rescinded", framework.offers_rescinded},
                                    {"expired", framework.offers_expired},
                                    {"declined", declines_json(framework)}}},
                                  {"tasks",
                                   {{"launched", framework.tasks_launched},
                                    {"finished", framework.tasks_finished},
                                    {"failed", framework.tasks_failed}}}});
  }
  return json;
}

void print_tables(const ClusterState& state) {
  Table agents({"AGENT", "RACK", "STATE", "SLOTS", "USED", "OFFERED"});
  for (const auto& agent : state.agents) {
    agents.add({agent.name, agent.rack, agent.reachable ? "up" : "silent", text_of(agent.total),
                text_of(agent.used), text_of(agent.offered)});
  }
  Table pools({"POOL", "WEIGHT", "FRAMEWORKS", "USED", "DEMAND", "FAIR"});
  for (const auto& pool : state.pools) {
    pools.add({pool.name.empty() ? "(root)" : pool.name,
               fmt::format("{:.1f}", static_cast<double>(pool.weight_milli) / 1000),
               std::to_string(pool.frameworks), text_of(pool.used), text_of(pool.demand),
               text_of(pool.fair)});
  }
  Table frameworks({"FRAMEWORK", "POOL", "STATE", "USED", "DEMAND", "OFFERS", "TASKS", "DECLINED"});
  for (const auto& framework : state.frameworks) {
    frameworks.add({framework.name, framework.pool.empty() ? "(root)" : framework.pool,
                    framework.connected ? "up" : "away", text_of(framework.used), text_of(framework.demand),
                    std::to_string(framework.offers_sent), std::to_string(framework.tasks_launched),
                    declines_text(framework)});
  }
  std::fputs((agents.text() + "\n" + pools.text() + "\n" + frameworks.text()).c_str(), stdout);
}

}  // namespace

int run_status(const StatusOptions& options) {
  live::Context context;
  const auto state = live::describe(context, options.where.allocator, std::chrono::seconds(5));
  if (!state) return report(state.error());
  if (options.format == Format::json) {
    std::puts(to_json(*state).dump(2).c_str());
  } else {
    print_tables(*state);
  }
  return kOk;
}

}  // namespace proffer::cli
