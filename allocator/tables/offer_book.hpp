// Outstanding offers. Invariant: an offer leaves the book once, by one of four verbs, and takes its slots
// along; so each offered unit is in exactly one live offer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "allocator/tables/indices.hpp"
#include "allocator/tables/slots.hpp"
#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

struct OfferRecord {
  OfferId id;
  FrameworkIndex framework;
  AgentIndex agent;
  Kind kind;
  Lots lots;
  Resources riding = {};  ///< the bulk resources that ride along with these cpus
  bool idle = false;
  Time made;

  std::int64_t units() const { return units_of(lots); }
  Resources resources() const {
    auto all = riding;
    all.add(kind, units());
    return all;
  }
};

class OfferBook {
 public:
  OfferBook(Epoch epoch, Duration timeout) : epoch_(epoch.value), timeout_(timeout) {}

  /// Numbers an offer and puts it into the book. `made` must not go back from offer to offer.
  const OfferRecord& issue(OfferRecord offer);
  /// Ends an offer that its framework answered. Aborts when it is not outstanding, as do the next two.
  OfferRecord consume(OfferId id) { return remove(id); }
  /// Ends an offer that the allocator wants back.
  OfferRecord rescind(OfferId id) { return remove(id); }
  /// Ends an offer that nobody can answer: its framework has no session any more.
  OfferRecord void_(OfferId id) { return remove(id); }
  /// Ends the oldest offer, if its time is over.
  std::optional<OfferRecord> expire(Time now);

  const OfferRecord* find(OfferId id) const;
  OfferId id_of(std::uint64_t n) const { return {epoch_, n}; }
  std::optional<Time> next_expiry() const;
  /// Returns all offers by number, which is also by age.
  const std::map<std::uint64_t, OfferRecord>& all() const { return offers_; }

 private:
  OfferRecord remove(OfferId id);

  std::uint64_t epoch_;
  Duration timeout_;
  std::uint64_t newest_ = 0;
  std::map<std::uint64_t, OfferRecord> offers_;
};

}  // namespace proffer::allocator
