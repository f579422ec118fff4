// The framework machine: a session with the allocator (and requests to the catalog) on behalf of one
// Scheduler.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "proffer/frameworks/scheduler.hpp"
#include "proffer/kept.hpp"
#include "proffer/machine.hpp"
#include "proffer/pool.hpp"
#include "proffer/random.hpp"

namespace proffer {

/// The failover timeout of frameworks that do not say another.
inline constexpr Duration kFailoverTimeout = std::chrono::minutes(10);

struct FrameworkConfig {
  std::string name;
  std::string pool;
  std::string user;
  Priority priority = Priority::normal;
  /// The time that its tasks outlive a session that was lost. 0: they end as soon as it is.
  Duration failover_timeout = kFailoverTimeout;
  /// Bound of the delay between SUBSCRIBEs; doubles to retry_max, with full jitter.
  Duration retry_first = std::chrono::milliseconds(200);
  Duration retry_max = std::chrono::seconds(10);
  Duration accept_retry = std::chrono::seconds(5);  ///< an unanswered ACCEPT is sent again, as it was
  Duration allocator_silent_after = std::chrono::seconds(5);  ///< then the framework subscribes again
  Duration catalog_timeout = std::chrono::seconds(30);        ///< a request without an answer has failed
  std::uint64_t instance = 0;  ///< the number of this process; 0: drawn at random
  bool keeps = false;          ///< records are kept, with which another process can go on
  /// The id and secret under which it comes, drawn by somebody else, and in `epoch` a number that is above
  /// those of all former processes under that id. Then it is never known under another id: once the allocator
  /// has given it up, it is over with `fenced`. None: the allocator gives it an id, or `kept` has one.
  std::optional<KeptIdentity> given = {};
};

/// One framework, in session with an allocator on behalf of its scheduler. A session that is lost (silence, a
/// lost connection, a restarted allocator) is opened again under the same framework id, and tasks live on.
/// When the allocator no longer knows that id (it had given the framework up, or forgot it), every task that
/// has not ended is reported LOST with reason framework_gone, and the framework subscribes as a new one.
/// After a new life of the allocator it asks what has become of its tasks; those whose launch the allocator
/// had taken and lost end as DROPPED. It stops by itself only when it is refused for good: an unknown pool,
/// another protocol version, another cluster, or another process that has taken its id over. It never gives
/// up while no allocator answers.
class Framework {
 public:
  /// `scheduler` must outlive the framework.
  /// `kept`: the records of a former process, under whose id it goes on; see Resumes.
  Framework(FrameworkConfig config, Scheduler& scheduler, Random random, std::vector<Kept> kept = {});
  ~Framework();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;
  /// Returns whether it is over: the scheduler called stop(), or the allocator refused the framework for
  /// good.
  bool finished() const;
  /// Returns whether it is in session with the allocator.
  bool subscribed() const;
  /// Returns why the allocator does not take the framework for now, as `slow_down` when it is full; none: it
  /// took it, has not answered, or never will take it.
  const std::optional<Error>& refused() const;
  /// Ends the framework; to be followed by a step. TEARDOWN goes out, and it has finished, or, without a
  /// session, as soon as it has one again. Its scheduler is not called any more. The same happens when the
  /// scheduler calls stop().
  void end();
  /// Returns whether end() was called, or stop(), while there was no session: it waits for one only to end
  /// its tasks.
  bool leaving() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
