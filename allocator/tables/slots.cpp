#include "allocator/tables/slots.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::allocator {

Lots split_off(Lots& lots, std::int64_t units) {
  Lots taken;
  while (units > 0) {
    PROFFER_CHECK(!lots.empty(), "more slots are taken than there are");
    auto& first = lots.front();
    auto part = first;
    part.units = std::min(units, first.units);
    first.units -= part.units;
    units -= part.units;
    taken.push_back(part);
    if (first.units == 0) lots.erase(lots.begin());
  }
  return taken;
}

void join(Lots& lots, Lot lot) {
  if (lot.units == 0) return;
  for (auto& known : lots) {
    if (known.round != lot.round || known.fresh != lot.fresh) continue;
    known.units += lot.units;
    return;
  }
  lots.push_back(lot);
}

void join_whole(Lots& lots, Lot lot) {
  if (lot.units == 0) return;
  for (const auto& known : lots) {
    lot.units += known.units;
    lot.round = std::max(lot.round, known.round);
    lot.fresh = lot.fresh || known.fresh;
  }
  lots.assign(1, lot);
}

}  // namespace proffer::allocator
