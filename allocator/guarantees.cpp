#include "allocator/guarantees.hpp"

namespace proffer::allocator {
namespace {

std::string sentence(const ShareTree::Warning& warning) {
  const auto promised =
      std::to_string(warning.promised) + " slots of kind " + std::string(warning.kind.name());
  const auto share = std::to_string(warning.share);
  if (warning.pool.empty()) {
    return "pools are promised " + promised + " and the cluster has " + share +
           ": each gets its part of them";
  }
  return "the pools in '" + warning.pool + "' are promised " + promised + ", and it gets " + share +
         " when all want more: each gets its part of them";
}

}  // namespace

void warn_of_broken_guarantees(const Turn& turn) {
  auto& state = turn.state;
  for (const auto& warning : state.shares.tree().warnings()) {
    if (!state.warned_of.insert({warning.pool, warning.kind}).second) continue;
    turn.trace(MessageRefused{"min_share", ErrorCode::invalid, sentence(warning)});
  }
}

}  // namespace proffer::allocator
