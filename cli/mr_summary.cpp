#include "cli/mr_summary.hpp"

#include <fmt/format.h>

#include <numeric>

namespace proffer::cli {
std::string counters_text(const JobReport& report) {
  std::string text;
  std::string group;
  for (const auto& counter : hadoop_counters(report.counters)) {
    if (counter.group != group) text += counter.group + "\n";
    group = counter.group;
    text += fmt::format("    {}={}\n", counter.name, counter.value);
  }
  return text;
}

std::string offers_text(const OfferTotals& totals) {
  const auto declined = std::accumulate(totals.declined.begin(), totals.declined.end(), std::uint64_t{0});
  std::string reasons;
  for (std::size_t i = 0; i < totals.declined.size(); ++i) {
    if (totals.declined[i] == 0) continue;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", to_string(static_cast<DeclineReason>(i)),
                           totals.declined[i]);
  }
  return fmt::format("Offers received={}, accepted={}, declined={}{}", totals.received, totals.accepted,
                     declined, reasons.empty() ? "" : " (" + reasons + ")");
}

}  // namespace proffer::cli
