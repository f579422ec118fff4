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

/// Refuses a demand that is malformed, or of more kinds than a framework may declare.
std::optional<Error> refuse_demand(const DemandBook& book, const Demand& demand);
/// Takes over a demand that was not refused.
void declare(const Turn& turn, FrameworkRecord& framework, const Demand& demand);
/// Tells the share tree what the framework wants now, which is nothing while it is disconnected.
void sync_demand(const Turn& turn, FrameworkRecord& framework);

}  // namespace proffer::allocator
