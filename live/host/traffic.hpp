// The classes of messages, by which a peer that is behind gets some and not others.
#pragma once

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

Traffic traffic_of(const Message& message);

}  // namespace proffer::live
