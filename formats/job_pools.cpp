#include "proffer/formats/job_pools.hpp"

#include <fmt/format.h>

#include <array>

#include "proffer/formats/config_keys.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/frameworks/task_pool.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer::formats {
namespace {

/// Returns the position of a key of a table; else of the table.
Position place_of(const TomlNode& table, std::string_view key) {
  for (const auto& [name, value] : table.members) {
    if (name.name == key) return value.position;
  }
  return table.position;
}

}  // namespace

Result<std::vector<PoolSpec>> read_job_pools(const TomlNode& list, std::string_view section,
                                             std::string_view file, PoolOrder root) {
  std::vector<PoolSpec> pools;
  for (const auto& table : list.items) {
    PoolSpec pool;
    if (auto read = read_settings(table, job_pool_keys(), section, file, pool); !read) return read.error();
    if (pool.name.empty()) return error_at(file, table.position, fmt::format("{} needs a name", section));
    pools.push_back(std::move(pool));
    if (auto checked = check_pools(pools); !checked) {
      return error_at(file, table.position, checked.error().message);
    }
  }
  const MapReduceConfig usual;
  const std::array kinds{usual.map_kind, usual.reduce_kind};
  const auto found = find_contradiction(pools, root, kinds);
  if (!found) return pools;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (pools[i].name == found->pool) {
      return error_at(file, place_of(list.items[i], found->key), found->sentence);
    }
  }
  return error_at(file, list.position, found->sentence);
}

}  // namespace proffer::formats
