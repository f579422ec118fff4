#include "cli/simulated_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "proffer/formats/event_log.hpp"
#include "proffer/sim/simulate.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::cli {
namespace {

/// Hands lines on to the recorder, and writes them as an event log.
class LogWriter final : public study::TraceSink {
 public:
  LogWriter(study::Recorder& recorder, const std::string& path) : recorder_(recorder) {
    if (!path.empty()) out_.open(path, std::ios::binary | std::ios::trunc);
  }
  bool ok() const { return static_cast<bool>(out_); }

  void line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) override {
    recorder_.line(time, seq, source, trace);
    if (out_.is_open()) out_ << format_trace({time, seq, std::string(source), trace}) << '\n';
  }

 private:
  study::Recorder& recorder_;
  std::ofstream out_;
};

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Result<study::RunResult> simulated_run(const study::Experiment& experiment, const study::Cell& cell,
                                       std::uint64_t seed, const SimulatedRunOptions& options) {
  const auto plan = study::make_plan(experiment, cell, seed);
  if (!plan) return plan.error();
  study::Recorder recorder(*plan, sim::kStart, {options.tasks, options.offers});
  LogWriter log(recorder, options.events);
  if (!options.events.empty() && !log.ok())
    return Error{ErrorCode::io, options.events + " cannot be written"};
  sim::SimulationOptions settings;
  settings.codec = options.codec;
  settings.check_every = options.check_every;
  if (options.progress) {
    settings.progress = [&](Duration simulated, std::uint64_t jobs) {
      options.progress(seconds(simulated), jobs);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto simulated =
      options.events.empty() ? sim::simulate(*plan, recorder, settings) : sim::simulate(*plan, log, settings);
  if (!simulated) return simulated.error();
  if (!simulated->jobs_failed.empty()) {
    return Error{ErrorCode::invalid,
                 fmt::format("{} jobs failed; the first: {}", simulated->jobs_failed.size(),
                             simulated->jobs_failed.front())};
  }
  if (!options.events.empty() && !log.ok())
    return Error{ErrorCode::io, options.events + " could not be written"};
  auto result = recorder.finish(simulated->duration);
  result.events = simulated->events;
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace proffer::cli
