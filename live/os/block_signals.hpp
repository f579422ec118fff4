// Threads that no signal interrupts.
#pragma once

namespace proffer::live {

/// Blocks all signals in the thread that calls it: they are for the thread that can act on them.
void block_signals();

}  // namespace proffer::live
