// All processes of a storm, their hosts and connections, and the oracle beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/agent/agent.hpp"
#include "proffer/fnv.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/random.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/desk.hpp"
#include "sim/storm/host.hpp"
#include "sim/storm/links.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/process.hpp"
#include "sim/storm/process_table.hpp"
#include "sim/storm/record.hpp"
#include "sim/storm/schedulers.hpp"
#include "sim/storm/told.hpp"
#include "sim/storm/watch.hpp"

namespace proffer::sim::storm {

/// Everything that the machines do not know.
struct Oracle {
  Oracle(const Plan& plan, Record& record);
  ProcessTable table;
  Told told;
  Watch watch;
};

/// A process of a framework, over its lives.
struct FrameworkSlot {
  FrameworkPlan plan;
  SchedulerSetup setup;
  std::unique_ptr<StormScheduler> scheduler;
  std::optional<Time> ousted_at;  ///< another process has gone on in its place
  FrameworkId ousted_as;          ///< the id that it had then
  bool succeeds = false;          ///< true: the process was started to take another's place
  bool admitted = false;          ///< true: the allocator has admitted it once
  bool over = false;              ///< true: the process is not started again
  bool leaving = false;           ///< true: the framework was told to end
};

/// The number of an agent's host.
inline HostNo host_of(const Process& agent) { return agent.pid - 2; }

/// The steps of all machines so far: their number, and a hash of what they were.
struct Tally {
  std::uint64_t steps = 0;
  std::uint64_t digest = kFnvBasis;
};

class Cluster final : public Surroundings {
 public:
  static constexpr Pid kAllocator = 0;
  static constexpr Pid kCatalog = 1;

  Cluster(const Plan& plan, Agenda& agenda, Record& record);
  ~Cluster() override;

  /// Starts a process that is down, unless it is not to come back.
  void start(Pid process);
  void start_later(Pid process, Duration delay);
  /// kill -9. `silently`: its peers do not notice at once.
  void crash(Pid process, const std::string& why, bool silently = false);
  void pause(Pid process, Duration time);
  /// SIGTERM: the process ends in good order.
  void stop(Pid process, bool kill_tasks, Duration back_after);
  void reboot(HostNo host, Duration down);
  /// Starts another process under the id of a framework. False: there is nothing to take over yet.
  bool take_over(Pid framework, Duration later);
  /// A framework that is down comes back without its records, as another. One that is to take the place of a
  /// former process keeps them until it has: without them nobody would replace that one.
  void forget(Pid framework);
  /// Ends all faults, for good; what is not to come back stays away.
  void calm();
  bool is_calm() const { return calm_; }
  /// Frameworks want nothing more, and end what they have.
  void wind_down();

  const std::vector<std::unique_ptr<Process>>& processes() const { return processes_; }
  Process& process(Pid pid) { return *processes_[pid]; }
  Host& host(HostNo number) { return *hosts_[number]; }
  std::size_t hosts() const { return hosts_.size(); }
  Pid agent(HostNo number) const { return static_cast<Pid>(2 + number); }
  const Agent* agent_machine(HostNo number) const;
  const Framework* framework_machine(Pid pid) const;
  FrameworkSlot& framework(Pid pid) { return frameworks_[pid - first_framework_]; }
  Pid first_framework() const { return first_framework_; }
  bool healthy(Pid pid) const;
  Instance instance(Pid pid) const;

  Oracle oracle;
  Links links;
  Desk desk;
  Mood mood;
  /// Asked of each message that an agent or framework sends: no heartbeat, in the quiet at the end.
  std::function<void(const Process&, const Message&)> on_message;

  const Tally& tally() const { return tally_; }

 private:
  void stepped(Process& process, const Event& event, const Actions& actions) override;
  CrashPoint crash_point(Process& process) override;
  std::optional<Duration> commit_time(Process& process) override;
  void committed(Process& process, const Event& event, const Actions& actions) override;
  void carry_out(Process& process, Action& action) override;
  void die(Process& process, const char* why) override;
  void settled(Process& process) override;

  Pid add(Role role, std::string name);
  void add_framework(const FrameworkPlan& plan, Lineage lineage, std::string name);
  std::unique_ptr<AnyMachine> make(Process& process);
  void send(Process& process, Send& message);
  void go_on(Pid process);
  void wake_ousted(Pid old, Pid successor);
  void end(Process& process, Links::End how);

  const Plan& plan_;
  Agenda& agenda_;
  Record& record_;
  Random dice_;
  bool calm_ = false;
  Pid first_framework_ = 0;
  Lineage last_lineage_ = 0;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Host>> hosts_;
  std::deque<FrameworkSlot> frameworks_;
  Tally tally_;
};

/// Says something else than its sender meant. Returns whether it does.
bool tell_a_lie(Envelope& envelope, Random& random);

}  // namespace proffer::sim::storm
