// A node's processes beside its agent: the launcher, which outlives the agent, and the runs, each with a shim
// that outlives the launcher. An agent that starts is told what it finds there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/process_table.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

class Host {
 public:
  using Tell = std::function<void(Event)>;
  Host(const Plan& plan, HostNo number, Agenda& agenda, Record& record, ProcessTable& table, Tell tell);

  /// A new agent process is there; it is told of the runs when the launcher has listed them.
  void agent_started();
  void agent_died();

  void start(const StartRun& run);
  void signal(const SignalRun& signal);
  void settle(LaunchId launch);
  void probe();

  void kill_launcher(Duration back_after);
  /// All processes end at once; the caller has crashed the agent.
  void reboot();
  std::string boot() const { return "boot-" + std::to_string(boot_); }

  bool idle() const;
  /// Returns the runs that have ended, and whose end nobody has acknowledged.
  std::vector<LaunchId> unsettled() const;
  /// Tasks that begin from now on are short and do as they are told.
  void calm() { calm_ = true; }

 private:
  struct Run {
    StartRun start;
    std::uint64_t agent = 0;  // the process that asked for it
    bool alive = false;
    bool deaf = false;
    bool ended = false;
    RunExited exited;
  };

  void command(std::function<void()> task);
  /// Returns whether the agent's process knows of a run: it has asked for it, or was told of it in the list.
  bool knows(const Run& run) const { return run.agent == agent_ || listed_; }
  void begin(LaunchId launch);
  void list(std::uint64_t agent);
  void tell_started(LaunchId launch);
  void plan_end(const Run& run, bool fails);
  void end(LaunchId launch, ExitStatus exit, bool by_itself);
  void report(LaunchId launch);
  Duration duration();

  const Plan& plan_;
  HostNo number_;
  Agenda& agenda_;
  Record& record_;
  ProcessTable& table_;
  Tell tell_;
  Random random_;
  std::map<LaunchId, Run> runs_;
  std::uint64_t agent_ = 0;  // number of its process; even: there is none
  bool listed_ = false;      // that process knows what was there before it
  Time launcher_back_{};
  std::uint64_t launcher_ = 1;
  std::uint64_t boot_ = 1;
  bool calm_ = false;
};

}  // namespace proffer::sim::storm
