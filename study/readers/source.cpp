// Reading a trace by its name: the file is found, read and parsed into a workload.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "proffer/formats/toml.hpp"
#include "proffer/limits.hpp"
#include "proffer/names.hpp"
#include "proffer/study/trace_readers.hpp"

namespace proffer::study {
namespace {

constexpr std::array kFormats{TraceFormat::csv, TraceFormat::swim, TraceFormat::rumen, TraceFormat::sls};
constexpr double kMostCopies = 1000;
constexpr double kMostStretch = 1000;  // no time overflows

Result<> check(const TraceSettings& settings) {
  const auto invalid = [](std::string sentence) { return Error{ErrorCode::invalid, std::move(sentence)}; };
  const auto in = [](double value, double most) { return value > 0 && value <= most; };
  if (settings.block_bytes == 0 || settings.block_bytes > limits::kBlockBytes) {
    return invalid(fmt::format("the block size is {}; expected 1 to {} bytes", settings.block_bytes,
                               limits::kBlockBytes));
  }
  if (settings.reduce_bytes == 0) return invalid("the bytes of a reduce are 0; expected 1 or more");
  if (!in(settings.scale.jobs, kMostCopies)) {
    return invalid(fmt::format("the scale of jobs is {}; expected above 0 and at most {}",
                               settings.scale.jobs, kMostCopies));
  }
  if (!in(settings.scale.arrival, kMostStretch)) {
    return invalid(fmt::format("the scale of arrivals is {}; expected above 0 and at most {}",
                               settings.scale.arrival, kMostStretch));
  }
  return {};
}

Result<TraceRead> parse_rumen(const TraceSource& source, std::string_view text,
                              const TraceSettings& settings) {
  RumenTexts texts{text, source.path, std::nullopt, source.topology};
  if (source.topology.empty()) return parse_rumen_trace(texts, settings);
  const auto topology = formats::read_text_file(source.topology);
  if (!topology) return topology.error();
  texts.topology = *topology;
  return parse_rumen_trace(texts, settings);
}

Result<TraceRead> parse(const TraceSource& source, std::string_view text, const TraceSettings& settings) {
  switch (source.format) {
    case TraceFormat::swim:
      return parse_swim_trace(text, source.path, settings);
    case TraceFormat::sls:
      return parse_sls_trace(text, source.path, settings);
    case TraceFormat::rumen:
      return parse_rumen(source, text, settings);
    case TraceFormat::csv:
      break;
  }
  return parse_csv_trace(text, source.path);
}

}  // namespace

std::string_view to_string(TraceFormat format) {
  static constexpr std::array<std::string_view, kFormats.size()> kNames{"csv", "swim", "rumen", "sls"};
  return enum_name(kNames, format);
}

Result<TraceSource> parse_trace_source(std::string_view text) {
  const auto colon = text.find(':');
  const auto format = std::find_if(kFormats.begin(), kFormats.end(), [&](TraceFormat known) {
    return to_string(known) == text.substr(0, colon);
  });
  if (colon == text.npos || colon + 1 == text.size() || format == kFormats.end()) {
    return Error{ErrorCode::invalid,
                 fmt::format("\"{}\" is no trace: write swim:FILE, rumen:FILE, sls:FILE or csv:FILE", text)};
  }
  return TraceSource{*format, std::string(text.substr(colon + 1)), {}};
}

Result<TraceRead> read_trace(const TraceSource& source, const TraceSettings& settings) {
  if (const auto checked = check(settings); !checked) return checked.error();
  const auto text = formats::read_text_file(source.path);
  if (!text) return text.error();
  auto read = parse(source, *text, settings);
  if (!read) return read;
  read->workload = scale(std::move(read->workload), settings.scale);
  if (read->workload.jobs.empty()) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}: no job is left at a scale of {}", source.path, settings.scale.jobs)};
  }
  return read;
}

}  // namespace proffer::study
