// Samples of who had how many slots, at even times: rows for plots, and how fair and how busy it was on
// average. The distance of samples doubles as a run gets long, so that there are always between 1,000 and
// 2,000 of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/sharing/share_tree.hpp"
#include "proffer/study/ledger.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "proffer/trace.hpp"
#include "study/measures/deficit.hpp"
#include "study/measures/idle_slots.hpp"
#include "study/measures/pool_shares.hpp"

namespace proffer::study {

/// More tenants or pools than these are summed up only.
inline constexpr std::size_t kMostNamed = 32;

class ShareSamples {
 public:
  /// `ledger`: what each framework has and wants; it must outlive the samples.
  ShareSamples(const Plan& plan, const Ledger& ledger);

  /// Takes the samples up to `now` (seconds after the start). To be called with the time of each line before
  /// the line is entered into the ledger.
  void until(double now);

  /// Adds a framework of the run; has no effect on a known one.
  void framework(FrameworkId id, const std::string& name, const std::string& pool);
  /// The slots of the cluster are others in the ledger.
  void capacity();
  /// The demand of a framework is another in the ledger; `before`: the former one.
  void demand(FrameworkId id, Kind kind, std::int64_t before);
  void changed(const SlotChange& change);
  /// The framework launched tasks on an offer, or had none for it.
  void took(const OpenOffer& offer);
  /// The framework turned down what it could have used, for so many seconds (none: for good).
  void refused(const OpenOffer& offer, std::optional<double> seconds);

  /// Adds, where there is something to measure, jain, utilisation.KIND, deficit.KIND and wasted.KIND with
  /// their parts (slot-seconds), time_to_share, time_to_share.FRAMEWORK and time_to_min_share.POOL (seconds).
  void measure(std::map<std::string, double>& measures) const;
  /// Returns the rows by time. A framework that turns idle has one more row, of zeros.
  std::vector<ShareRow> rows() const;

 private:
  struct Use {
    bool declines = false;         // its newest answer was that
    double refuses_until = 0;      // what it declined before
    std::optional<double> wanted;  // since when
    std::optional<double> served;  // when it first ran what it is owed
  };
  struct Tenant {
    std::string name;
    LeafId leaf;
    std::optional<std::size_t> pool;
    std::map<Kind, Use> uses;
  };
  struct KindSample {
    std::optional<double> jain;         // where it is defined
    std::optional<double> utilisation;  // running / slots
    Deficit deficit;
    IdleSlots idle;
    std::vector<Deficit> pools;  // by number
  };
  struct Sample {
    double time = 0;
    std::vector<ShareRow> rows;
    std::map<Kind, KindSample> kinds;
  };
  /// Sums over all samples, and over time where it is slots.
  struct KindSums {
    double jain = 0;
    int jains = 0;
    double utilisation = 0;
    Deficit deficit;
    IdleSlots idle;
    std::vector<Deficit> pools;
  };

  void served(Tenant& tenant, const FrameworkAccount& account, Kind kind);
  void measure_service(std::map<std::string, double>& measures) const;
  void measure_kind(Kind kind, const KindSums& sums, std::map<std::string, double>& measures) const;
  KindSums sums_of(Kind kind) const;
  void take(double time);
  KindSample sample_of(Kind kind, std::int64_t slots, Sample& sample) const;
  void thin_out();

  const Ledger& ledger_;
  ShareTree tree_;
  struct Planned {
    std::string user;
    Priority priority = Priority::normal;
  };
  std::map<std::string, Planned> planned_;  // by framework
  std::map<FrameworkId, Tenant> tenants_;
  PoolShares pools_;
  std::uint64_t submitted_ = 0;
  double now_ = 0;
  double interval_ = 1;
  std::uint64_t next_ = 0;  // the number of the next sample
  std::vector<Sample> samples_;
};

}  // namespace proffer::study
