#include "allocator/peers/pace.hpp"

#include <variant>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/peers/liveness.hpp"

namespace proffer::allocator {
namespace {

/// Has a framework that is held back counted as one that refuses slots by its own choice: its pools are owed
/// nothing meanwhile.
void note_held_back(const Turn& turn, FrameworkRecord& framework) {
  auto& state = turn.state;
  for (const auto kind : state.shares.kinds()) {
    state.starvation.note_refusal(state.shares, framework.index, kind, {});
  }
}

void note_let_go(const Turn& turn, FrameworkRecord& framework) {
  auto& state = turn.state;
  for (const auto kind : state.shares.kinds()) {
    state.shares.note_hungry(framework.index, kind);
    state.starvation.note_revival(framework.index, kind, turn.now);
  }
}

void note_change(const Turn& turn, FrameworkRecord& framework, bool was_held_back) {
  const bool is = framework.contact.held_back();
  if (is && !was_held_back) note_held_back(turn, framework);
  if (!is && was_held_back) note_let_go(turn, framework);
}

}  // namespace

void handle(const Turn& turn, const PeerLag& news) {
  const auto speaker = turn.state.peers.find(news.peer);
  const auto* index = std::get_if<FrameworkIndex>(&speaker);
  if (index == nullptr) return;
  auto& framework = turn.state.frameworks[*index];
  auto& contact = framework.contact;
  const bool was_held_back = contact.held_back();
  const auto former = contact.lag;
  contact.note_lag(news.peer, news.lag, turn.now);
  // Offers are taken back also when the framework was full before: one may have been thrown away since.
  if (news.lag == Lag::full) rescind_all_of(turn, framework, {});
  // The slots are back by now: the framework refuses what it wants beyond its tasks alone.
  note_change(turn, framework, was_held_back);
  watch(turn, framework);
  if (former == Lag::full && news.lag != Lag::full) send_owed(turn, framework);
}

void fall_mute(const Turn& turn, FrameworkRecord& framework) {
  const bool was_held_back = framework.contact.held_back();
  framework.contact.mute = true;
  rescind_all_of(turn, framework, {});
  note_change(turn, framework, was_held_back);
}

void speak_again(const Turn& turn, FrameworkRecord& framework) {
  framework.contact.mute = false;
  note_change(turn, framework, true);
}

void send_owed(const Turn& turn, FrameworkRecord& framework) {
  for (const auto launch : framework.launches()) {
    const auto& task = turn.state.tasks[launch];
    if (task.owed) turn.update(framework, task);
  }
}

}  // namespace proffer::allocator
