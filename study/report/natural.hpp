// The order in which people count: node2 before node10.
#pragma once

#include <string_view>

namespace proffer::study::reporting {

/// A total order: runs of digits compare as numbers, the rest as bytes.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace proffer::study::reporting
