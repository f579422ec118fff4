#include "cli/trace.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "cli/output.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/study/trace_readers.hpp"

namespace proffer::cli {
namespace {

/// An error of an option's text, with the option's name before it.
Error of_option(const char* option, const Error& error) {
  return {error.code, fmt::format("{}: {}", option, error.message)};
}

Result<study::TraceSettings> settings_of(const TraceOptions& options) {
  const auto block = parse_bytes(options.block_size);
  if (!block) return of_option("--block-size", block.error());
  const auto reduce = parse_bytes(options.reduce_size);
  if (!reduce) return of_option("--reduce-size", reduce.error());
  const auto map_time = study::parse_distribution(options.map_time);
  if (!map_time) return of_option("--map-time", map_time.error());
  const auto reduce_time = study::parse_distribution(options.reduce_time);
  if (!reduce_time) return of_option("--reduce-time", reduce_time.error());
  return study::TraceSettings{*block,       *reduce,      *map_time,
                              *reduce_time, options.seed, {options.scale_jobs, options.scale_arrival}};
}

Result<study::TraceRead> read(const TraceOptions& options) {
  auto source = study::parse_trace_source(options.source);
  if (!source) return source.error();
  if (!options.topology.empty() && source->format != study::TraceFormat::rumen) {
    return Error{ErrorCode::invalid, "--topology goes with a rumen trace only"};
  }
  source->topology = options.topology;
  const auto settings = settings_of(options);
  if (!settings) return settings.error();
  return study::read_trace(*source, *settings);
}

Result<study::TraceWindow> window_of(const TraceOptions& options) {
  const auto from = parse_duration(options.cut.from);
  if (!from) return of_option("--from", from.error());
  study::TraceWindow window{*from, std::nullopt, options.cut.jobs};
  if (options.cut.to.empty()) return window;
  const auto to = parse_duration(options.cut.to);
  if (!to) return of_option("--to", to.error());
  if (*to <= *from)
    return Error{ErrorCode::invalid,
                 fmt::format("--to {} is not after --from {}", options.cut.to, options.cut.from)};
  window.to = *to;
  return window;
}

Result<study::Workload> cut(study::Workload workload, const TraceOptions& options) {
  const auto window = window_of(options);
  if (!window) return window.error();
  auto part = study::cut(std::move(workload), *window);
  if (part.jobs.empty()) {
    return Error{ErrorCode::invalid, fmt::format("{} has no job between --from and --to", options.source)};
  }
  return part;
}

Result<std::string> written(const study::Workload& workload, const TraceOptions& options) {
  if (options.as == "csv") return study::write_csv_trace(workload);
  if (options.as == "swim") return study::write_swim_trace(workload);
  return Error{ErrorCode::invalid, fmt::format("--as is \"{}\"; write csv or swim", options.as)};
}

/// Notes what a conversion cannot keep.
void note_losses(const study::Workload& workload, const TraceOptions& options,
                 std::vector<std::string>& notes) {
  if (!workload.nodes.empty()) {
    notes.push_back(fmt::format("{} has no nodes: where {} nodes hold replicas is lost", options.as,
                                workload.nodes.size()));
  }
  if (options.as == "swim") notes.push_back("swim has no task times: they are lost");
}

Result<TraceOutput> table_of(const study::Workload& workload, const TraceOptions& options,
                             std::vector<std::string> notes) {
  auto text = written(workload, options);
  if (!text) return text.error();
  note_losses(workload, options, notes);
  return TraceOutput{std::move(*text), std::move(notes)};
}

Result<> write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return Error{ErrorCode::io, fmt::format("cannot write {}", path)};
  return {};
}

}  // namespace

Result<TraceOutput> trace_output(const TraceOptions& options) {
  if (options.verb == "synth") {
    const auto workload = synthesize(options);
    if (!workload) return workload.error();
    return table_of(*workload, options, {});
  }
  auto trace = read(options);
  if (!trace) return trace.error();
  if (options.verb == "stats") {
    auto text = options.json ? stats_json(trace->workload, options) : stats_text(trace->workload, options);
    return TraceOutput{std::move(text), std::move(trace->notes)};
  }
  if (options.verb == "fit") return fit_output(trace->workload, options, std::move(trace->notes));
  if (options.verb == "convert") return table_of(trace->workload, options, std::move(trace->notes));
  const auto part = cut(std::move(trace->workload), options);
  if (!part) return part.error();
  return table_of(*part, options, std::move(trace->notes));
}

int trace(const TraceOptions& options) {
  const auto output = trace_output(options);
  if (!output) return report(output.error());
  for (const auto& note : output->notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  if (options.out.empty()) {
    std::fwrite(output->text.data(), 1, output->text.size(), stdout);
    return kOk;
  }
  const auto done = write_file(options.out, output->text);
  return done ? kOk : report(done.error());
}

}  // namespace proffer::cli
