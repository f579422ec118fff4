// The executor of the simulated world: tasks that run on its nodes, and bytes that move between these.
#pragma once

#include "proffer/study/plan.hpp"
#include "sim/block_copies.hpp"
#include "sim/cached_files.hpp"
#include "sim/event_queue.hpp"
#include "sim/links.hpp"
#include "sim/nodes.hpp"
#include "sim/output_writes.hpp"
#include "sim/runs.hpp"
#include "sim/transfers.hpp"

namespace proffer::sim {

struct Executor {
  /// `wake`: called when tasks have something to say to the catalog.
  Executor(const study::Plan& plan, EventQueue& queue, const NotifyAgent& notify, std::function<void()> wake)
      : nodes(plan.nodes),
        transfers(queue),
        links(plan, transfers.flows()),
        copies(nodes, links, transfers, notify),
        cached(plan.cost.reading, nodes, links, transfers,
               {[this](CachedFiles::Waiting run, Time now) { runs.file_came(run, now); },
                [this](CachedFiles::Waiting run, Time now) { runs.file_failed(run, now); }}),
        writes(
            plan.cost.reading, nodes, links, transfers,
            {notify, [this](OutputWrites::Writer run, Time now) { runs.output_written(run, now); },
             [this](OutputWrites::Writer run, Time now) { runs.output_failed(run, now); }, std::move(wake)}),
        runs(plan, queue, {nodes, links, transfers, cached, writes}, notify) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Takes a node away until it comes back, with all that runs and moves there.
  void lose(AgentNo agent, Time now) {
    // First the node is down, so that nothing begins to read from it.
    nodes.lose(agent);
    copies.lose(agent, now);
    cached.lose(agent, now);
    runs.lose(agent, now);
    reroute(now);
  }
  /// Finds other sources for what comes from nodes that do not reach each other any more.
  void reroute(Time now) {
    copies.reroute(now);
    cached.reroute(now);
    runs.reroute(now);
    writes.reroute(now);
  }

  Nodes nodes;
  Transfers transfers;
  Links links;
  BlockCopies copies;
  CachedFiles cached;
  OutputWrites writes;
  Runs runs;
};

}  // namespace proffer::sim
