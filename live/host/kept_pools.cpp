#include "live/host/kept_pools.hpp"

#include <filesystem>
#include <utility>

#include "live/os/replace_file.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr const char* kHead =
    "# The pools as proffer pool set, create and rm left them. They count instead of those of the\n"
    "# configuration file until proffer pool reload reads that again, which removes this file.\n";

/// Returns `config` without the kept pools, and logs why. A change of pools must not keep an allocator from
/// starting: a setting may be of no use beside others of the configuration file that it was not kept with.
AllocatorConfig without(AllocatorConfig config, const std::string& why) {
  log::warn("the pools are those of the configuration file, not as an operator left them: " + why);
  return config;
}

}  // namespace

Result<AllocatorConfig> KeptPools::start(AllocatorConfig config) const {
  std::error_code failed;
  if (kept_.empty() || !std::filesystem::exists(kept_, failed)) return config;
  auto kept = read_config(kept_);
  if (!kept && kept.error().code != ErrorCode::invalid) return kept.error();
  if (!kept) return without(config, kept.error().message);
  Config whole;
  whole.allocator.allocator = config;
  whole.allocator.allocator.pools = std::move(kept->allocator.allocator.pools);
  if (auto sound = check_config(whole); !sound) {
    return without(config, kept_ + ": " + sound.error().message);
  }
  log::info("the pools are those of " + kept_ + ", as an operator left them");
  return whole.allocator.allocator;
}

Result<AllocatorSettings> KeptPools::configured() const {
  if (configured_.empty()) {
    return Error{ErrorCode::not_found,
                 "the allocator was started without --config: there is no file to read"};
  }
  auto config = read_config(configured_);
  if (!config) return config.error();
  return std::move(config->allocator);
}

Result<> KeptPools::keep(const std::vector<AllocatorPool>& pools) const {
  return kept_.empty() ? Result<>() : replace_file_durably(kept_, kHead + print_pools(pools));
}

Result<> KeptPools::forget() const { return kept_.empty() ? Result<>() : remove_file_durably(kept_); }

}  // namespace proffer::live
