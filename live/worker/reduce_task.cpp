#include "live/worker/run_task.hpp"

#include <deque>
#include <utility>
#include <vector>

#include "live/worker/combine.hpp"
#include "live/worker/line_feeder.hpp"
#include "live/worker/part_writer.hpp"
#include "live/worker/reduce_inputs.hpp"
#include "live/worker/shuffle.hpp"

namespace proffer::live {
namespace {

TaskEnd outputs_missing(const Shuffled& shuffled) {
  ReduceResult result;
  result.missing = shuffled.missing;
  return {kOutputsMissing, std::move(result),
          "outputs of " + std::to_string(shuffled.missing.size()) + " maps could not be fetched, the first " +
              "since " + shuffled.why_missing};
}

/// The shuffled inputs, in batches as the reduce was told of them.
struct Gathered {
  std::deque<Shuffled> batches;

  std::vector<LineRun> runs() const {
    std::vector<LineRun> all;
    for (const auto& batch : batches) all.insert(all.end(), batch.runs.begin(), batch.runs.end());
    return all;
  }
  /// Returns the batch of which something is missing.
  const Shuffled* lacking() const {
    return batches.empty() || batches.back().missing.empty() ? nullptr : &batches.back();
  }
};

Result<Gathered> gather(const WorkerEnv& env, ReduceWork work, Context& context, ReduceInputs& more_inputs) {
  Gathered all;
  for (;;) {
    auto shuffled = shuffle(env, work, context);
    if (!shuffled) return shuffled.error();
    all.batches.push_back(std::move(*shuffled));
    if (all.lacking() != nullptr) return all;
    auto more = more_inputs.next();
    if (!more) return more.error();
    if (!*more) return all;
    work.inputs = std::move((*more)->inputs);
  }
}

/// The reducer between the merged lines and its part.
Result<ExitStatus> run_reducer(const WorkerEnv& env, const ReduceWork& work, const Gathered& gathered,
                               PartWriter& part, Reporter& reporter, ReduceResult& result) {
  auto command = Command::start(work.reducer, command_env(env, work),
                                {[&](std::string_view bytes) { return part.write(bytes); },
                                 [&](std::string_view bytes) { reporter.add(bytes); }});
  if (!command) return command.error();
  LineFeeder feeder(**command);
  auto merged = merge_lines(gathered.runs(), env.sandbox,
                            [&feeder](std::string_view line) { return feeder.add(line); });
  if (merged) merged = feeder.flush();
  if (!merged && !feeder.had_enough()) return merged.error();
  auto exit = (*command)->finish();
  reporter.finish();
  result.input_records = feeder.lines();
  return exit;
}

TaskEnd write_part(const WorkerEnv& env, const ReduceWork& work, const Gathered& gathered, PartWriter& part,
                   Reporter& reporter) {
  ReduceResult result;
  const auto exit = run_reducer(env, work, gathered, part, reporter, result);
  if (!exit) return failed(exit.error());
  if (exit->code != 0 || exit->signal != 0) return failed("reducer", *exit, reporter);
  if (auto closed = part.close(); !closed) return failed(closed.error());
  for (const auto& batch : gathered.batches) {
    result.local_bytes += batch.local_bytes;
    result.remote_bytes += batch.remote_bytes;
  }
  result.output_records = part.records();
  result.output_bytes = part.bytes();
  result.counters = reporter.counters();
  return succeeded(std::move(result));
}

}  // namespace

TaskEnd run_reduce(const WorkerEnv& env, const ReduceWork& work, Context& context, ReportWriter& reports,
                   Instructions& instructions) {
  ReduceInputs more_inputs(work.complete, instructions, reports);
  const auto gathered = gather(env, work, context, more_inputs);
  if (!gathered) return failed(gathered.error());
  if (const auto* lacking = gathered->lacking()) return outputs_missing(*lacking);
  reports.ask_for_permit();
  if (auto leave = instructions.wait_for_permit(); !leave) return failed(leave.error());
  auto part = PartWriter::create(context, work.output, env.agent, env.fetch_timeout);
  if (!part) return failed_to_begin(part.error());
  auto reporter = reporter_to(reports);
  return (*part)->judged(write_part(env, work, *gathered, **part, reporter));
}

}  // namespace proffer::live
