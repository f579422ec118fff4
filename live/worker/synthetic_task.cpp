#include "live/worker/run_task.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "live/worker/attempts.hpp"
#include "live/worker/map_output.hpp"
#include "live/worker/part_writer.hpp"
#include "live/worker/reduce_inputs.hpp"
#include "live/worker/split_reader.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

constexpr std::uint64_t kLineBytes = 64;  // a line of output, newline included

struct Moved {
  std::uint64_t local = 0;
  std::uint64_t remote = 0;
};

Result<> forget(std::string_view) { return {}; }

Result<> read_blocks(const WorkerEnv& env, const SyntheticWork& work, Fetcher& fetcher, Moved& moved) {
  for (auto block : work.blocks) {
    block.first_record = 0;  // all of it
    const std::vector<BlockRead> whole{block};
    SplitReader reader(whole, env.blocks_dir, fetcher);
    if (auto read = reader.read(forget); !read) return read;
    moved.local += reader.local_bytes();
    moved.remote += reader.remote_bytes();
  }
  return {};
}

Result<> read_here(const std::string& path, std::uint64_t bytes) {
  const auto file = OpenFile::to_read(path, kTaskFile);
  if (!file) return file.error();
  std::string buffer(256 << 10, '\0');
  for (std::uint64_t done = 0; done < bytes;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - done));
    const auto got = file->read_at(done, buffer.data(), wanted);
    if (!got) return got.error();
    if (*got == 0) return Error{ErrorCode::corrupt, path + " is cut off"};
    done += *got;
  }
  return {};
}

/// Returns whether an input never ends: bytes are to be read, and the output that they come from has none.
bool is_endless(const SyntheticInput& input) { return input.bytes > 0 && input.output_bytes == 0; }

Result<> read_input(const WorkerEnv& env, const SyntheticWork& work, const SyntheticInput& input,
                    Fetcher& fetcher) {
  for (std::uint64_t left = input.bytes; left > 0;) {
    const auto bytes = std::min(left, input.output_bytes);
    left -= bytes;
    const MapOutputFile file{env.framework, work.job, input.map};
    const auto read = input.agent == env.agent
                          ? read_here(map_output_path(env, work.job, input.map), bytes)
                          : try_again([&] {
                              return fetcher.fetch(input.endpoint, work.job_token, file, 0, bytes, forget);
                            });
    if (!read) return read;
  }
  return {};
}

Result<> read_inputs(const WorkerEnv& env, const SyntheticWork& work,
                     const std::vector<SyntheticInput>& inputs, Fetcher& fetcher, Moved& moved,
                     std::vector<TaskId>& missing) {
  for (const auto& input : inputs) {
    if (is_endless(input)) {
      return Error{ErrorCode::invalid, "bytes of " + input.map.value + " are wanted, whose output is empty"};
    }
    if (!read_input(env, work, input, fetcher)) missing.push_back(input.map);
    (input.agent == env.agent ? moved.local : moved.remote) += input.bytes;
  }
  return {};
}

