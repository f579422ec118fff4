#include "allocator/offers/offer_handlers.hpp"

#include <algorithm>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

// ---- demand ----

std::optional<Error> refuse_demand(const DemandBook& book, const Demand& demand) {
  for (const auto& [kind, units] : demand.kinds) {
    if (units < 0) return Error{ErrorCode::invalid, "a demand below zero"};
    if (kind == Kind{}) return Error{ErrorCode::invalid, "a demand of no kind"};
  }
  for (const auto* size : {&demand.task, &demand.least}) {
    for (const auto& [kind, units] : *size) {
      if (is_bulk(kind) && units >= 1 && size->contains(kCpus) && demand.task.contains(kind)) continue;
      return Error{ErrorCode::invalid, "a task's size is of bulk resources, some cpus among them"};
    }
  }
  if (book.kinds_with(demand) > limits::kKinds) {
    return Error{ErrorCode::slow_down,
                 "a framework may declare a demand for " + std::to_string(limits::kKinds) + " kinds at most"};
  }
  return {};
}

void sync_demand(const Turn& turn, FrameworkRecord& framework) {
  auto& shares = turn.state.shares;
  for (const auto kind : shares.kinds()) {
    const auto units = framework.wanted(kind);
    if (units == shares.tree().demand(framework.index, kind)) continue;
    turn.trace(DemandChanged{framework.id, kind, units == kUnbounded ? -1 : units});
    shares.set_demand(framework.index, kind, units);
  }
}

void declare(const Turn& turn, FrameworkRecord& framework, const Demand& demand) {
  auto& state = turn.state;
  const auto size = framework.demand.task_size();
  const auto least = framework.demand.least_size();
  framework.demand.declare(demand);
  sync_demand(turn, framework);
  if (framework.demand.task_size() == size && framework.demand.least_size() == least) return;
  // What was too small may suit tasks of another size.
  state.filters.revived(framework.index, kCpus, state.stamps.next());
  state.shares.note_hungry(framework.index, kCpus);
}

namespace {

/// Checks the demand that rides in a message, and takes it over. False: the message was refused.
bool accept_demand(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
                   const Demand& demand) {
  if (auto error = refuse_demand(framework.demand, demand)) {
    turn.refuse(in, std::move(*error));
    return false;
  }
  declare(turn, framework, demand);
  return true;
}

std::vector<Kind> known_or_all(const State& state, const std::vector<Kind>& kinds) {
  if (kinds.empty()) return state.shares.kinds();
  std::vector<Kind> known;
  for (const auto kind : kinds) {
    if (state.shares.knows(kind)) known.push_back(kind);
  }
  return known;
}

}  // namespace

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Decline& message) {
  auto& state = turn.state;
  // The demand first: slots that come back below are offered by what the framework wants now.
  if (!accept_demand(turn, framework, in, message.demand)) return;
  spoke(turn, framework);
  for (const auto id : message.offers) {
    const auto* offer = state.offers.find(id);
    if (offer == nullptr || offer->framework != framework.index)
      continue;  // gone already: nothing to decline
    decline(turn, state.offers.consume(id), message.reason, message.refuse_for);
  }
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const Suppress& suppress) {
  if (suppress.kinds.size() > limits::kKinds) {
    return turn.refuse(in, {ErrorCode::invalid, "too many kinds"});
  }
  framework.demand.suppress(suppress.kinds);
  spoke(turn, framework);
  // Offers are taken back afterwards: else the framework would be hungry for its own slots.
  sync_demand(turn, framework);
  rescind_all_of(turn, framework, suppress.kinds);
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Revive& message) {
  auto& state = turn.state;
  ++framework.incumbent.revives;  // a refused one as well: it has not got lost
  if (auto error = refuse_demand(framework.demand, message.demand)) return turn.refuse(in, std::move(*error));
  framework.demand.revive(message.kinds);
  spoke(turn, framework);
  declare(turn, framework, message.demand);
  // The demand is known by now, so that a framework which wants nothing does not become hungry.
  for (const auto kind : known_or_all(state, message.kinds)) revive(turn, framework, kind);
}

}  // namespace proffer::allocator
