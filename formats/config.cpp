#include "proffer/formats/config.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "proffer/formats/config_keys.hpp"
#include "proffer/pool_path.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer {
namespace {

using namespace formats;

constexpr std::string_view kSections[] = {"allocator", "pool", "agent", "catalog", "client"};

/// Calls use(settings, keys) with the part of the configuration that a section is; false when there is none.
template <class SomeConfig, class Use>
bool with_section(SomeConfig& config, std::string_view section, const Use& use) {
  if (section == "allocator") return use(config.allocator, allocator_keys()), true;
  if (section == "agent") return use(config.agent, agent_keys()), true;
  if (section == "catalog") return use(config.catalog, catalog_keys()), true;
  if (section == "client") return use(config.client, client_keys()), true;
  return false;
}

/// The root's is empty.
bool has_name(const TomlNode& table) {
  return std::any_of(table.members.begin(), table.members.end(),
                     [](const auto& member) { return member.key.name == "name"; });
}

Result<AllocatorPool> read_pool(const TomlNode& table, std::string_view file) {
  AllocatorPool pool;
  if (auto read = read_settings(table, pool_keys(), "[[pool]]", file, pool); !read) return read.error();
  if (!has_name(table)) return error_at(file, table.position, "a [[pool]] needs a name");
  return pool;
}

Result<> read_pools(const TomlNode& list, std::string_view file, std::vector<AllocatorPool>& pools) {
  const bool is_list = list.type == TomlType::array;
  if (!is_list) return error_at(file, list.position, "write [[pool]], with two brackets, once for each pool");
  std::map<std::string, Position> seen;
  for (const auto& table : list.items) {
    auto pool = read_pool(table, file);
    if (!pool) return pool.error();
    const auto [first, is_new] = seen.try_emplace(pool->share.name, table.position);
    if (!is_new) {
      return error_at(
          file, table.position,
          fmt::format("the pool \"{}\" stands in line {} already", first->first, first->second.line));
    }
    pools.push_back(std::move(*pool));
  }
  return {};
}

Result<> read_section(const TomlKey& key, const TomlNode& node, std::string_view file, Config& config) {
  if (key.name == "pool") return read_pools(node, file, config.allocator.allocator.pools);
  Result<> read;
  const bool known = with_section(config, key.name, [&](auto& settings, auto keys) {
    read = read_settings(node, keys, fmt::format("[{}]", key.name), file, settings);
  });
  if (known) return read;
  return error_at(file, key.position,
                  unknown("section", key.name, {std::begin(kSections), std::end(kSections)}));
}

/// What check_config found, and the key that is to blame most: of [allocator], or of a [[pool]].
struct Contradiction {
  std::string_view key;
  std::string sentence;
  std::optional<std::string> pool = {};
};

bool has_pool(const AllocatorConfig& config, const std::string& name) {
  return name.empty() ||
         std::any_of(config.pools.begin(), config.pools.end(),
                     [&](const AllocatorPool& pool) { return lies_in(pool.share.name, name); });
}

std::optional<Contradiction> contradiction(const AllocatorConfig& config) {
  struct Step {
    std::string_view name;
    Duration value;
  };
  const Step steps[] = {{"heartbeat", config.heartbeat},
                        {"suspect_after", config.suspect_after},
                        {"disconnected_after", config.disconnected_after},
                        {"unreachable_after", config.unreachable_after}};
  for (std::size_t i = 1; i < std::size(steps); ++i) {
    if (steps[i - 1].value < steps[i].value) continue;
    return Contradiction{steps[i].name, fmt::format("{} ({}) must be longer than {} ({})", steps[i].name,
                                                    format_duration(steps[i].value), steps[i - 1].name,
                                                    format_duration(steps[i - 1].value))};
  }
  if (!has_pool(config, config.default_pool)) {
    return Contradiction{"default_pool", fmt::format("default_pool \"{}\" is not the name of a [[pool]]",
                                                     config.default_pool)};
  }
  if (auto found = find_contradiction(config.pools)) {
    return Contradiction{found->key, std::move(found->sentence), std::move(found->pool)};
  }
  return {};
}

std::optional<Position> place_in(const TomlNode& table, std::string_view key) {
  for (const auto& [name, value] : table.members) {
    if (name.name == key) return value.position;
  }
  return {};
}

bool is_pool(const TomlNode& table, const std::string& name) {
  return std::any_of(table.members.begin(), table.members.end(), [&](const auto& member) {
    return member.key.name == "name" && member.node.text == name;
  });
}

/// Where the key stands; else its section, else the beginning.
Position place_of(const TomlNode& root, const Contradiction& found) {
  for (const auto& [section, node] : root.members) {
    if (!found.pool && section.name == "allocator") {
      return place_in(node, found.key).value_or(section.position);
    }
    if (!found.pool || section.name != "pool") continue;
    for (const auto& table : node.items) {
      if (is_pool(table, *found.pool)) return place_in(table, found.key).value_or(table.position);
    }
  }
  return {1, 1};
}

}  // namespace

Config::Config() { agent.agent.slots = {{Kind("map"), 2}, {Kind("reduce"), 1}}; }

Result<Config> parse_config(std::string_view text, std::string_view file) {
  const auto root = parse_toml(text, file);
  if (!root) return root.error();
  Config config;
  for (const auto& [key, node] : root->members) {
    if (auto read = read_section(key, node, file, config); !read) return read.error();
  }
  if (const auto found = contradiction(config.allocator.allocator)) {
    return error_at(file, place_of(*root, *found), found->sentence);
  }
  return config;
}

Result<Config> read_config(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_config(*text, path);
}

Result<> set_config(Config& config, std::string_view section, std::string_view key, std::string_view text) {
  TomlNode node;
  node.type = TomlType::string;
  node.text = text;
  Complaint complaint;
  const bool known = with_section(config, section, [&](auto& settings, auto keys) {
    const auto* setting = find_setting(keys, key);
    complaint = setting == nullptr ? unknown("key", key, names_of(keys)) : setting->read(node, settings);
    if (setting != nullptr && !complaint.empty()) complaint = fmt::format("{} {}", key, complaint);
  });
  if (!known) complaint = unknown("section", section, {std::begin(kSections), std::end(kSections)});
  if (complaint.empty()) return {};
  return Error{ErrorCode::invalid, complaint};
}

Result<> check_config(const Config& config) {
  if (auto found = contradiction(config.allocator.allocator))
    return Error{ErrorCode::invalid, found->sentence};
  return {};
}

std::string print_pools(const std::vector<AllocatorPool>& pools) {
  std::string text;
  for (const auto& pool : pools) text += "\n[[pool]]\n" + print_settings(pool, pool_keys());
  return text;
}

std::string print_config(const Config& config, std::string_view section) {
  std::string text;
  for (const auto name : kSections) {
    if (!section.empty() && name != section) continue;
    with_section(config, name, [&](const auto& settings, auto keys) {
      text += fmt::format("{}[{}]\n{}", text.empty() ? "" : "\n", name, print_settings(settings, keys));
    });
    if (name == "allocator") text += print_pools(config.allocator.allocator.pools);
  }
  return text;
}

}  // namespace proffer
