// The processes that chaos kills and pauses, by role.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace proffer::live {

enum class Role : std::uint8_t { allocator, catalog, agent, launcher, framework };
inline constexpr std::array<const char*, 5> kRoles{"allocator", "catalog", "agent", "launcher", "framework"};

/// Returns the launcher of the agent that works in a folder; none while there is none.
std::vector<pid_t> launchers_of(const std::string& work_dir);
/// Returns the processes whose environment or command line names a folder, apart from this one.
std::vector<pid_t> processes_naming(const std::string& folder);

}  // namespace proffer::live
