// The tables within a [[workload]].
#pragma once

#include <string_view>

#include "study/experiment/scenario.hpp"

namespace proffer::study {

Result<> read_arrivals(const TomlNode& node, std::string_view file, WorkloadSection& workload);
/// Stages of a bin, each with the sizes that `spec` gives to blocks.
Result<> read_stages(const TomlNode& list, std::string_view file, const GenerateSpec& spec, Bin& bin);
Result<> read_bins(const TomlNode& list, std::string_view file, WorkloadSection& workload);

}  // namespace proffer::study
