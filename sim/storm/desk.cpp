#include "sim/storm/desk.hpp"

#include <fmt/format.h>

#include <utility>

namespace proffer::sim::storm {
namespace {

constexpr Duration kAskAgain = std::chrono::seconds(2);

Envelope first_words(Message message) {
  Envelope envelope;
  envelope.message = std::move(message);
  return envelope;
}

}  // namespace

void Desk::change(const std::string& agent, const std::string& verb, std::optional<Duration> kill_after,
                  std::function<void(bool)> done) {
  const auto request = ++last_;
  open_[request] = {ChangeAgent{request, agent, verb, kill_after}, std::move(done)};
  record_.line(agenda_.now(), fmt::format("operator: {} {}", verb, agent));
  ask(request);
}

/// Each request has a connection of its own, so that an answer without a number belongs to it.
void Desk::ask(std::uint64_t request) {
  const auto found = open_.find(request);
  if (found == open_.end()) return;
  deliver_(MessageReceived{PeerId{kPeers + request}, first_words(found->second.message)});
  agenda_.after(kAskAgain, [this, request] { ask(request); });
}

void Desk::look() {
  const auto request = ++last_;
  growing_.reset();
  deliver_(MessageReceived{PeerId{kPeers + request}, first_words(Describe{request})});
}

void Desk::receive(const Envelope& envelope) {
  if (const auto* state = std::get_if<ClusterState>(&envelope.message)) {
    if (!growing_) growing_ = ClusterState{};
    auto& whole = *growing_;
    whole.agents.insert(whole.agents.end(), state->agents.begin(), state->agents.end());
    whole.frameworks.insert(whole.frameworks.end(), state->frameworks.begin(), state->frameworks.end());
    whole.degraded = state->degraded;
    whole.recovers_for = state->recovers_for;
    if (state->more) return;
    seen_ = std::exchange(growing_, std::nullopt);
    seen_at_ = agenda_.now();
  } else if (const auto* answer = std::get_if<AdminDone>(&envelope.message)) {
    close(answer->request, !answer->error);
  } else if (std::holds_alternative<ErrorMessage>(envelope.message)) {
    // No number: an allocator that does not know the request.
    if (!open_.empty()) close(open_.begin()->first, false);
  }
}

void Desk::close(std::uint64_t request, bool done) {
  auto found = open_.extract(request);
  if (found.empty()) return;
  if (!done) record_.count("operator refused");
  found.mapped().done(done);
}

}  // namespace proffer::sim::storm
