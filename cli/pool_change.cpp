#include "cli/pool_change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "proffer/formats/config.hpp"
#include "proffer/formats/config_keys.hpp"
#include "proffer/formats/rules.hpp"
#include "proffer/pool_list.hpp"
#include "proffer/pool_path.hpp"

namespace proffer::cli {
namespace {

Error bad_setting(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

/// Adds the kind that a key min_KIND names, a min share of 0 as well.
void add_min_share(const AllocatorPool& pool, const std::string& key, ChangePool& change) {
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
  if (!add_setting(key, pool, change)) add_min_share(pool, key, change);
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
