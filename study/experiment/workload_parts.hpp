// The tables within a [[workload]].
#pragma once

#include <string_view>

#include "study/experiment/scenario.hpp"

namespace proffer::study {

Result<> read_arrivals(const TomlNode& node, std::string_view file, WorkloadSection& workload);
Result<> read_bins(const TomlNode& list, std::string_view file, WorkloadSection& workload);

}  // namespace proffer::study
