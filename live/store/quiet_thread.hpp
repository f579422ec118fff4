#pragma once

namespace proffer::live {

/// For the thread that calls it: signals are for the one that can act on them.
void block_signals();

}  // namespace proffer::live
