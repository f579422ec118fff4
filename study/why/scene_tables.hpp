// Tables of the scene: what is known of each framework, job and task beyond what the ledger has.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/sharing/share_tree.hpp"
#include "proffer/silence.hpp"
#include "proffer/study/ledger.hpp"
#include "proffer/trace.hpp"
#include "study/why/run_times.hpp"

namespace proffer::study::why {

/// The length of time that explanations call "lately".
inline constexpr Duration kLately = std::chrono::seconds(60);

/// Frameworks are numbered as they come: their names need not be unique, and who never subscribed has no id.
enum class FrameworkNo : std::uint64_t {};

struct TaskScene {
  JobId job;
  Kind kind;
  std::vector<AgentId> prefers;
  TaskId backs_up;  // the attempt that runs beside it; empty: it is no backup
  std::optional<Time> queued;
  std::optional<Time> placed;  // its framework chose a slot
  std::optional<Time> launched;
  std::optional<Time> ended;
  AgentId agent;
  Locality locality = Locality::any;
  Duration waited{};
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;

  bool waits() const { return queued && !placed && !ended; }
};

/// The newest gathering of slots for a rigid job, which was in vain.
struct VainGathering {
  Time ended{};
  GatheredTooFew slots;
};

struct LastLaunch {
  std::optional<Time> at;  // none: the job has launched nothing
  Duration waited{};
};

struct JobScene {
  std::string name;
  std::string pool;
  std::string user;
  std::string priority = "normal";
  std::optional<Time> queued;
  std::optional<Time> begun;
  std::optional<Time> finished;
  bool ok = true;
  std::string why;
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
  std::set<TaskId> waiting;
  std::set<TaskId> running;
  std::map<TaskId, TaskId> backups;  // that were queued, by the attempts that they back up
  std::map<Kind, std::int64_t> done;
  std::map<Kind, RunTimes> run_times;
  std::array<std::uint64_t, 3> placed{};  // by locality, of tasks with a preference
  LastLaunch last_launch;
  std::optional<VainGathering> gathered;          // none: since then it has launched tasks
  std::map<std::string, std::int64_t> preempted;  // tasks that its framework ended, by the pool they went to
};

enum class OfferEnd : std::uint8_t { accepted, declined, rescinded, expired };
struct EndedOffer {
  Time at{};
  OfferEnd end = OfferEnd::accepted;
  DeclineReason reason = DeclineReason::other;
  Duration held{};
  Kind kind;
};
/// A framework's decline of the slots of a kind on an agent.
struct Refusal {
  Time at{};
  std::optional<Time> until;  // none: until it revives
  bool until_change = false;  // or something changes on that agent
  DeclineReason reason = DeclineReason::other;
};

/// The silence of a framework for a slot kind, and when the last offer of the kind expired.
struct SilenceScene {
  Silence silence;
  Time last_expired{};
};

/// A framework's answers to offers, as far as they still tell something.
struct Answers {
  std::deque<EndedOffer> lately;          // rests are not in it
  std::map<Kind, SilenceScene> silences;  // that no answer ended
  std::map<std::pair<AgentId, Kind>, Refusal> refusals;
  std::map<Kind, bool> declines;  // its newest answer was that, although it had tasks
};

/// How a framework was lost, if it was.
struct FrameworkLoss {
  std::optional<Time> at;  ///< none: it has not been lost since it came
  bool for_good = false;
  std::string why;
};

/// The pools in which the jobs of a framework share its slots, and the limits of their users.
struct JobPools {
  std::vector<PoolChanged> pools;
  std::map<std::string, std::uint32_t> users;
};

struct FrameworkScene {
  FrameworkNo number{};
  std::string name;
  std::string pool;
  std::string user;
  Priority priority = Priority::normal;
  FrameworkId id;
  FrameworkId account;         // its account in the ledger: the first id that it had
  std::optional<LeafId> leaf;  // none: never subscribed, or gone
  FrameworkLoss loss;
  Answers answers;
  std::int64_t preempted = 0;  // slots it was told to give back

  std::optional<FrameworkRules> rules;
  JobPools job_pools;
  std::map<JobId, JobScene> jobs;
  std::map<JobId, std::vector<JobId>> formers;  // of jobs that come after others
  std::map<JobId, Time> due;                    // of jobs with a deadline
  std::map<TaskId, TaskScene> tasks;
  std::map<Kind, RunTimes> run_times;

  bool present() const { return leaf.has_value(); }
};

struct StarvedScene {
  Time at{};
  std::int64_t used = 0;
  std::int64_t target = 0;
};

}  // namespace proffer::study::why