/// Computes for that long in processor time of this process, so that a crowded machine takes longer, as it
/// would with real work.
void burn(Duration compute) {
  const auto used = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  volatile std::uint64_t sink = 1;
  for (const auto end = used() + compute; used() < end;) {
    for (int i = 0; i < 100'000; ++i) sink = sink * 6364136223846793005u + 1442695040888963407u;
  }
}

/// Waits until a map would be done. Time that it has spent on reading counts: in the plan, it reads beside
/// computing.
void wait_until(Time end) {
  Poller poller;
  for (auto now = steady_now(); now < end; now = steady_now()) poller.wait({}, end - now);
}

Result<> write_output(const WorkerEnv& env, const SyntheticWork& work) {
  auto output = MapOutputWriter::create(env, work.job);
  if (!output) return output.error();
  (*output)->begin_partition();
  for (std::uint64_t left = work.output_bytes; left > 0;) {
    const auto bytes = std::min(left, kLineBytes);
    const auto line = std::string(static_cast<std::size_t>(bytes - 1), 'x');
    if (auto written = (*output)->append_line(line); !written) return written;
    left -= bytes;
  }
  return (*output)->close();
}

/// Writes the output into the store, as empty lines: so a record begins in every block, however small.
Result<> write_lines(PartWriter& part, std::uint64_t bytes) {
  const std::string lines(1 << 20, '\n');
  for (auto left = bytes; left > 0;) {
    const auto some = std::min<std::uint64_t>(left, lines.size());
    if (auto written = part.write(std::string_view(lines).substr(0, some)); !written) return written;
    left -= some;
  }
  return part.close();
}

/// Puts the output of a task that has computed into the store, where its job has one there.
TaskEnd stored(const WorkerEnv& env, const SyntheticWork& work, Context& context, TaskEnd end) {
  if (end.exit_code != 0 || work.output.path.empty()) return end;
  auto part = PartWriter::create(context, work.output, env.agent, env.fetch_timeout);
  if (!part) return failed_to_begin(part.error());
  auto written = write_lines(**part, work.output_bytes);
  return (*part)->judged(written ? std::move(end) : failed(written.error()));
}

/// Computes. `began`: for a map, the instant at which it began to read; for a reduce, that at which it got
/// its permit.
void compute(const WorkerEnv& env, const SyntheticWork& work, Time began) {
  if (env.synthetic_waits) {
    wait_until(began + work.compute);
  } else {
    burn(work.compute);
  }
}

TaskEnd run_map(const WorkerEnv& env, const SyntheticWork& work, Fetcher& fetcher) {
  const auto began = steady_now();
  Moved moved;
  if (auto read = read_blocks(env, work, fetcher, moved); !read) return failed(read.error());
  compute(env, work, began);
  if (work.output_bytes > 0 && work.output.path.empty()) {
    if (auto written = write_output(env, work); !written) return failed(written.error());
  }
  MapResult result;
  result.local_bytes = moved.local;
  result.remote_bytes = moved.remote;
  result.output_bytes = work.output_bytes;
  return succeeded(std::move(result));
}

/// Copies all inputs that the task is told of; names what is missing.
Result<> copy(const WorkerEnv& env, const SyntheticWork& work, Fetcher& fetcher, ReduceInputs& more_inputs,
              Moved& moved, std::vector<TaskId>& missing) {
  for (auto inputs = std::optional(work.inputs); inputs;) {
    if (auto read = read_inputs(env, work, *inputs, fetcher, moved, missing); !read) return read;
    if (!missing.empty()) return {};
    auto more = more_inputs.next();
    if (!more) return more.error();
    inputs = *more ? std::optional(std::move((*more)->synthetic)) : std::nullopt;
  }
  return {};
}

TaskEnd run_reduce(const WorkerEnv& env, const SyntheticWork& work, Fetcher& fetcher, ReportWriter& reports,
                   Instructions& instructions) {
  Moved moved;
  ReduceResult result;
  ReduceInputs more_inputs(work.complete, instructions, reports);
  if (auto copied = copy(env, work, fetcher, more_inputs, moved, result.missing); !copied) {
    return failed(copied.error());
  }
  if (!result.missing.empty()) {
    return {kOutputsMissing, result, "the output of " + result.missing.front().value + " is gone"};
  }
  reports.ask_for_permit();
  if (auto leave = instructions.wait_for_permit(); !leave) return failed(leave.error());
  compute(env, work, steady_now());
  result.local_bytes = moved.local;
  result.remote_bytes = moved.remote;
  result.output_bytes = work.output_bytes;
  return succeeded(std::move(result));
}

}  // namespace

TaskEnd run_synthetic(const WorkerEnv& env, const SyntheticWork& work, Context& context,
                      ReportWriter& reports, Instructions& instructions) {
  Fetcher fetcher(context, env.fetch_timeout);
  return stored(
      env, work, context,
      work.map ? run_map(env, work, fetcher) : run_reduce(env, work, fetcher, reports, instructions));
}

}  // namespace proffer::live
