// Durations as seconds, the unit of rows and measures.
#pragma once

#include "proffer/time.hpp"

namespace proffer::study {

inline double to_seconds(Duration duration) { return static_cast<double>(duration.count()) * 1e-6; }

}  // namespace proffer::study
