#include "proffer/session/own_time.hpp"

namespace proffer::session {

Time OwnTime::at(Time now, std::optional<Time> due, Duration tolerance) {
  const auto own = now - slept_;
  if (!due || tolerance <= Duration::zero() || own - *due <= tolerance) return own;
  slept_ += own - *due;
  return *due;
}

}  // namespace proffer::session
