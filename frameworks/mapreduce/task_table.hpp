// The tasks of one kind of one job, and the attempts at each. Invariants: a task has at most one current
// attempt, and while that runs perhaps a second one, its backup; it is done if and only if it has a winner;
// attempt ids are never used twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

/// A launched attempt that has not ended. One that is no longer current does not count: its task has been
/// given up on that agent and is made elsewhere.
struct Attempt {
  std::uint32_t index = 0;
  AgentId agent;
  Locality locality = Locality::any;
  Time since{};  ///< the time of its launch, or at which it was found to run
  bool current = true;
  bool backup = false;       ///< the attempt was launched while another at its task ran
  std::string failure = {};  ///< words of the attempt about its failing
  bool excused = false;      ///< neither it nor its command is to blame, as it said
};

/// The number of times that a task was tried in vain.
struct Tries {
  std::uint32_t attempts = 0;  ///< ids of attempts that were used up, also by good ones
  std::uint32_t failures = 0;
  std::uint32_t losses = 0;   ///< times that its output was gone
  std::uint32_t excuses = 0;  ///< times that it failed, and was not to blame
  bool any() const { return failures + losses + excuses > 0; }
};

/// The parts of an attempt's id.
struct AttemptName {
  JobId job;
  bool map = false;
  std::uint32_t index = 0;
  std::uint32_t attempt = 0;
};
/// Returns the parts of an id as a TaskTable makes them; none for any other.
std::optional<AttemptName> parse_attempt(const TaskId& task);

class TaskTable {
 public:
  /// Ids are j<job>-<letter>-<index>-<attempt>; attempts are numbered from `first_attempt` on.
  TaskTable(JobId job, char letter, std::uint32_t count, std::uint32_t first_attempt = 0);

  // A task waits -> is open (a new attempt is in the pool) -> runs -> is done. Of a task that runs two
  // attempts, each may end or be given up: it runs on with the other.

  /// Opens a waiting task: returns a new attempt.
  TaskId open(std::uint32_t index);
  /// Returns a new attempt beside the one that runs. Aborts when the task has a backup.
  TaskId open_backup(std::uint32_t index);
  /// Takes an open attempt back; the task waits, or runs on without its backup.
  void close(const TaskId& id);
  void launch(const TaskId& id, AgentId agent, Locality locality, Time now);
  /// Ends an attempt; when it was current and the only one its task waits. None for an attempt that does not
  /// run. A backup that has no slot yet must have been closed.
  std::optional<Attempt> end(const TaskId& id);
  /// Makes a waiting task done: the attempt that has just ended was good.
  void win(std::uint32_t index, const TaskId& id);
  /// Gives up a running attempt, which no longer counts; as end() otherwise.
  void abandon(const TaskId& id);
  /// Has a done task wait again: what it made is gone.
  void lose(std::uint32_t index);

  // The same for a former process's attempts, at tasks that wait.

  /// Counts what is known of a task's former attempts, unless more is known.
  void learn(std::uint32_t index, const Tries& tries);
  /// Goes on with an attempt that runs. False when its task does not wait for one.
  bool adopt(const TaskId& id, std::uint32_t index, AgentId agent, Time now);
  /// Makes a task done.
  void restore(const TaskId& id, std::uint32_t index);

  const Tries& tries(std::uint32_t index) const { return tasks_.at(index).tries; }
  /// The same, to be counted up.
  Tries& tries(std::uint32_t index) { return tasks_.at(index).tries; }
  /// Notes what a running attempt says about its failing; no effect for others.
  void note_failure(const TaskId& id, std::string text);
  /// Notes that a running attempt says that the store is to blame; no effect for others.
  void excuse(const TaskId& id);

  const std::set<std::uint32_t>& waiting() const { return waiting_; }
  /// The tasks that wait for a slot, without those of which only the backup does.
  const std::set<std::uint32_t>& open_tasks() const { return open_; }
  /// The attempts that wait for a slot, also as backups, and their tasks.
  const std::map<TaskId, std::uint32_t>& opened() const { return opened_; }
  const std::map<TaskId, Attempt>& attempts() const { return attempts_; }
  /// The attempt of a task that is open or runs, the first of two, or that has made it.
  const TaskId& current(std::uint32_t index) const { return tasks_.at(index).attempt; }
  bool runs(std::uint32_t index) const { return tasks_.at(index).stage == Stage::running; }
  /// The second attempt of a task that runs, open or running itself; empty: there is none.
  const TaskId& backup(std::uint32_t index) const { return tasks_.at(index).backup; }
  /// The task that this attempt has made; none when another has, or nobody.
  std::optional<std::uint32_t> won_by(const TaskId& id) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(tasks_.size()); }
  bool is_done(std::uint32_t index) const { return tasks_.at(index).stage == Stage::done; }
  bool all_done() const { return done_ == size(); }
  TaskProgress progress() const;
  void check_invariants() const;

 private:
  enum class Stage { waiting, open, running, done };
  struct Task {
    Stage stage = Stage::waiting;
    TaskId attempt;  ///< current or winning
    TaskId backup;   ///< the second current one, open or running; empty: none
    Tries tries;
  };
  Task& expect(std::uint32_t index, Stage stage);
  void wait(std::uint32_t index);
  /// An attempt of a running task counts no longer.
  void leave(std::uint32_t index, const TaskId& id);

  std::string prefix_;
  std::vector<Task> tasks_;
  std::set<std::uint32_t> waiting_;
  std::set<std::uint32_t> open_;
  std::map<TaskId, std::uint32_t> opened_;
  std::map<TaskId, std::uint32_t> winners_;
  std::map<TaskId, Attempt> attempts_;
  std::uint32_t running_ = 0;  ///< tasks with a current attempt that runs
  std::uint32_t done_ = 0;
};

}  // namespace proffer::mapreduce
