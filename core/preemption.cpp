#include "proffer/preemption.hpp"

namespace proffer {

std::string refuse_preemption(const PreemptionConfig& preemption, ShareBy by) {
  if (by != ShareBy::dominant || !preemption.fair_share_timeout) return {};
  return "fair_share_timeout does not go with share_by \"dominant\": fair shares are of each kind by itself, "
         "so slots would be taken from pools that get them back; leave one of the two out";
}

}  // namespace proffer
