// The command `proffer policy`: shows the known policies, and makes new ones.
#include "cli/policy.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/output.hpp"
#include "cli/plugins.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/frameworks/policy_registry.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;

JsonNode node_of(const PolicyInfo& policy) {
  std::vector<JsonNode> settings;
  for (const auto& setting : policy.settings) {
    settings.push_back(
        JsonNode::object({{"name", setting.name},
                          {"default", setting.fallback.empty() ? JsonNode() : JsonNode(setting.fallback)},
                          {"wants", setting.wants}}));
  }
  return JsonNode::object({{"name", policy.name},
                           {"about", policy.about},
                           {"plugin", policy.origin.empty() ? JsonNode() : JsonNode(policy.origin)},
                           {"settings", JsonNode::array(std::move(settings))}});
}

void print(const JsonNode& node) { fmt::print("{}\n", formats::dump_json(node)); }

std::string settings_text(const PolicyInfo& policy) {
  std::vector<std::string_view> names;
  for (const auto& setting : policy.settings) names.push_back(setting.name);
  return names.empty() ? "-" : join_names(names);
}

int list(const PolicyOptions& options) {
  std::vector<JsonNode> nodes;
  Table table({"POLICY", "SETTINGS", "WHAT IT DOES"});
  for (const auto& name : policy_registry().names()) {
    const auto policy = policy_registry().describe(name).value();
    nodes.push_back(node_of(policy));
    table.add({policy.name, settings_text(policy), policy.about});
  }
  if (options.json) {
    print(JsonNode::array(std::move(nodes)));
  } else {
    std::fputs(table.text().c_str(), stdout);
  }
  return kOk;
}

int show(const PolicyOptions& options) {
  const auto& name = options.names.at(0);
  if (const auto comma = name.find(','); comma != std::string::npos) {
    const auto alone = name.substr(0, comma);
    return usage_error(
        fmt::format("policy show takes a name without settings: proffer policy show {}", alone));
  }
  const auto policy = policy_registry().describe(name);
  if (!policy) return report(policy.error());
  if (options.json) {
    print(node_of(*policy));
    return kOk;
  }
  fmt::print("{}: {}\nfrom: {}\n", policy->name, policy->about,
             policy->origin.empty() ? "proffer itself" : policy->origin);
  if (policy->settings.empty()) return kOk;
  Table table({"SETTING", "DEFAULT", "VALUE"});
  for (const auto& setting : policy->settings) {
    table.add({setting.name, setting.fallback.empty() ? "(must be given)" : setting.fallback, setting.wants});
  }
  fmt::print("\n{}", table.text());
  return kOk;
}

int make_new(const PolicyOptions& options) {
  const auto& name = options.names.at(0);
  const auto folder = options.dir.empty() ? name : options.dir;
  if (auto written = write_policy_folder(name, folder); !written) return report(written.error());
  fmt::print(
      "The folder {0} is made. To build the policy and compare it with others:\n"
      "  cd {0} && cmake -B build && cmake --build build\n"
      "  proffer experiment run experiment.toml\n",
      folder);
  return kOk;
}

}  // namespace

int run_policy(const PolicyOptions& options) {
  if (auto loaded = load_plugins(options.plugins); !loaded) return report(loaded.error());
  if (options.verb == "list") return list(options);
  if (options.verb == "show") return show(options);
  return options.verb == "new" ? make_new(options) : bench_policies(options);
}

}  // namespace proffer::cli
