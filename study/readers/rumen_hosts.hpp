// Hosts and racks as Rumen names them.
#pragma once

#include <string>
#include <string_view>

#include "proffer/formats/json_tree.hpp"
#include "proffer/result.hpp"
#include "study/readers/assembly.hpp"

namespace proffer::study {

/// Returns a name without the backslashes that Rumen puts before every dot.
std::string plain_name(std::string_view name);

struct RumenHost {
  std::string rack;  ///< the path above the host, without the root
  std::string name;
};
/// Returns the host of a location: {"layers": [rack, host]}, or with more layers above the rack.
Result<RumenHost> host_at(std::string_view file, const formats::JsonNode& location);

/// Adds every host of a topology: {"name", "children"}. Hosts have no children, and may stand at any depth
/// but right below the root. A host's rack is the path above it, "dc1/rack7": two racks of one data centre
/// are as far from each other as any two.
Result<> add_topology(Assembly& assembly, std::string_view text, std::string_view file);

}  // namespace proffer::study
