// A trace as a section that makes workloads like it.
#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/trace.hpp"
#include "proffer/study/workload_fit.hpp"

namespace proffer::cli {
namespace {

std::string distances_text(const study::WorkloadFit& fit) {
  Table table({"", "VALUES", "MEAN", "SAMPLE", "CV", "SAMPLE", "KS"});
  for (const auto& one : fit.distances) {
    table.add({one.what, fmt::format("{}", one.values), fmt::format("{:.3f}", one.mean),
               fmt::format("{:.3f}", one.sample_mean), fmt::format("{:.3f}", one.cv),
               fmt::format("{:.3f}", one.sample_cv), fmt::format("{:.4f}", one.ks)});
  }
  return table.text();
}

/// Each line of a text behind "# ".
std::string commented(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.append("# ").append(text.substr(0, end)).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

TraceOutput fit_output(const study::Workload& workload, const TraceOptions& options,
                       std::vector<std::string> notes) {
  const auto fit = study::fit_workload(workload, options.synth.name, options.seed);
  const auto head = fmt::format(
      "Fitted to {}. Means, coefficients of variation and the distance of\n"
      "Kolmogorov and Smirnov (KS), of the trace and of what this section makes with seed {}:\n",
      options.source, options.seed);
  return {commented(head + distances_text(fit)) + study::write_workload_section(fit.spec), std::move(notes)};
}

}  // namespace proffer::cli
