#include "catalog/demand/use_handlers.hpp"

#include "catalog/demand/watching.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const BlocksUsed& used) {
  auto& state = turn.state;
  const auto& config = state.config.replication;
  if (!has_watchers(state.config)) return;  // the framework has not yet heard that nobody wants reports
  state.watchers.heard(in.peer, turn.now);
  for (const auto& use : used.blocks) state.watchers.read(in.peer, use.block);
  if (!config.on()) return;  // reports only keep the framework among the watchers
  for (const auto& use : used.blocks) {
    if (state.names.is_sealed(use.block)) state.heat.read(use, config.threshold);
  }
  for (const auto& read : used.remote) {
    if (state.names.is_sealed(read.block)) state.heat.read_remotely(read);
  }
}

}  // namespace proffer::catalog
