#include "live/worker/combine.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "live/worker/line_feeder.hpp"

namespace proffer::live {
namespace {

void write_error(std::string_view text) {
  while (!text.empty()) {
    const auto put = ::write(STDERR_FILENO, text.data(), text.size());
    if (put <= 0) return;  // nobody listens
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

Reporter reporter_to(ReportWriter& reports) {
  return Reporter(
      {write_error, [&reports](std::string_view status) { reports.status(std::string(status)); }});
}

TaskEnd combine(const CombineOptions& options, SortedPartition input, Reporter& reporter,
                const LineSink& sink) {
  std::unique_ptr<Command> command;  // started by the first line
  std::unique_ptr<LineFeeder> feeder;
  LineSorter combined(options.folder, std::max<std::size_t>(options.sort_bytes, 1), 1);
  LineSplitter lines;
  const auto keep = [&](std::string_view line) { return combined.add(0, line); };
  const auto feed = [&](std::string_view line) -> Result<> {
    if (!command) {
      auto started = Command::start(options.command, options.env,
                                    {[&](std::string_view bytes) { return lines.add(bytes, keep); },
                                     [&](std::string_view bytes) { reporter.add(bytes); }});
      if (!started) return started.error();
      command = std::move(*started);
      feeder = std::make_unique<LineFeeder>(*command);
    }
    return feeder->add(line);
  };
  auto fed = input.lines->read(input.partition, feed);
  if (fed && !command) return {};
  if (fed) fed = feeder->flush();
  if (!fed && !(feeder && feeder->had_enough())) return failed(fed.error());
  const auto exit = command->finish();
  if (!exit) return failed(exit.error());
  reporter.finish();
  if (exit->code != 0 || exit->signal != 0) return failed("combiner", *exit, reporter);
  auto sorted = lines.finish(keep);
  if (sorted) sorted = combined.finish();
  if (sorted) sorted = combined.read(0, sink);
  return sorted ? TaskEnd{} : failed(sorted.error());
}

}  // namespace proffer::live
