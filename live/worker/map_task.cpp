#include "live/worker/run_task.hpp"

#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "live/worker/combine.hpp"
#include "live/worker/line_counter.hpp"
#include "live/worker/line_key.hpp"
#include "live/worker/line_sorter.hpp"
#include "live/worker/map_output.hpp"
#include "live/worker/part_writer.hpp"
#include "live/worker/split_reader.hpp"

namespace proffer::live {
namespace {

class MapTask {
 public:
  MapTask(const WorkerEnv& env, const MapWork& work, Context& context, ReportWriter& reports)
      : env_(env),
        work_(work),
        context_(context),
        fetcher_(context, env.fetch_timeout),
        input_(work.blocks, env.blocks_dir, fetcher_),
        reporter_(reporter_to(reports)),
        sorter_(env.sandbox, env.sort_bytes, std::max<std::uint32_t>(work.partitions, 1)) {}

  TaskEnd run() {
    if (work_.partitions == 0) {
      auto part = PartWriter::create(context_, work_.output, env_.agent, env_.fetch_timeout);
      if (!part) return failed_to_begin(part.error());
      part_ = std::move(*part);
    }
    auto end = run_all();
    return part_ ? part_->judged(std::move(end)) : end;
  }

 private:
  TaskEnd run_all() {
    const auto exit = run_mapper();
    if (!exit) return failed(exit.error());
    if (exit->code != 0 || exit->signal != 0) return failed("mapper", *exit, reporter_);
    return part_ ? finish_part() : finish_output();
  }

  Result<ExitStatus> run_mapper() {
    auto command = Command::start(work_.mapper, command_env(env_, work_),
                                  {[this](std::string_view bytes) { return take(bytes); },
                                   [this](std::string_view bytes) { reporter_.add(bytes); }});
    if (!command) return command.error();
    LineCounter records;
    bool enough = false;
    auto read = input_.read([&](std::string_view bytes) -> Result<> {
      enough = !(*command)->wants_input();
      if (enough) return Error{ErrorCode::refused, "the mapper reads no more"};
      records.add(bytes);
      return (*command)->feed(bytes);
    });
    if (!read && !enough) return read.error();
    auto exit = (*command)->finish();
    reporter_.finish();
    result_.input_records = records.count();
    return exit;
  }

  /// Takes what the mapper writes.
  Result<> take(std::string_view bytes) {
    if (part_) return part_->write(bytes);
    return lines_.add(bytes, [this](std::string_view line) { return take_line(line); });
  }
  Result<> take_line(std::string_view line) {
    ++result_.output_records;
    result_.output_bytes += line.size() + 1;
    return sorter_.add(partition_of(key_of(line), work_.partitions), line);
  }

  TaskEnd finish_part() {
    if (auto closed = part_->close(); !closed) return failed(closed.error());
    result_.output_records = part_->records();
    result_.output_bytes = part_->bytes();
    return done();
  }

  TaskEnd finish_output() {
    auto sorted = lines_.finish([this](std::string_view line) { return take_line(line); });
    if (sorted) sorted = sorter_.finish();
    if (!sorted) return failed(sorted.error());
    auto output = MapOutputWriter::create(env_, work_.job);
    if (!output) return failed(output.error());
    for (std::uint32_t partition = 0; partition < work_.partitions; ++partition) {
      (*output)->begin_partition();
      if (auto end = write_partition(partition, **output); end.exit_code != 0) return end;
    }
    if (auto closed = (*output)->close(); !closed) return failed(closed.error());
    result_.partitions = (*output)->partitions();
    return done();
  }

  TaskEnd write_partition(std::uint32_t partition, MapOutputWriter& output) {
    const auto append = [&output](std::string_view line) { return output.append_line(line); };
    if (!work_.combiner.empty()) {
      return combine({work_.combiner, command_env(env_, work_), env_.sandbox, env_.sort_bytes / 4},
                     {&sorter_, partition}, reporter_, append);
    }
    const auto written = sorter_.read(partition, append);
    return written ? TaskEnd{} : failed(written.error());
  }

  TaskEnd done() {
    result_.local_bytes = input_.local_bytes();
    result_.remote_bytes = input_.remote_bytes();
    result_.counters = reporter_.counters();
    return succeeded(std::move(result_));
  }

  const WorkerEnv& env_;
  const MapWork& work_;
  Context& context_;
  Fetcher fetcher_;
  SplitReader input_;
  Reporter reporter_;
  LineSorter sorter_;
  LineSplitter lines_;
  std::unique_ptr<PartWriter> part_;  // the output of a map whose output is the job's
  MapResult result_;
};

}  // namespace

TaskEnd run_map(const WorkerEnv& env, const MapWork& work, Context& context, ReportWriter& reports) {
  return MapTask(env, work, context, reports).run();
}

}  // namespace proffer::live
