// The keys of each section of a configuration file, in the order in which they are printed.
#pragma once

#include <span>

#include "proffer/formats/config.hpp"
#include "proffer/formats/settings.hpp"

namespace proffer::formats {

std::span<const Setting<AllocatorSettings>> allocator_keys();
std::span<const Setting<AllocatorPool>> pool_keys();
/// The keys of a pool of jobs within a framework: those of pool_keys() that do not concern agents.
std::span<const Setting<PoolSpec>> job_pool_keys();
std::span<const Setting<AgentSettings>> agent_keys();
std::span<const Setting<CatalogSettings>> catalog_keys();
std::span<const Setting<ClientSettings>> client_keys();

}  // namespace proffer::formats
