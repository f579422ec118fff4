// The framework of drivers in the allocator's process: a framework as any other, in a thread of its own, that
// speaks with the allocator through its address.
#pragma once

#include <optional>
#include <string>
#include <thread>

#include "proffer/live/port.hpp"
#include "proffer/live/stop.hpp"

namespace proffer::live {

class DriversHost {
 public:
  /// Starts it. `allocator`: the address at which the allocator of this process is about to serve frameworks;
  /// `folder`: where it keeps its jobs; empty: nowhere, they are gone with this process.
  DriversHost(Context& context, std::string allocator, std::string folder);
  ~DriversHost();  ///< ends it; its drivers run on
  DriversHost(const DriversHost&) = delete;
  DriversHost& operator=(const DriversHost&) = delete;

 private:
  void run(const std::string& folder);
  /// Serves until it is stopped, which is no error, or cannot go on.
  std::optional<Error> drive(const std::string& folder);

  Context& context_;
  std::string allocator_;
  Stop stop_;
  std::thread thread_;
};

}  // namespace proffer::live
