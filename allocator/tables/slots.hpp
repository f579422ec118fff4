// The slots of one kind on one agent; the free ones are grouped into lots.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "allocator/tables/indices.hpp"
#include "proffer/resources.hpp"

namespace proffer::allocator {

/// Free slots with one history. `round`: when their present round began; a framework that declined them since
/// has had them in it. `fresh`: they became free in the present step, so no pass has looked at them yet.
struct Lot {
  std::int64_t units = 0;
  Stamp round = 0;
  bool fresh = false;
};
using Lots = boost::container::small_vector<Lot, 2>;

inline std::int64_t units_of(const Lots& lots) {
  std::int64_t units = 0;
  for (const auto& lot : lots) units += lot.units;
  return units;
}

/// Invariant: free + offered + used = total, where free are the lots. After an agent came back with fewer
/// slots than its tasks take, used > total, and nothing is free or offered.
struct Slots {
  Kind kind;
  std::int64_t total = 0;
  std::int64_t used = 0;
  std::int64_t offered = 0;
  bool closed = false;  ///< until the agent's next report, see slot_reports.hpp
  Lots free;
};

/// Takes `units` from the front of `lots`. Aborts when there are not as many.
Lots split_off(Lots& lots, std::int64_t units);
/// Adds a lot, joined to one of the same history.
void join(Lots& lots, Lot lot);
/// Adds a lot of a bulk kind: all that is free is one lot, as new as its newest part.
void join_whole(Lots& lots, Lot lot);

}  // namespace proffer::allocator
