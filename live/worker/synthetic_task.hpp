// Work of a known size: real bytes and real processor time, but nobody's data.
#pragma once

#include "live/worker/instructions.hpp"
#include "live/worker/task_end.hpp"
#include "live/worker/teller.hpp"
#include "live/worker/worker_env.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

TaskEnd run_synthetic(const WorkerEnv& env, const SyntheticWork& work, Context& context, Teller& teller,
                      Instructions& instructions);

}  // namespace proffer::live
