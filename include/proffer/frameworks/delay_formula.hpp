// The number of slots that a job must let pass to get a wanted locality: the analysis of delay scheduling as
// functions, for plans and reports. Zaharia et al., Delay Scheduling, EuroSys 2010, §3.3-3.4.
//
// The model: blocks lie on nodes at random and independently, slots come free on nodes at random, and the job
// waits afresh for every task. EuroSys algorithm 2, which does not wait again after a miss, does worse. The
// functions use floating point, so machines call only the one that answers in whole numbers:
// skips_for_chance.
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/time.hpp"

namespace proffer {

/// A job on a cluster. Every figure is at least 1.
struct DelayModel {
  std::int64_t nodes = 1;     ///< M
  std::int64_t replicas = 1;  ///< R, replicas of each block
  std::int64_t tasks = 1;     ///< N, tasks of the job, one block each
};

/// p: the part of the nodes that hold data which the job still has to read, with `unlaunched` (K) tasks left:
/// 1 - max(0, 1 - K/M)^R. In [0, 1].
double nodes_with_data(const DelayModel& model, std::int64_t unlaunched);

/// The chance that one of `skips` (D) slots offers node-local data to a job with `unlaunched` (K) tasks left:
/// 1 - (1 - p)^D = 1 - max(0, 1 - K/M)^(R*D). In [0, 1].
double local_chance(const DelayModel& model, std::int64_t unlaunched, double skips);

/// l(D): the expected part of the job's tasks that run node-local, the mean of local_chance over K = 1..N.
double expected_locality(const DelayModel& model, double skips);

/// The least D for which l(D) >= `locality`, by the paper's bound: -(M/R) ln((1-l)N / (1 + (1-l)N)). 0 for a
/// locality <= 0. Aborts unless locality < 1.
double skips_for_locality(const DelayModel& model, double locality);

/// The least D for which one of D slots offers local data with a chance of at least `millionths`, when
/// `with_data` of `agents` have some: ln(1 - l) / ln(1 - p), rounded up, p measured. None when no agent has
/// any. Aborts unless 0 <= millionths < 1000000.
std::optional<std::int64_t> skips_for_chance(std::int64_t with_data, std::int64_t agents,
                                             std::int64_t millionths);

/// The time that `skips` opportunities take on `slots` (S) slots whose tasks run for `task_time` (T): D*T/S.
Duration wait_for_skips(double skips, Duration task_time, std::int64_t slots);
/// The same with a measured rate at which slots come free: D/rate. Aborts unless the rate is above 0.
Duration wait_for_skips(double skips, double slots_per_second);
/// The number of opportunities within a wait: W*rate.
double skips_in_wait(Duration wait, double slots_per_second);

/// The chance that all replicas of a block stand on nodes full of long tasks, when those hold part
/// `long_tasks` of the slots: f^(R*L).
double chance_all_blocked(double long_tasks, std::int64_t replicas, std::int64_t slots_per_node);

}  // namespace proffer
