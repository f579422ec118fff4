// A field of our CSV files.
#pragma once

#include <string>
#include <string_view>

namespace proffer::study {

/// In quotes where it must be (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace proffer::study
