// Answers to offers, and what a framework says of offers to come: ACCEPT, DECLINE, SUPPRESS, REVIVE, and the
// demand that rides in most of its messages.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Accept& accept);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Decline& decline);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const Suppress& suppress);
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Revive& revive);

/// Nothing when the demand is well-formed and this framework may declare it.
std::optional<Error> refuse_demand(const DemandBook& book, const Demand& demand);
void declare(const Turn& turn, FrameworkRecord& framework, const Demand& demand);
/// Tells the share tree what the framework may want now: nothing while it is disconnected.
void sync_demand(const Turn& turn, FrameworkRecord& framework);

}  // namespace proffer::allocator
