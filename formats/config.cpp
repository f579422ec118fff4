#include "proffer/formats/config.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "proffer/formats/config_keys.hpp"
#include "proffer/formats/user_limits.hpp"
#include "proffer/pool_path.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer {
namespace {

using namespace formats;

constexpr std::string_view kSections[] = {"allocator", "pool", "user", "agent", "catalog", "client"};

/// Keys of [allocator] that count as soon as the file is read again.
constexpr std::string_view kReloaded[] = {"preemption", "fair_share_timeout", "fair_share_threshold",
                                          "preemption_deadline"};

/// Calls use(settings, keys) with the part of the configuration that a section is; false when there is none.
template <class SomeConfig, class Use>
bool with_section(SomeConfig& config, std::string_view section, const Use& use) {
  if (section == "allocator") return use(config.allocator, allocator_keys()), true;
  if (section == "agent") return use(config.agent, agent_keys()), true;
  if (section == "catalog") return use(config.catalog, catalog_keys()), true;
  if (section == "client") return use(config.client, client_keys()), true;
  return false;
}

/// Returns whether the table has a `name`; the root has one as well, the empty one.
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

Result<> read_users(const TomlNode& list, std::string_view file, std::vector<UserLimit>& users) {
  auto read = read_user_limits(list, "[[user]]", file);
  if (!read) return read.error();
  users = std::move(*read);
  return {};
}

Result<> read_section(const TomlKey& key, const TomlNode& node, std::string_view file, Config& config) {
  if (key.name == "pool") return read_pools(node, file, config.allocator.allocator.pools);
  if (key.name == "user") return read_users(node, file, config.allocator.allocator.users);
  Result<> read;
  const bool known = with_section(config, key.name, [&](auto& settings, auto keys) {
    read = read_settings(node, keys, fmt::format("[{}]", key.name), file, settings);
  });
  if (known) return read;
  return error_at(file, key.position,
                  unknown("section", key.name, {std::begin(kSections), std::end(kSections)}));
}

std::optional<TomlNode> number_in(std::string_view text) {
  const auto* end = text.data() + text.size();
  TomlNode node;
  node.type = TomlType::integer;
  if (const auto [rest, bad] = std::from_chars(text.data(), end, node.integer);
      bad != std::errc{} || rest != end) {
    node.type = TomlType::number;
  }
  const auto [rest, bad] = std::from_chars(text.data(), end, node.number);
  if (bad != std::errc{} || rest != end) return {};
  return node;
}

/// Reads a word without quotes, as a flag has it: as a text or a number, whichever the setting takes.
template <class SomeSetting, class S>
Complaint read_word(const SomeSetting& setting, std::string_view word, S& settings) {
  TomlNode node;
  node.type = TomlType::string;
  node.text = word;
  auto complaint = setting.read(node, settings);
  const auto number = number_in(word);
  if (!number || !complaint.ends_with("not a string")) return complaint;
  return setting.read(*number, settings);
}

std::string bracketed(std::string_view section) {
  const bool is_list = section == "pool" || section == "user";
  return is_list ? fmt::format("[[{}]]", section) : fmt::format("[{}]", section);
}

Result<> check_used(const TomlKey& key, std::string_view file, std::span<const std::string_view> sections) {
  if (sections.empty() || std::find(sections.begin(), sections.end(), key.name) != sections.end()) return {};
  std::string names;
  for (const auto section : sections) names += (names.empty() ? "" : ", ") + bracketed(section);
  return error_at(file, key.position,
                  fmt::format("{} is not used here, only {}", bracketed(key.name), names));
}

/// A contradiction that check_config found, and the key that is to blame most: one of [allocator], or of a
/// [[pool]].
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
  if (config.pools.size() > limits::kPools) {
    return Contradiction{"pool", fmt::format("there are {} pools, and can be at most {}", config.pools.size(),
                                             limits::kPools)};
  }
  if (auto found = find_contradiction(config.pools)) {
    return Contradiction{found->key, std::move(found->sentence), std::move(found->pool)};
  }
  if (auto refused = refuse_preemption(config.preemption, config.share_by); !refused.empty()) {
    return Contradiction{"fair_share_timeout", std::move(refused)};
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

/// Returns the position of the key; else of its section, else the beginning.
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

Result<Config> parse_config(std::string_view text, std::string_view file,
                            std::span<const std::string_view> sections) {
  const auto root = parse_toml(text, file);
  if (!root) return root.error();
  Config config;
  for (const auto& [key, node] : root->members) {
    if (auto read = read_section(key, node, file, config); !read) return read.error();
    if (auto used = check_used(key, file, sections); !used) return used.error();
  }
  if (const auto found = contradiction(config.allocator.allocator)) {
    return error_at(file, place_of(*root, *found), found->sentence);
  }
  return config;
}

Result<Config> read_config(const std::string& path, std::span<const std::string_view> sections) {
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_config(*text, path, sections);
}

Result<> set_config(Config& config, std::string_view section, std::string_view key, std::string_view text) {
  Complaint complaint;
  const bool known = with_section(config, section, [&](auto& settings, auto keys) {
    const auto* setting = find_setting(keys, key);
    complaint =
        setting == nullptr ? unknown("key", key, names_of(keys)) : read_word(*setting, text, settings);
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

namespace {

/// Reads min_KIND: the pool's min share of that kind alone.
Complaint read_min_share(Kind kind, std::string_view text, AllocatorPool& pool) {
  const auto node = number_in(text);
  if (!node || node->type != TomlType::integer || node->integer < 0 || node->integer > limits::kQuantity) {
    return fmt::format("must be a whole number of slots, up to {}; 0: none", limits::kQuantity);
  }
  pool.share.min_share.set(kind, node->integer);
  return {};
}

}  // namespace

Result<> set_pool(AllocatorPool& pool, std::string_view key, std::string_view text) {
  const auto wrong = [&](const Complaint& complaint) {
    return complaint.empty() ? Result<>() : Error{ErrorCode::invalid, fmt::format("{} {}", key, complaint)};
  };
  const auto* setting = key == "name" ? nullptr : find_setting(pool_keys(), key);
  if (key == "min_share_timeout" && text == "0") {
    pool.share.min_share_timeout.reset();
    return {};
  }
  if (setting != nullptr) return wrong(read_word(*setting, text, pool));
  if (key.starts_with("min_") && Kind::valid(key.substr(4))) {
    return wrong(read_min_share(Kind(key.substr(4)), text, pool));
  }
  auto known = names_of(pool_keys());
  std::erase(known, "name");
  known.insert(known.end(), {"min_map", "min_reduce"});
  return Error{ErrorCode::invalid, unknown("setting of a pool", key, known)};
}

std::vector<std::string> changed_keys(const AllocatorSettings& before, const AllocatorSettings& after) {
  std::vector<std::string> changed;
  for (const auto& setting : allocator_keys()) {
    const bool is_reloaded =
        std::find(std::begin(kReloaded), std::end(kReloaded), setting.name) != std::end(kReloaded);
    if (!is_reloaded && setting.print(before) != setting.print(after)) changed.emplace_back(setting.name);
  }
  return changed;
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
    if (name != "allocator") continue;
    text += print_pools(config.allocator.allocator.pools);
    text += print_user_limits(config.allocator.allocator.users);
  }
  return text;
}

}  // namespace proffer
