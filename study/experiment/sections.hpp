// The parts of an experiment's file.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace proffer::study {

/// The sections that cells may change: the scenario that is run ...
inline constexpr std::array<std::string_view, 10> kSections{"cluster",     "cost",  "store",     "allocator",
                                                            "pool",        "user",  "framework", "workload",
                                                            "replication", "faults"};
inline constexpr std::array<std::string_view, 3> kPlainSettings{"horizon", "warm_up", "drain"};
/// ... and what is the same for all of them.
inline constexpr std::array<std::string_view, 14> kOverall{
    "schema", "name",    "title", "include", "mode",  "time_scale", "machines",
    "seeds",  "plugins", "sweep", "cell",    "check", "paper",      "report"};

inline bool is_section(std::string_view name) {
  return std::find(kSections.begin(), kSections.end(), name) != kSections.end();
}
inline bool is_plain_setting(std::string_view name) {
  return std::find(kPlainSettings.begin(), kPlainSettings.end(), name) != kPlainSettings.end();
}
inline std::vector<std::string_view> section_names() { return {kSections.begin(), kSections.end()}; }
/// All keys at the top of a file.
inline std::vector<std::string_view> top_names() {
  auto names = section_names();
  names.insert(names.end(), kPlainSettings.begin(), kPlainSettings.end());
  names.insert(names.end(), kOverall.begin(), kOverall.end());
  return names;
}

}  // namespace proffer::study
