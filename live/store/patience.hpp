// Asking again, for a while, what cannot be answered yet.
#pragma once

#include <optional>
#include <string>

#include "proffer/live/store_client.hpp"
#include "proffer/session/resend.hpp"

namespace proffer::live {

class Patience {
 public:
  explicit Patience(const CatalogPatience& how) : how_(how), end_(steady_now() + how.at_most) {}

  /// Returns true after a pause, which is longer each time; false when it is over, or a stop was requested.
  bool again(const std::string& why);

 private:
  const CatalogPatience& how_;
  Time end_;
  std::optional<session::Resend> pause_;  ///< none: there was no pause yet
  bool announced_ = false;
};

}  // namespace proffer::live
