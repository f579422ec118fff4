// The shortage: since when a framework or a pool runs less than it is entitled to, and by whose choice: as
// the measures deficit_declined and deficit_imposed have it (study/measures/deficit.hpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "study/measures/deficit.hpp"
#include "study/why/scene.hpp"

namespace proffer::study::why {

struct Missed {
  std::optional<Time> since;  // short all the time since then
  Deficit so_far;             // slot-seconds, over the whole log
};

/// The standing of a framework, or of all frameworks of a pool together: what it runs, wants and is entitled
/// to.
struct Standing {
  std::int64_t running = 0;
  std::int64_t offered = 0;
  std::int64_t demand = 0;  // kUnbounded: as much as there is
  std::int64_t fair = 0;
  std::int64_t guaranteed = 0;
  Deficit lacks;  // slots

  std::int64_t owed() const { return std::min(fair, demand); }
};
Standing standing_of(const Scene& scene, const FrameworkScene& framework, Kind kind);
/// `pool`: dotted; "" is the root.
Standing standing_of_pool(const Scene& scene, const std::string& pool, Kind kind);
/// Returns whether a framework is in that pool or below it.
bool is_in(const FrameworkScene& framework, const std::string& pool);
/// Returns whether a framework's newest answer for slots of the kind was a decline by its own choice, and it
/// wants more.
bool declines(const Scene& scene, const FrameworkScene& framework, Kind kind);

class Shortage {
 public:
  /// Watches the frameworks of that name, or (`is_pool`) a pool, from now on. What was counted of others is
  /// forgotten.
  void watch(std::string name, bool is_pool);
  /// Counts the time from the last call until `now`, with things as they are: to be called before each line.
  void until(const Scene& scene, Time now);
  Missed of(FrameworkNo framework, Kind kind) const { return of(std::optional(framework), kind); }
  Missed of_pool(Kind kind) const { return of(std::nullopt, kind); }

 private:
  using Key = std::pair<std::optional<FrameworkNo>, Kind>;  // none: the pool
  void count(Key key, const Standing& standing, Time from, Time now);
  Missed of(std::optional<FrameworkNo> framework, Kind kind) const;

  std::optional<std::string> name_;
  bool is_pool_ = false;
  std::optional<Time> last_;
  std::map<Key, Missed> missed_;
};

}  // namespace proffer::study::why
