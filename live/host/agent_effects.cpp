#include "live/host/agent_effects.hpp"

#include "proffer/live/log.hpp"

namespace proffer::live {

/// Connects to the catalog before the machine reads of it: the machine sends to the catalog in that same
/// step, and what it sends without a connection is lost.
void AgentEffects::on_arrival(PeerId from, const Envelope& envelope) {
  if (from == kCatalogPeer && std::holds_alternative<CatalogWelcome>(envelope.message))
    known_to_catalog_ = true;
  const auto* registered = std::get_if<Registered>(&envelope.message);
  if (from != kAllocatorPeer || registered == nullptr) return;
  if (registered->catalog_endpoint.empty()) known_to_catalog_ = true;
  if (auto connected = host_->connect(kCatalogPeer, registered->catalog_endpoint); !connected) {
    log::error("the allocator names a catalog that cannot be used: " + connected.error().message);
  }
}

void AgentEffects::carry_out(const Action& action) {
  if (const auto* outputs = std::get_if<DropOutputs>(&action)) {
    data_.drop_outputs(outputs->framework, outputs->job);
  } else if (const auto* block = std::get_if<DropBlock>(&action)) {
    data_.drop_block(block->block);
  } else if (const auto* fetch = std::get_if<FetchBlock>(&action)) {
    data_.fetch_block(*fetch);
  } else if (const auto* token = std::get_if<SetStoreToken>(&action)) {
    data_.set_token(token->token);
  } else if (std::holds_alternative<KeepRecord>(action) || std::holds_alternative<DropRecord>(action)) {
    return;  // this world has no store for them: an agent begins its next life with nothing
  } else {
    executor_.set_agent(agent_.id());
    executor_.carry_out(action);
  }
}

void AgentEffects::prepare(PollSet& polled) {
  polled.add_fd(executor_.event_fd());
  polled.add_fd(data_.event_fd());
}

void AgentEffects::turn(const Readiness& ready, Time) {
  if (ready.fd(executor_.event_fd())) {
    for (auto& event : executor_.take_events()) host_->deliver(std::move(event));
  }
  if (ready.fd(data_.event_fd())) {
    for (auto& event : data_.take_events()) host_->deliver(std::move(event));
  }
}

}  // namespace proffer::live
