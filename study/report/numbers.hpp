// Numbers as tables and captions write them.
#pragma once

#include <string>

#include "proffer/study/statistics.hpp"

namespace proffer::study::reporting {

/// The ends of the 95% interval; of a single value both are that value.
double low(const Estimate& estimate);
double high(const Estimate& estimate);

/// Six significant digits, for programs.
std::string number_text(double value);
/// Four of them, for people.
std::string short_text(double value);
/// "0.951 ± 0.003": as many digits as the interval makes meaningful.
std::string estimate_text(const Estimate& estimate);

}  // namespace proffer::study::reporting
