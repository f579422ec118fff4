#include "live/host/agent_effects.hpp"

#include "proffer/check.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

/// A restarted agent may find its name taken by its former self for as long as the allocator has not noticed.
constexpr Duration kNameMayBeFreed = std::chrono::seconds(10);

bool passes(ErrorCode code) {
  return code == ErrorCode::unknown_session || code == ErrorCode::slow_down ||
         code == ErrorCode::unreachable || code == ErrorCode::timed_out || code == ErrorCode::io;
}

}  // namespace

void AgentEffects::on_arrival(PeerId from, const Envelope& envelope) {
  if (from == kCatalogPeer) {
    if (std::holds_alternative<CatalogWelcome>(envelope.message)) say_ready();
    return;
  }
  if (const auto* message = std::get_if<Registered>(&envelope.message)) registered(*message);
  if (const auto* message = std::get_if<ErrorMessage>(&envelope.message)) refused(message->error);
}

void AgentEffects::registered(const Registered& message) {
  registered_ = true;
  refused_since_.reset();
  told_.clear();
  executor_.set_agent(message.agent);
  if (auto connected = host_->connect(kCatalogPeer, message.catalog_endpoint); !connected) {
    log::error("the allocator names a catalog that cannot be used: " + connected.error().message);
  }
  if (message.catalog_endpoint.empty()) say_ready();
}

/// An agent that has never been taken says why and ends; one that has goes on trying.
void AgentEffects::refused(const Error& error) {
  if (passes(error.code)) return;
  if (std::exchange(told_, error.message) != error.message) log::error(error.message);
  if (registered_) return;
  const auto now = steady_now();
  if (!refused_since_) refused_since_ = now;
  const bool may_pass = error.code == ErrorCode::name_in_use && now - *refused_since_ < kNameMayBeFreed;
  if (!may_pass) loop_.fail(error);
}

void AgentEffects::say_ready() {
  if (!std::exchange(said_ready_, true)) ready_(line_);
}

void AgentEffects::carry_out(const Action& action) {
  if (const auto* outputs = std::get_if<DropOutputs>(&action)) {
    data_.drop_outputs(outputs->framework, outputs->job);
  } else if (const auto* block = std::get_if<DropBlock>(&action)) {
    data_.drop_block(block->block);
  } else if (const auto* token = std::get_if<SetStoreToken>(&action)) {
    data_.set_token(token->token);
  } else {
    executor_.carry_out(action);
  }
}

void AgentEffects::want(Wishes& wishes) {
  wishes.fd(executor_.event_fd());
  wishes.fd(data_.event_fd());
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
