// Where the framework stands, kind by kind, as the newest OFFERS said.
#pragma once

#include <map>
#include <span>

#include "proffer/messages/framework.hpp"

namespace proffer {

class Standings {
 public:
  void update(std::span<const Standing> standings) {
    for (const auto& standing : standings) by_kind_[standing.kind] = standing;
  }
  /// All zero and false for a kind that nobody spoke of.
  const Standing& operator[](Kind kind) const {
    static const Standing kNone;
    const auto at = by_kind_.find(kind);
    return at == by_kind_.end() ? kNone : at->second;
  }

 private:
  std::map<Kind, Standing> by_kind_;
};

/// Why a job passes a slot on that it would take only at `allowed`.
inline DeclineReason waits_for(Locality allowed) {
  return allowed == Locality::node ? DeclineReason::no_node_local : DeclineReason::no_rack_local;
}

}  // namespace proffer
