// One run of all frameworks, each a process of its own, on the cluster that is there.
#include <fmt/format.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "examples/demo/demo.hpp"
#include "examples/demo/fairness.hpp"
#include "proffer/frameworks/delay_formula.hpp"
#include "proffer/live/port.hpp"

namespace proffer::demo {
namespace {
namespace fs = std::filesystem;

constexpr Duration kModeTimeout = std::chrono::seconds(150);

/// TOML's literal multi-line string: nothing in it is changed.
std::string quoted(const std::string& text) { return "'''" + text + "'''"; }

/// Each framework starts at another slice, so that they do not all read the same blocks at once.
std::string job_list(const Options& options, const Mode& mode, int framework) {
  const auto& app = application(framework);
  std::string text;
  for (int i = 0; i < options.slices; ++i) {
    const int slice = (i + framework * options.slices / options.frameworks) % options.slices;
    text += fmt::format(
        "[[job]]\nname = \"{0}-{1}\"\ninput = [\"/input/{1}\"]\noutput = \"/out/{2}/{3}\"\nmapper = "
        "{4}\nreducer = {5}\n"
        "reduces = {6}\n\n",
        app.name, slice_name(slice), mode.name, job_name(framework, slice), quoted(app.mapper),
        quoted(app.reducer), app.reduces);
  }
  return text;
}

std::vector<std::string> command_line(const Options& options, const live::LocalCluster& cluster,
                                      const Mode& mode, int framework, const std::string& dir) {
  const auto name = fmt::format("{}-{}", application(framework).name, framework);
  const auto pool =
      mode.partitioned ? "static." + live::LocalCluster::rack_name(framework) : std::string("shared");
  const auto wait = mode.wait ? fmt::format("{}us", to_us(*mode.wait)) : "";
  return {options.proffer,
          "mr",
          "--quiet",
          "--end-with-parent",
          "--allocator",
          cluster.allocator_endpoint(),
          "--catalog",
          cluster.catalog_endpoint(),
          "--name",
          name,
          "--pool",
          pool,
          "--jobs",
          fmt::format("{}/{}.toml", dir, framework),
          "--replication",
          "1",
          "--max-running-jobs",
          std::to_string(options.running_jobs),
          "--policy",
          mode.wait ? fmt::format("wait,node_wait={0},rack_wait={0}", wait) : "greedy",
          "--summary",
          fmt::format("{}/{}.json", dir, framework)};
}

Result<std::vector<live::Child>> start_frameworks(const Options& options, const live::LocalCluster& cluster,
                                                  const Mode& mode, const std::string& dir) {
  std::vector<live::Child> children;
  for (int framework = 0; framework < options.frameworks; ++framework) {
    std::ofstream(fmt::format("{}/{}.toml", dir, framework)) << job_list(options, mode, framework);
    auto child = live::Child::start(command_line(options, cluster, mode, framework, dir),
                                    fmt::format("{}/{}.log", dir, framework));
    if (!child) return child.error();
    children.push_back(std::move(*child));
  }
  return children;
}

Result<> wait_for(std::vector<live::Child>& children, const std::string& dir) {
  const auto deadline = live::steady_now() + kModeTimeout;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto status = children[i].wait_exit(deadline - live::steady_now());
    if (!status) return Error{ErrorCode::timed_out, fmt::format("framework {} did not end in time", i)};
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) {
      return Error{ErrorCode::io, fmt::format("framework {} failed; {}/{}.log says why", i, dir, i)};
    }
  }
  return {};
}

}  // namespace

Result<Outcome> run_mode(const Options& options, const live::LocalCluster& cluster, const Mode& mode,
                         const std::string& dir) {
  std::error_code failed;
  fs::create_directories(dir, failed);
  Outcome outcome;
  outcome.mode = mode;
  const auto start = live::steady_now();
  auto children = start_frameworks(options, cluster, mode, dir);
  if (!children) return children.error();
  if (auto waited = wait_for(*children, dir); !waited) return waited.error();
  outcome.seconds = std::chrono::duration<double>(live::steady_now() - start).count();
  if (auto read = read_summaries(options, dir, outcome); !read) return read.error();
  auto jain = jain_since(cluster.event_log(), start);
  if (!jain) return jain.error();
  outcome.jain = *jain;
  return outcome;
}

FormulaWait formula_wait(const Options& options, const Outcome& undelayed) {
  const DelayModel model{options.agents, options.replication, options.maps_per_job};
  FormulaWait formula;
  formula.skips = skips_for_locality(model, options.locality);
  formula.slots_per_second = undelayed.maps_per_second;
  formula.wait = wait_for_skips(formula.skips, formula.slots_per_second);
  formula.wait_by_task_time =
      wait_for_skips(formula.skips, Duration(static_cast<std::int64_t>(undelayed.map_seconds * 1e6)),
                     options.agents * options.map_slots);
  return formula;
}

}  // namespace proffer::demo
