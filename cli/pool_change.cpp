#include "cli/pool_change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "proffer/formats/config.hpp"
#include "proffer/formats/config_keys.hpp"
#include "proffer/formats/rules.hpp"
#include "proffer/pool_path.hpp"

namespace proffer::cli {
namespace {

std::vector<std::string> list_of(const std::set<std::string>& names) { return {names.begin(), names.end()}; }

/// The way by which a key of [[pool]] that was read gets into the message.
struct Said {
  std::string_view key;
  void (*say)(const AllocatorPool& pool, ChangePool& change);
};
constexpr std::array kSaid{
    Said{"weight", [](const auto& pool, auto& change) { change.weight_milli = pool.share.weight_milli; }},
    Said{"order",
         [](const auto& pool, auto& change) {
           change.order = kPoolOrders.at(static_cast<std::size_t>(pool.share.order));
         }},
    Said{"max_running", [](const auto& pool, auto& change) { change.max_running = pool.share.max_running; }},
    Said{"max_running_per_user",
         [](const auto& pool, auto& change) {
           change.max_running_per_user = pool.share.max_running_per_user;
         }},
    Said{"min_share_timeout",
         [](const auto& pool, auto& change) {
           change.min_share_timeout = pool.share.min_share_timeout.value_or(Duration::zero());
         }},
    Said{"user_limit", [](const auto& pool, auto& change) { change.user_limit = pool.share.user_limit; }},
    Said{"racks", [](const auto& pool, auto& change) { change.racks = list_of(pool.racks); }},
    Said{"agents", [](const auto& pool, auto& change) { change.agents = list_of(pool.agents); }},
    Said{"private_agents",
         [](const auto& pool, auto& change) { change.private_agents = pool.private_agents; }},
    Said{"return_after", [](const auto& pool, auto& change) { change.return_after = pool.return_after; }},
};

Error bad_setting(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

/// Sets the kinds of a min share one by one, zeros included.
void say_min_share(const AllocatorPool& pool, const std::string& key, ChangePool& change) {
  if (key == "min_share") {
    change.min_share.insert(pool.share.min_share.begin(), pool.share.min_share.end());
    return;
  }
  const Kind kind(key.substr(4));
  change.min_share[kind] = pool.share.min_share[kind];
}

Result<> read_setting(const std::string& setting, ChangePool& change) {
  const auto equals = setting.find('=');
  const auto key = setting.substr(0, equals);
  if (equals == std::string::npos)
    return bad_setting(fmt::format("{}: write KEY=VALUE, as in weight=2", setting));
  AllocatorPool pool;
  if (auto read = set_pool(pool, key, setting.substr(equals + 1)); !read) {
    return bad_setting(setting + ": " + read.error().message);
  }
  const auto said = std::find_if(kSaid.begin(), kSaid.end(), [&](const Said& one) { return one.key == key; });
  if (said != kSaid.end()) {
    said->say(pool, change);
  } else if (key.starts_with("min_")) {
    say_min_share(pool, key, change);
  } else {
    return bad_setting(fmt::format("{} is set in the allocator's configuration file only", key));
  }
  return {};
}

}  // namespace

Result<std::string> pool_named(const std::string& text) {
  if (text == "root") return std::string();
  if (is_named_root(text)) return bad_setting(fmt::format("{}: a pool's name {}", text, kNotNamedRoot));
  if (formats::Pool::holds(text) && !text.empty()) return text;
  return bad_setting(
      fmt::format("\"{}\" is no name of a pool: write up to 8 names of [A-Za-z0-9_-] joined by dots", text));
}

Result<ChangePool> pool_change(const std::string& verb, const std::string& pool,
                               const std::vector<std::string>& settings) {
  auto name = pool_named(pool);
  if (!name) return name.error();
  if (name->empty() && verb == "create")
    return bad_setting("root is there always; see proffer pool set root");
  if (verb == "set" && settings.empty()) {
    return bad_setting(fmt::format("pool set {}: name a setting, as in weight=2", pool));
  }
  ChangePool change;
  change.verb = verb == "rm" ? "remove" : verb;
  change.pool = std::move(*name);
  std::set<std::string> keys;
  for (const auto& setting : settings) {
    if (auto read = read_setting(setting, change); !read) return read.error();
    const auto key = setting.substr(0, setting.find('='));
    if (!keys.insert(key).second) return bad_setting(fmt::format("{} is given twice", key));
  }
  return change;
}

std::string pool_settings_help() {
  auto keys = formats::names_of(formats::pool_keys());
  std::erase(keys, "name");
  std::erase(keys, "min_share");
  return fmt::format(
      "KEY=VALUE, as [[pool]] of the configuration file has them:\n"
      "{}, min_KIND (min_map=10: of its min share).\n"
      "racks=r1,r2 agents=a7 (both empty: every agent) min_share_timeout=20s (0: never)",
      fmt::join(keys, ", "));
}

}  // namespace proffer::cli
