// A fitted workload as a section of an experiment.
#include <fmt/format.h>

#include <iterator>

#include "proffer/check.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/study/workload_fit.hpp"

namespace proffer::study {
namespace {

std::string arrivals_text(const Arrivals& arrivals) {
  switch (arrivals.process) {
    case Arrivals::Process::poisson:
      return fmt::format("{{ process = \"poisson\", mean = \"{}\" }}", format_duration(arrivals.gap));
    case Arrivals::Process::fixed:
      return fmt::format("{{ process = \"fixed\", gap = \"{}\" }}", format_duration(arrivals.gap));
    case Arrivals::Process::renewal:
      return fmt::format("{{ process = \"renewal\", gaps = \"{}\" }}", to_string(arrivals.gaps));
    default:
      break;
  }
  return "\"at-once\"";
}

std::string input_text(const GenerateSpec& spec) {
  if (spec.popularity) {
    return fmt::format("popularity = {{ files = {}, exponent = {:.3f} }}", spec.popularity->files,
                       spec.popularity->exponent);
  }
  return fmt::format("input = \"{}\"", spec.input == GenerateSpec::Input::none ? "none" : "own");
}

}  // namespace

std::string write_workload_section(const GenerateSpec& spec) {
  std::string text = "[[workload]]\n";
  auto out = std::back_inserter(text);
  fmt::format_to(out, "name = {}\n", formats::toml_quoted(spec.name));
  fmt::format_to(out, "arrivals = {}\n", arrivals_text(spec.arrivals));
  fmt::format_to(out, "map_time = \"{}\"\n", to_string(spec.map_time));
  fmt::format_to(out, "reduce_time = \"{}\"\n", to_string(spec.reduce_time));
  fmt::format_to(out, "{}\n", input_text(spec));
  fmt::format_to(out, "block_size = \"{}\"\nmap_output = {:.6f}\nbins = [\n", format_bytes(spec.block_bytes),
                 spec.map_output);
  for (const auto& bin : spec.bins) {
    fmt::format_to(out, "  {{ maps = {}, reduces = {}, jobs = {} }},\n", bin.maps, bin.reduces, bin.jobs);
  }
  return text + "]\n";
}

}  // namespace proffer::study
