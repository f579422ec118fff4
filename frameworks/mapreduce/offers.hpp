// Offers: which are accepted for which task is for the pool and the policy to say; here tasks are launched.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Answers these offers now, or keeps them for a rigid job.
void take_offers(const Turn& turn, const Offers& offers);
/// Answers offers that were kept for a rigid job for long enough, or for nothing.
void let_go(const Turn& turn);

}  // namespace proffer::mapreduce
