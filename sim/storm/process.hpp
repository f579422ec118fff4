// A machine in a process: what has arrived and waits, its pauses, its crashes, and what is done about a step.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "proffer/machine.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/disk.hpp"

namespace proffer::sim::storm {

enum class Role : std::uint8_t { allocator, catalog, agent, framework };
std::string_view to_string(Role role);

/// The number of a process, from 0; a process that is started again keeps it.
using Pid = std::uint32_t;

class AnyMachine {
 public:
  virtual ~AnyMachine() = default;
  virtual void step(const Event& event, Actions& actions, Time now) = 0;
  virtual std::optional<Time> next_deadline() const = 0;
  virtual void check_invariants() const = 0;
};

template <Machine M>
class Driven final : public AnyMachine {
 public:
  template <class... Args>
  explicit Driven(Args&&... args) : machine(std::forward<Args>(args)...) {}
  void step(const Event& event, Actions& actions, Time now) override { machine.step(event, actions, now); }
  std::optional<Time> next_deadline() const override { return machine.next_deadline(); }
  void check_invariants() const override { machine.check_invariants(); }

  M machine;
};

class Process;

/// The point of a step at which a process dies, if it does.
enum class CrashPoint : std::uint8_t { none, before_commit, after_commit, among_actions };

/// The world around processes.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// A step is over; nothing of it was done yet.
  virtual void stepped(Process& process, const Event& event, const Actions& actions) = 0;
  virtual CrashPoint crash_point(Process& process) = 0;
  /// The time that the commit of a step takes; none: the disk fails for good.
  virtual std::optional<Duration> commit_time(Process& process) = 0;
  /// The records of a step are durable, and so is what it has decided.
  virtual void committed(Process& process, const Event& event, const Actions& actions) = 0;
  virtual void carry_out(Process& process, Action& action) = 0;
  virtual void die(Process& process, const char* why) = 0;
  /// The process has done all that there was for now.
  virtual void settled(Process& process) = 0;
};

class Process {
 public:
  Process(Pid number, Role its_role, std::string its_name, Agenda& agenda, Surroundings& world)
      : pid(number), role(its_role), name(std::move(its_name)), agenda_(agenda), world_(world) {}

  void start(std::unique_ptr<AnyMachine> machine);
  /// kill -9: memory is lost, and what was not read.
  void crash();
  bool up() const { return machine_ != nullptr; }
  /// Rises with each start.
  std::uint64_t life() const { return life_; }
  Time started_at() const { return started_at_; }

  /// SIGSTOP and SIGCONT. What arrives meanwhile waits.
  void pause();
  void resume();
  bool paused() const { return paused_; }
  /// Does nothing until then, since it is at work.
  void busy_for(Duration time);

  /// Tells the machine of room on its disk again, if it has heard of the lack of it.
  void has_room();

  void deliver(Event event);
  AnyMachine* machine() { return machine_.get(); }
  std::size_t unread() const { return inbox_.size(); }

  const Pid pid;
  const Role role;
  const std::string name;
  Disk disk;
  std::uint64_t steps = 0;  ///< since its start

 private:
  struct Step {
    Event event;
    Actions actions;
    CrashPoint crash = CrashPoint::none;
  };

  void run();
  void step(Event event);
  bool keep(Actions& actions);
  void finish(const std::shared_ptr<Step>& step);
  void wake_later();

  Agenda& agenda_;
  Surroundings& world_;
  std::unique_ptr<AnyMachine> machine_;
  std::uint64_t life_ = 0;
  Time started_at_{};
  bool paused_ = false;
  bool running_ = false;
  bool told_full_ = false;
  Time busy_until_{};
  std::deque<Event> inbox_;
  std::optional<Time> wake_at_;
};

}  // namespace proffer::sim::storm
