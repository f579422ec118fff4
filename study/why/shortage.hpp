// Since when a framework or a pool runs less than it is entitled to, and by whose choice (SEMANTICS §12,
// deficit): its own while it refuses slots of the kind, imposed else.
#pragma once

#include <map>
#include <optional>

#include "study/why/scene.hpp"

namespace proffer::study::why {

struct Deficit {
  std::optional<Time> since;  // short all the time since then
  double own = 0;             // slot-seconds, over the whole log
  double imposed = 0;
};

/// What a framework runs, wants and is entitled to; or all frameworks of a pool together.
struct Standing {
  std::int64_t running = 0;
  std::int64_t offered = 0;
  std::int64_t demand = 0;  // kUnbounded: as much as there is
  std::int64_t fair = 0;
  std::int64_t guaranteed = 0;
  bool refuses = false;

  std::int64_t owed() const { return std::min(fair, demand); }
};
Standing standing_of(const Scene& scene, const FrameworkScene& framework, Kind kind);
/// `pool`: dotted; "" is the root.
Standing standing_of_pool(const Scene& scene, const std::string& pool, Kind kind);
/// The framework is in that pool or below it.
bool is_in(const FrameworkScene& framework, const std::string& pool);

class Shortage {
 public:
  /// Whom to watch from now on: a framework, or (`is_pool`) a pool. What was counted of another is forgotten.
  void watch(std::string name, bool is_pool) {
    if (name_ == name) return;
    name_ = std::move(name);
    is_pool_ = is_pool;
    deficits_.clear();
  }
  /// Before each line: things were as they are from the last call until `now`.
  void until(const Scene& scene, Time now);
  Deficit of(Kind kind) const;

 private:
  std::optional<std::string> name_;
  bool is_pool_ = false;
  std::optional<Time> last_;
  std::map<Kind, Deficit> deficits_;
};

}  // namespace proffer::study::why
