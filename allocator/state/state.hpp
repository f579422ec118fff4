// The state of the allocator, as its handlers share it.
#pragma once

#include <optional>

#include "allocator/state/guarantee_watch.hpp"
#include "allocator/state/identity.hpp"
#include "allocator/state/pass_agenda.hpp"
#include "allocator/state/peer_timers.hpp"
#include "allocator/state/recovery.hpp"
#include "allocator/state/starvation.hpp"
#include "allocator/tables/cluster_table.hpp"
#include "allocator/tables/decline_filters.hpp"
#include "allocator/tables/eligibility.hpp"
#include "allocator/tables/framework_table.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/job_changes.hpp"
#include "allocator/tables/offer_book.hpp"
#include "allocator/tables/peer_table.hpp"
#include "allocator/tables/private_agents.hpp"
#include "allocator/tables/shares.hpp"
#include "allocator/tables/silences.hpp"
#include "allocator/tables/task_table.hpp"
#include "proffer/allocator/allocator.hpp"

namespace proffer::allocator {

struct State {
  /// Aborts unless the configuration is consistent: it was checked when it was read.
  State(AllocatorConfig settings, Identity who);

  AllocatorConfig config;
  Identity identity;

  Eligibility eligibility;  ///< the rules of eligibility of the pools in `config`
  PrivateAgents private_agents;
  Shares shares;
  ClusterTable cluster;
  FrameworkTable frameworks;
  PeerTable peers;
  OfferBook offers;
  TaskTable tasks;
  DeclineFilters filters;
  Silences silences;
  Stamps stamps;

  PassAgenda agenda;
  GuaranteeWatch guarantees;
  Starvation starvation;
  PeerTimers peer_timers;
  Recovery recovery;
  JobChanges job_changes;
  std::optional<Error> disk_full;  ///< pools cannot be changed, and why
};

}  // namespace proffer::allocator
