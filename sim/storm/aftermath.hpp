// The judgement of what must come right once the storm is over, and until when.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sim/storm/agenda.hpp"
#include "sim/storm/cluster.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

class Aftermath {
 public:
  // Times since the calm began.
  static constexpr Duration kSessionsBy = std::chrono::seconds(60);
  static constexpr Duration kWindDownAt = std::chrono::seconds(80);
  static constexpr Duration kSettledBy = std::chrono::seconds(150);
  static constexpr Duration kEnd = std::chrono::seconds(180);

  Aftermath(Agenda& agenda, Record& record, Cluster& cluster)
      : agenda_(agenda), record_(record), cluster_(cluster) {}

  /// The calm begins now.
  void begin();
  /// Looks before the calm at what must hold all the time.
  void look_early();

 private:
  void look();
  void check_offers_without_sessions();
  void check_self_doubt();
  void check_leftovers();
  void check_first_offer();
  void check_shares();
  void check_sessions();
  void check_tasks();
  void check_views();
  void check_stores();
  bool wants_all(const FrameworkSlot& slot, const FrameworkState& seen) const;
  bool is_away(const TaskKey& task) const;
  bool must_be_settled(FrameworkId framework) const;
  void be_quiet();

  Agenda& agenda_;
  Record& record_;
  Cluster& cluster_;
  Time began_{};
  std::set<FrameworkId> offered_without_session_;
  std::map<Pid, Time> short_since_;  // greedy frameworks below their share, though slots are free
  std::map<Pid, std::uint64_t> shown_;
  std::optional<Time> could_offer_since_;
  std::map<HostNo, Time> in_session_since_;
  bool doubts_ = false;  // at the last look the allocator suspected itself, without a reason
};

}  // namespace proffer::sim::storm
