// Everything that a framework's session knows.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frameworks/session/accept_table.hpp"
#include "frameworks/session/catalog_requests.hpp"
#include "frameworks/session/demand_table.hpp"
#include "frameworks/session/digest_watch.hpp"
#include "frameworks/session/kill_table.hpp"
#include "frameworks/session/offer_table.hpp"
#include "frameworks/session/reconciliation.hpp"
#include "frameworks/session/scheduler_callbacks.hpp"
#include "frameworks/session/task_ledger.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/session/client_session.hpp"

namespace proffer::frameworks {

enum class Phase : std::uint8_t {
  fresh,     ///< nothing was done yet
  away,      ///< no session; SUBSCRIBE is sent now and then
  open,      ///< the session is open
  finished,  ///< no session will follow
};

/// The id under which the allocator knows the framework. Its invariant: there is a secret only of an id; both
/// outlive sessions, and go together when the allocator does not know them any more.
struct Identity {
  FrameworkId id;
  Secret secret;
};

/// The conversation with the allocator. Its invariant: between steps, the session is open in Phase::open and
/// in no other phase.
struct AllocatorTalk {
  session::ClientSession session;
  Phase phase = Phase::fresh;
  /// The reason for which the allocator takes nobody for now; see Framework::refused().
  std::optional<Error> refused = {};
  bool leaving = false;    ///< the scheduler has no more use for it; the allocator is still to be told
  KeptServer server = {};  ///< the allocator of the newest session, also of a former process
  std::uint64_t framework_epoch = 0;  ///< as it was given to this process; 0: not yet
  std::uint64_t revives = 0;          ///< REVIVEs in this session
};

/// Views of the tasks, here and at the allocator, and what is done for them to agree.
struct Views {
  Reconciliation open = {};
  DigestWatch watch = {};
  bool foreign_tasks = false;  ///< a former process may have asked for tasks that nobody remembers
};

/// Questions to the catalog. Its invariant: no two requests have one number, over all sessions.
struct CatalogTalk {
  CatalogRequests requests;
  std::uint64_t next_request = 1;
  bool greeted = false;    ///< CATALOG_HELLO was sent on the connection that there is
  SessionId session = {};  ///< 0 until the catalog has named it
};

/// News that is told later than it happened. Its invariant: between steps, no end is left to be delivered.
struct Owed {
  std::deque<TaskStatus> ends;  ///< ends that the session itself reports to the scheduler
  std::set<JobId> releases;     ///< asked for while there was no session, for the allocator
  std::map<TaskId, std::uint64_t> acknowledgements;  ///< the numbers of statuses that the scheduler holds
};

struct State {
  FrameworkConfig config;
  SchedulerCallbacks scheduler;
  Random random;

  Identity identity = {};
  AllocatorTalk allocator;
  DemandTable demand = {};
  OfferTable offers = {};
  AcceptTable accepts = {};
  TaskLedger tasks = {};
  KillTable kills = {};
  Owed owed = {};

  CatalogTalk catalog;
  Views views = {};
  std::vector<Kept> kept = {};  ///< records of a former process, until the first step

  bool in_session() const { return allocator.phase == Phase::open; }
  bool finished() const { return allocator.phase == Phase::finished; }
};

}  // namespace proffer::frameworks
