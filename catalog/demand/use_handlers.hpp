// Frameworks that report how blocks were used.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const BlocksUsed& used);

}  // namespace proffer::catalog
