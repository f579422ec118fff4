// How fairly and how fully the slots of a run were used: of each kind, framework and pool.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/study/ledger.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "study/measures/fair_shares.hpp"
#include "study/measures/share_rows.hpp"
#include "study/measures/slot_account.hpp"
#include "study/measures/tenant_measures.hpp"

namespace proffer::study {

/// Frameworks are numbered in the order in which they subscribe, pools in that in which frameworks come into
/// them. A pool is told of by its own frameworks, and not by those of pools within it. Times are seconds
/// after the start.
class ShareMeasures {
 public:
  explicit ShareMeasures(const Plan& plan);

  /// Takes the samples up to `now`. To be called with the time of each line before what it says is entered.
  void until(double now);
  /// Measures are of the time from `now` on.
  void begin(double now);

  /// Adds a framework of the run; has no effect on a known one.
  void framework(FrameworkId id, const std::string& name, const std::string& pool);
  void capacity(const std::map<Kind, std::int64_t>& slots);
  void demand(FrameworkId id, Kind kind, std::int64_t units);
  void changed(const SlotChange& change);
  /// The framework launched tasks on an offer, or had none for it.
  void took(const OpenOffer& offer);
  /// The framework turned down what it could have used, for so many seconds (none: for good).
  void refused(const OpenOffer& offer, std::optional<double> seconds);

  /// Adds, of the time from begin() until now and where there is something to measure: jain,
  /// utilisation.KIND, deficit.KIND and wasted.KIND with their parts (slot-seconds), time_to_share,
  /// time_to_share.FRAMEWORK and time_to_min_share.POOL (seconds). Of each framework and pool: share.KIND,
  /// running.KIND and its deficit.
  void measure(double now, std::map<std::string, double>& measures, TenantMeasures& tenants);
  const ShareRows& samples() const { return rows_; }
  /// The pool of a framework of the run; empty: the root.
  const std::string& pool_of(FrameworkId id) const;

 private:
  SlotAccount& account(Kind kind);
  std::vector<ShareRow> sample();
  std::optional<std::size_t> pool_number(const std::string& pool);
  void measure_service(std::map<std::string, double>& measures) const;
  static void measure_kind(Kind kind, const SlotAccount::Sums& sums, std::map<std::string, double>& measures);
  void measure_tenants(Kind kind, const SlotAccount::Sums& sums, double seconds,
                       TenantMeasures& tenants) const;
  void measure_min_shares(std::map<std::string, double>& measures) const;

  const Plan& plan_;
  FairShares shares_;
  struct Tenant {
    std::string name;
    std::optional<std::size_t> pool;
  };
  std::vector<Tenant> tenants_;
  std::map<FrameworkId, std::size_t> numbers_;
  std::vector<std::string> pools_;
  std::map<Kind, SlotAccount> accounts_;
  ShareRows rows_;
  double now_ = 0;
  double begin_ = 0;
};

}  // namespace proffer::study
