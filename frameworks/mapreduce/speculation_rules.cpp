// Rules by which settings of speculative execution are refused.
#include "proffer/frameworks/speculation.hpp"

namespace proffer {

Result<> check_speculation(const Speculation& rules) {
  if (rules.cap_milli < 1 || rules.cap_milli > 1000) {
    return Error{ErrorCode::invalid, "the part of maps that may be backups must be 0.001 to 1"};
  }
  if (rules.slowness_milli <= 1000) {
    return Error{ErrorCode::invalid, "slow is what takes longer than usual: the slowness must be above 1"};
  }
  if (rules.after < Duration::zero()) {
    return Error{ErrorCode::invalid, "the time after which a map may have a backup must not be below 0"};
  }
  return {};
}

}  // namespace proffer
