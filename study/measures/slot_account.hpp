// The slots of one kind: who runs, is offered, wants and is owed how many, and the integrals of that over
// time. They are exact: between two changes nothing moves, but for refusals that lapse.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"
#include "study/measures/deficit.hpp"
#include "study/measures/fair_shares.hpp"
#include "study/measures/idle_slots.hpp"

namespace proffer::study {

/// The slots that a tenant has and is due, over time, in slot-seconds.
struct ServiceSums {
  double running = 0;
  double due = 0;  ///< min(fair share, demand)
  Deficit deficit;
};

/// When somebody first wanted slots, and when it first ran what it was owed then; seconds.
struct Service {
  std::optional<double> wanted;
  std::optional<double> served;
};

class SlotAccount {
 public:
  /// `shares`: the tenants, by their numbers; it must outlive the account.
  SlotAccount(const Plan& plan, Kind kind, const FairShares& shares)
      : plan_(plan), kind_(kind), shares_(shares) {}

  /// Integrates up to `now`, with things as they are. Changes do so first themselves.
  void until(double now);
  /// Forgets what was summed up: measures are of the time from `now` on.
  void begin(double now);

  // Changes, at `now` in seconds after the start. `pool`: the number of the tenant's pool; none: the root.
  void add_tenant(std::optional<std::size_t> pool, const std::string& pool_name, double now);
  void capacity(std::int64_t slots, double now);
  void demand(std::size_t tenant, std::int64_t units, double now);
  void has(std::size_t tenant, std::int64_t more_running, std::int64_t more_offered, double now);
  /// The tenant launched tasks on an offer, or had none for it.
  void took(std::size_t tenant, double now);
  /// The tenant turned down what it could have used, until then.
  void refused(std::size_t tenant, double until_then, double now);

  struct Now {
    std::int64_t running = 0, offered = 0, demand = 0;
    double fair = 0;
    bool busy() const { return running != 0 || offered != 0 || demand != 0; }
  };
  Now now(std::size_t tenant);

  struct Sums {
    double utilisation = 0;  // running / slots, over the seconds in which there are slots
    double slot_time = 0;
    double jain = 0;  // the index, over the seconds in which it is defined
    double jain_time = 0;
    IdleSlots idle;
    Deficit deficit;
    std::vector<ServiceSums> tenants;
    std::vector<ServiceSums> pools;  // their own frameworks taken together
  };
  const Sums& sums() const { return sums_; }
  /// Only of those who wanted slots first after begin().
  Service service(std::size_t tenant) const { return in_time(tenants_[tenant].service); }
  /// The same until min(min share, demand) ran; of pools without a min share none.
  Service min_service(std::size_t pool) const { return in_time(pools_[pool].service); }

 private:
  struct Tenant {
    std::int64_t running = 0;
    std::int64_t offered = 0;
    std::int64_t demand = 0;
    double counted = 0;        // the demand that counts for fair shares
    bool declines = false;     // its newest answer was that
    double refuses_until = 0;  // what it declined before
    std::optional<std::size_t> pool;
    Service service;
  };
  struct Pool {
    double min_share = 0;
    Service service;
  };
  Service in_time(const Service& service) const;
  void note_busy(std::size_t tenant);
  void count_demand(std::size_t tenant);
  void share();
  double next_lapse() const;
  void add(double seconds);
  void serve_pools();

  const Plan& plan_;
  Kind kind_;
  const FairShares& shares_;
  std::int64_t slots_ = 0;
  std::vector<Tenant> tenants_;
  std::set<std::size_t> busy_;  // tenants that have or want something: of a thousand often a few
  std::vector<Pool> pools_;
  std::vector<double> fair_;  // by tenant
  bool fair_is_stale_ = false;
  double since_ = 0;  // up to where things are summed up
  double begin_ = 0;
  Sums sums_;
};

}  // namespace proffer::study
