// Figures put into words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/study/why.hpp"
#include "proffer/time.hpp"

namespace proffer::study::why {

/// "next free in about 0.8 s", or "free any moment" for what is overdue.
std::string next_free(Duration left);
/// Returns the digits of an id that tell a framework from another of its name.
std::string short_id(FrameworkId id);
/// "1 map slot", "3 map slots"
std::string count(std::int64_t n, std::string_view thing);
/// "1st", "2nd", "11th"
std::string ordinal(std::size_t n);
/// "72", or "as many as there are".
std::string demand_text(std::int64_t units);

}  // namespace proffer::study::why
