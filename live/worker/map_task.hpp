// Runs one map: its records through the mapper, the output sorted for the reduces or written to the store.
#pragma once

#include "live/worker/task_end.hpp"
#include "live/worker/teller.hpp"
#include "live/worker/worker_env.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

TaskEnd run_map(const WorkerEnv& env, const MapWork& work, Context& context, Teller& teller);

}  // namespace proffer::live
