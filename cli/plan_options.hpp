// The options of `proffer plan`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proffer::cli {

struct PlanOptions {
  std::string allocator;  // ask it for what is not given; empty: none
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> slots;  // of a node
  std::string kind = "map";           // of those slots
  std::int64_t replicas = 3;
  std::int64_t tasks = 20;
  std::string task_time = "10s";
  std::optional<double> rate;         // slots that come free in a second, as measured; none: S/T
  std::optional<std::int64_t> share;  // F
  std::optional<double> long_part;    // phi
  // Only one of these may be given:
  std::optional<double> locality;
  std::string wait;
  std::optional<double> skips;
  bool json = false;
};

}  // namespace proffer::cli
