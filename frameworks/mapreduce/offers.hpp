// Offers: which are accepted for which task is for the pool and the policy to say; here tasks are launched.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Answers these offers now.
void take_offers(const Turn& turn, const Offers& offers);

}  // namespace proffer::mapreduce
