// The work of each kind of task in its process. Each function returns when the task has ended; it reports
// while it runs, and reads from `instructions` what it has to wait for.
#pragma once

#include "live/worker/instructions.hpp"
#include "live/worker/report_writer.hpp"
#include "live/worker/task_end.hpp"
#include "live/worker/worker_env.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

/// Runs a map: its records through the mapper, the output sorted for the reduces or written to the store.
TaskEnd run_map(const WorkerEnv& env, const MapWork& work, Context& context, ReportWriter& reports);

/// Runs a reduce: its partition of every map, merged, through the reducer into the store.
TaskEnd run_reduce(const WorkerEnv& env, const ReduceWork& work, Context& context, ReportWriter& reports,
                   Instructions& instructions);

/// Runs work of a known size: real bytes and real processor time, but nobody's data.
TaskEnd run_synthetic(const WorkerEnv& env, const SyntheticWork& work, Context& context,
                      ReportWriter& reports, Instructions& instructions);

}  // namespace proffer::live
