// Outputs of tasks on their way into the store: what their workers say to the catalog, and replicas that move
// from the writer's disk to others. Its invariant: a write belongs to a run that is not over, and waits for
// an answer, for replicas, or for a time to ask again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/message.hpp"
#include "proffer/study/plan.hpp"
#include "sim/block_copies.hpp"
#include "sim/links.hpp"
#include "sim/transfers.hpp"

namespace proffer::sim {

class OutputWrites final : public FlowOwner {
 public:
  using Writer = std::uint32_t;  ///< the number of the run that writes
  struct Notify {
    NotifyAgent agent;
    std::function<void(Writer, Time)> done;
    std::function<void(Writer, Time)> failed;  ///< the catalog refuses, or has forgotten the file
    std::function<void()> wake;                ///< there is something to say to the catalog
  };
  OutputWrites(study::CostModel::Reading reading, Nodes& nodes, const Links& links, Transfers& transfers,
               Notify notify);

  /// Writes the output of a run, which is on its own disk by now: the first replica lies there.
  void begin(Writer run, AgentNo agent, const OutputPath& output, std::uint64_t bytes, Time now);
  /// Forgets the write of a run that is over, if it has one.
  void cancel(Writer run, Time now);
  /// Gives up replicas on their way to nodes that the writer does not reach any more.
  void reroute(Time now);
  void flow_ended(FlowNo flow, Time now) override;

  // The catalog's side.
  /// Takes what is to be asked now; a request that cannot be sent yet waits for next_deadline().
  std::vector<Message> take_requests(Time now);
  void answered(const Message& answer, Time now);
  /// Asks again what has not been answered.
  void catalog_lost(Time now);
  std::optional<Time> next_deadline() const;

 private:
  struct Write {
    AgentNo agent = 0;
    OutputPath output;
    std::uint64_t left = 0;          ///< bytes that are not in a sealed block
    Message asked;                   ///< the request that is not answered
    std::optional<Time> ask_at;      ///< none: it was sent, or replicas move
    std::optional<BlockId> block;    ///< the block that is being stored
    std::map<FlowNo, AgentNo> ways;  ///< replicas on their way, by target
    bool stored = false;             ///< some replica of the block is there
  };
  std::uint64_t block_bytes(const Write& write) const;
  AgentId writer_of(const Write& write) const { return nodes_.id_of(write.agent); }
  void ask(Writer run, Message request, Time at);
  void allocated(Writer run, const BlockAllocated& answer, Time now);
  void store(Write& write, AgentNo target);
  void block_moved(Writer run, Time now);
  void refused(Writer run, const Error& error, Time now);
  void go_on(Writer run, Time now);

  study::CostModel::Reading model_;
  Nodes& nodes_;
  const Links& links_;
  Transfers& transfers_;
  Notify notify_;
  std::map<Writer, Write> writes_;
  std::map<std::uint64_t, Writer> by_request_;
  std::map<FlowNo, Writer> by_flow_;
  std::uint64_t requests_ = 0;
};

}  // namespace proffer::sim
