// A field of our CSV files.
#pragma once

#include <string>
#include <string_view>

namespace proffer::study {

/// Returns the text as a field of a CSV file, in quotes where it must be (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace proffer::study
