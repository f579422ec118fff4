// Runs one reduce: its partition of every map, merged, through the reducer into the store.
#pragma once

#include "live/worker/instructions.hpp"
#include "live/worker/task_end.hpp"
#include "live/worker/teller.hpp"
#include "live/worker/worker_env.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

TaskEnd run_reduce(const WorkerEnv& env, const ReduceWork& work, Context& context, Teller& teller,
                   Instructions& instructions);

}  // namespace proffer::live
