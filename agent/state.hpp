// Everything that an agent knows.
#pragma once

#include <optional>
#include <string>

#include "agent/block_copies.hpp"
#include "agent/block_store.hpp"
#include "agent/compute_permits.hpp"
#include "agent/health.hpp"
#include "agent/kept_servers.hpp"
#include "agent/launch_history.hpp"
#include "agent/recovery.hpp"
#include "agent/slot_reports.hpp"
#include "agent/status_outbox.hpp"
#include "agent/task_runs.hpp"
#include "proffer/agent/agent.hpp"
#include "proffer/session/client_session.hpp"

namespace proffer::agent {

using Verdict = session::ClientSession::Verdict;

/// Returns how the agent keeps a session with either server. Most of what servers say is known by its own id
/// when it comes again, so the agent asks for repeats of the few messages that are not.
session::ClientSession::Settings session_settings(const AgentConfig& config, Duration silent_after);

/// The id of this agent and the secret of it for each server. Its invariant: they change by a server's answer
/// to a hello only, and outlive all sessions. An id that was declared gone is dropped; its secrets are those
/// of the next.
struct Identity {
  AgentId id;
  Secret for_allocator;
  Secret for_catalog;
};

/// The conversation with the allocator. Its invariant: in session the agent has an id.
struct AllocatorTalk {
  session::ClientSession session;
  /// The reason for which REGISTER was not taken; none: it was, or may yet be.
  std::optional<Error> refused = {};
  std::string registered_trouble = {};  ///< the trouble that the newest REGISTER named
};

/// The conversation with the catalog. Its invariant: there is none before the allocator has said where the
/// catalog is, and under which id to report.
struct CatalogTalk {
  std::optional<session::ClientSession> session;  ///< none: there is no catalog for us
  std::string endpoint;                           ///< as the allocator said
  std::string store_token;                        ///< as the catalog said
  std::optional<Time> next_pages;                 ///< the time at which the report that is being sent goes on

  bool in_session() const { return session && session->open(); }
};

/// The end of this life in good order. Its invariant: after the farewell nothing is said to anybody.
struct Leave {
  std::optional<Stopping> wanted = {};
  bool taken = false;  ///< farewell was said
};

struct State {
  AgentConfig config;
  Random random;
  Identity identity;
  KeptServers servers = {};
  std::string former_boot = {};  ///< the boot of the host in which kept runs were started; empty: not known
  Recovery recovery = {};
  Leave leave = {};

  AllocatorTalk allocator;
  TaskRuns runs;
  ComputePermits permits;
  LaunchHistory history = {};
  StatusOutbox statuses;
  SlotReports reports = {};
  Health health = {};

  CatalogTalk catalog = {};
  BlockStore blocks;
  BlockCopies copies = {};
};

}  // namespace proffer::agent
