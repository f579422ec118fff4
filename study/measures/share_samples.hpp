// Who had how many slots, sampled at even times: rows for plots, and how fair and how busy it was on average.
// The distance of samples doubles as a run gets long, so that there are always between 1,000 and 2,000 of
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/sharing/share_tree.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "proffer/trace.hpp"

namespace proffer::study {

class ShareSamples {
 public:
  explicit ShareSamples(const Plan& plan);

  /// To be called with each line's time (seconds after the start) before what it says is applied.
  void until(double now);

  void framework(FrameworkId id, const std::string& name, const std::string& pool);
  void agent(AgentId id, const Resources& slots);
  void agent_lost(AgentId id);
  void demand(FrameworkId id, Kind kind, std::int64_t units);  ///< -1: unbounded
  void running(FrameworkId id, Kind kind, std::int64_t change);
  void offered(FrameworkId id, Kind kind, std::int64_t change);
  /// Its newest answer to an offer of the kind: whether it turned down what it could have used.
  void answered(FrameworkId id, Kind kind, bool declined);

  /// Adds jain, utilisation.KIND and deficit.KIND (slot-seconds) where there is something to measure, and
  /// time_to_share and time_to_share.FRAMEWORK (seconds).
  void measure(std::map<std::string, double>& measures) const;
  /// By time. Who turns idle has one more row, of zeros.
  std::vector<ShareRow> rows() const;

 private:
  struct Use {
    std::int64_t running = 0;
    std::int64_t offered = 0;
    std::int64_t demand = 0;
    bool declines = false;         // its newest answer was that
    std::optional<double> wanted;  // since when
    std::optional<double> served;  // when it first ran what it is owed
  };
  struct Tenant {
    std::string name;
    LeafId leaf;
    std::map<Kind, Use> uses;
  };
  struct Sample {
    double time = 0;
    std::vector<ShareRow> rows;
    std::map<Kind, double> jain;         // of kinds for which it is defined
    std::map<Kind, double> utilisation;  // running / slots
    std::map<Kind, double> deficit;      // slots
    std::map<Kind, double> declined;     // of these, of those who decline
  };

  std::int64_t owed(const Tenant& tenant, Kind kind) const;
  void measure_service(std::map<std::string, double>& measures) const;
  void take(double time);
  void thin_out();
  void add_capacity(const Resources& slots, std::int64_t times);

  ShareTree tree_;
  std::map<std::string, std::string> users_;  // of frameworks
  std::map<FrameworkId, Tenant> tenants_;
  std::map<AgentId, Resources> agents_;
  std::map<Kind, std::int64_t> capacity_;
  std::uint64_t submitted_ = 0;
  double now_ = 0;
  double interval_ = 1;
  std::uint64_t next_ = 0;  // the number of the next sample
  std::vector<Sample> samples_;
};

}  // namespace proffer::study
