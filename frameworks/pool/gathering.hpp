// Offers that a framework keeps until there are slots for all tasks of a rigid job at once.
//
// Two phases: slots are gathered, then the job takes all of them or none. A gathering ends after a bounded
// time, and its job pauses before the next one: two frameworks that each hold what the other lacks both let
// go, and do not come back together. Without that end they would wait for each other for ever (Hindman et
// al., Mesos, NSDI 2011, §4.4).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"
#include "proffer/trace.hpp"

namespace proffer::frameworks {

/// A rigid job that could begin, if it had so many slots.
struct RigidWish {
  JobId job;
  Kind kind;
  std::int64_t slots = 0;  ///< above 0
  Resources need = {};     ///< what each of its tasks takes
};

class Gathering {
 public:
  /// Slots are gathered for `patience` at most, from the first one on. Must be above 0.
  explicit Gathering(Duration patience);

  /// Returns whether the job pauses after a gathering in vain.
  bool pauses(JobId job, Time now) const;
  /// The wish for which slots are held; none before the first is.
  std::optional<RigidWish> under_way() const;
  /// Gathers for that wish from now on. Returns what was held for another job; none: for nobody.
  std::vector<Offer> gather(const std::optional<RigidWish>& wish);
  /// Keeps an offer, if its slots are still wanted; returns whether it does.
  bool keep(const Offer& offer, Time now);
  /// Returns whether there are slots for all tasks.
  bool complete() const;
  /// Ends a gathering that is complete: returns what is held.
  std::vector<Offer> take_all();

  /// Ends a gathering that has lasted too long, and has its job pause. None: there is none. What is held has
  /// to be taken out then, by let_go().
  std::optional<GatheredTooFew> give_up(Time now);
  /// Ends the gathering under way; returns what is held.
  std::vector<Offer> let_go();
  /// Forgets that a job pauses.
  void forget(JobId job) { pauses_.erase(job); }
  /// Returns the kinds of slots of which pauses have ended; a job may gather them again.
  std::vector<Kind> end_pauses(Time now);

  void rescind(std::span<const OfferId> offers);
  /// The time at which give_up() or end_pauses() has something to do; none: never.
  std::optional<Time> next() const;

 private:
  struct Pause {
    std::uint32_t in_vain = 0;  ///< gatherings since its last start
    Kind kind;
    std::optional<Time> until;  ///< none: it is over
  };
  std::int64_t held_slots() const;
  Duration pause_after(std::uint32_t in_vain) const;

  Duration patience_;
  std::optional<RigidWish> wish_;
  std::vector<Offer> held_;
  std::optional<Time> until_;  ///< none while nothing was held; stays if all that is held is rescinded
  std::map<JobId, Pause> pauses_;
};

}  // namespace proffer::frameworks
