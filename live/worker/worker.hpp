// A worker: one process that runs one map or reduce.
#pragma once

namespace proffer::live {

/// Reads work.msgpack in the current folder and does it. Returns the exit code: 0, that of a command that
/// failed, or one of task_end.hpp. The last line on its standard error says why it failed.
int run_worker();

/// Writes a file in the current folder, and a word, as tasks do: 0 when both are there. Says to its agent
/// what is not.
int run_probe();

}  // namespace proffer::live
