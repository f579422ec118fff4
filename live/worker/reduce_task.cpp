#include "live/worker/reduce_task.hpp"

#include <utility>

#include "live/worker/combine.hpp"
#include "live/worker/line_feeder.hpp"
#include "live/worker/part_writer.hpp"
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

/// The reducer between the merged lines and its part.
Result<ExitStatus> run_reducer(const WorkerEnv& env, const ReduceWork& work, const Shuffled& shuffled,
                               PartWriter& part, Reporter& reporter, ReduceResult& result) {
  auto command = Command::start(work.reducer, command_env(env, work),
                                {[&](std::string_view bytes) { return part.write(bytes); },
                                 [&](std::string_view bytes) { reporter.add(bytes); }});
  if (!command) return command.error();
  LineFeeder feeder(**command);
  auto merged =
      merge_lines(shuffled.runs, env.sandbox, [&feeder](std::string_view line) { return feeder.add(line); });
  if (merged) merged = feeder.flush();
  if (!merged && !feeder.had_enough()) return merged.error();
  auto exit = (*command)->finish();
  reporter.finish();
  result.input_records = feeder.lines();
  return exit;
}

}  // namespace

TaskEnd run_reduce(const WorkerEnv& env, const ReduceWork& work, Context& context, Teller& teller) {
  const auto shuffled = shuffle(env, work, context);
  if (!shuffled) return failed(shuffled.error());
  if (!shuffled->missing.empty()) return outputs_missing(*shuffled);
  auto part = PartWriter::create(context, work.output, env.agent, env.fetch_timeout);
  if (!part) return failed(part.error());
  auto reporter = reporter_to(teller);
  ReduceResult result;
  const auto exit = run_reducer(env, work, *shuffled, **part, reporter, result);
  if (!exit) return failed(exit.error());
  if (exit->code != 0 || exit->signal != 0) return failed("reducer", *exit, reporter);
  if (auto closed = (*part)->close(); !closed) return failed(closed.error());
  result.local_bytes = shuffled->local_bytes;
  result.remote_bytes = shuffled->remote_bytes;
  result.output_records = (*part)->records();
  result.output_bytes = (*part)->bytes();
  result.counters = reporter.counters();
  return {0, std::move(result), {}};
}

}  // namespace proffer::live
