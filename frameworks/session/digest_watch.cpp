#include "frameworks/session/digest_watch.hpp"

#include <algorithm>

namespace proffer::frameworks {

bool DigestWatch::differs(const TaskDigest& ours, const TaskDigest& theirs, Time now) {
  if (ours == theirs) {
    differing_ = 0;
    pause_ = kFirstPause;
    return false;
  }
  if (++differing_ < kInARow || now < not_before_) return false;
  differing_ = 0;
  not_before_ = now + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
  return true;
}

void DigestWatch::reset() { *this = {}; }

}  // namespace proffer::frameworks
