// The watch over the allocator, in all its lives: ids and epochs that never come twice, promises to
// frameworks that were lost, and what is over for good.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/message.hpp"
#include "proffer/trace.hpp"
#include "sim/storm/process_table.hpp"
#include "sim/storm/record.hpp"
#include "sim/storm/told.hpp"

namespace proffer::sim::storm {

/// A process of a framework that has subscribed.
struct Subscriber {
  Lineage lineage = 0;
  Instance instance = 0;
  Duration failover{};
};

class Watch {
 public:
  Watch(ProcessTable& table, Told& told, Record& record) : table_(table), told_(told), record_(record) {}

  void allocator_started(Time now) {
    allocator_since_ = now;
    pauses_.clear();  // what was before is no matter to this life
  }
  Time allocator_since() const { return allocator_since_; }
  /// The allocator admits a framework.
  void subscribed(const Subscriber& who, PeerId peer, const Envelope& answer, Time now);
  /// The allocator has read something from that peer.
  void heard(PeerId peer, Time now);
  /// A framework asks for a task in an ACCEPT of these offers.
  void asked(const TaskKey& task, const std::vector<OfferId>& offers);
  /// A framework has kept that it asks for a task there. Its process may end before the ACCEPT leaves it.
  void meant(const TaskKey& task, AgentId agent) { asked_.emplace(task, agent); }
  void teardown_sent(FrameworkId framework) { teardowns_.insert(framework); }
  void registered(AgentId agent, HostNo host) { hosts_[agent] = host; }
  void retired(AgentId agent) { retired_.insert(agent); }
  /// An operator asks for an agent to be drained, or to serve again; returns what is to be told when it was
  /// done. Requests are repeated until they are answered, so that what was asked before may be done once
  /// more.
  std::function<void(bool)> drain_asked(HostNo host);
  std::function<void(bool)> undrain_asked(HostNo host);
  /// An operator declares the host's agent gone, which ends the wishes about it.
  void gone_asked(HostNo host) { wishes_[host].unknown = true; }
  void allocator_paused(Time now) { pauses_.push_back({now, Time::max()}); }
  void allocator_goes_on(Time now) {
    if (!pauses_.empty()) pauses_.back().until = now;
  }
  void trace(const Trace& trace, Time now);

  std::optional<FrameworkId> framework_of(Instance instance) const;
  /// Returns whether another process than this one was the last to be admitted under an id.
  bool is_held_by_another(FrameworkId framework, Instance instance) const;
  std::optional<HostNo> host_of(AgentId agent) const;
  /// Returns the agent to which the allocator has sent a task, or else the one whose slots were asked for.
  std::optional<AgentId> agent_of(const TaskKey& task) const;
  std::optional<Time> first_offer_since_start() const { return first_offer_; }
  bool given_up(FrameworkId framework) const { return table_.causes.given_up.contains(framework); }
  std::optional<Time> given_up_at(FrameworkId framework) const;

 private:
  struct Holder {
    Subscriber who;
    std::uint64_t epoch = 0;
    SessionId session;
    PeerId peer;
    Time heard;                        ///< the last time, in its session
    std::optional<Time> lost_at = {};  ///< the end of its session
  };
  /// The wish of operators about a host's agent.
  struct Wish {
    std::uint64_t undrains = 0;  ///< number of those asked for so far
    std::uint64_t open = 0;      ///< undrains that were not answered yet
    bool drained = false;        ///< true: drained for certain
    bool unknown = false;        ///< the agent may be another one by now
  };
  struct Pause {
    Time from;
    Time until;
  };
  Duration slept_since(Time then) const;
  Duration unnoticed() const;
  void on(const OfferMade& offer, Time now);
  void on(const TaskLaunched& launch, Time now);
  void on(const FrameworkLost& lost, Time now);
  void check_retired(AgentId agent, const char* what, Time now);

  ProcessTable& table_;
  Told& told_;
  Record& record_;
  Time allocator_since_{};
  std::optional<Time> first_offer_;
  std::map<FrameworkId, Holder> holders_;
  std::map<PeerId, FrameworkId> peers_;
  std::map<Instance, FrameworkId> frameworks_;
  std::map<AgentId, HostNo> hosts_;
  std::map<TaskKey, AgentId> asked_;
  std::map<TaskKey, AgentId> launched_;
  std::set<FrameworkId> teardowns_;
  std::set<AgentId> retired_;
  std::map<OfferId, AgentId> offers_;  ///< the agents whose slots they are
  std::set<LaunchId> launches_;
  std::map<HostNo, Wish> wishes_;
  std::map<FrameworkId, Time> given_up_at_;
  std::vector<Pause> pauses_;  ///< pauses of the allocator in this life
};

}  // namespace proffer::sim::storm
