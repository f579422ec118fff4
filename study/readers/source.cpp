// Reading a trace by its name: the file is found, read and parsed into a workload.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "proffer/formats/toml.hpp"
#include "proffer/limits.hpp"
#include "proffer/names.hpp"
#include "proffer/study/trace_readers.hpp"

namespace proffer::study {
namespace {

constexpr std::array kFormats{TraceFormat::csv,        TraceFormat::swim,       TraceFormat::rumen,
                              TraceFormat::sls,        TraceFormat::swf,        TraceFormat::google2011,
                              TraceFormat::google2019, TraceFormat::alibaba2018};
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

/// The words by which the files of a trace are known in a folder; none: the trace is a single file.
std::vector<std::string_view> tables_of(TraceFormat format) {
  switch (format) {
    case TraceFormat::google2011:
      return {"job_events", "task_events"};
    case TraceFormat::google2019:
      return {"collection_events", "instance_events"};
    case TraceFormat::alibaba2018:
      return {"batch_task", "batch_instance"};
    default:
      return {};
  }
}

/// The files of a trace that has tables, of which one is in memory at a time.
class TableFiles {
 public:
  /// `not_found` when a folder has no table in it.
  static Result<TableFiles> find(const TraceSource& source) {
    TableFiles files;
    files.paths_ = trace_files(source.path);
    if (files.paths_ == std::vector{source.path}) return files;
    const auto tables = tables_of(source.format);
    std::erase_if(files.paths_, [&](const std::string& path) {
      return std::none_of(tables.begin(), tables.end(), [&](std::string_view table) {
        return path.find(table, source.path.size()) != path.npos;
      });
    });
    if (!files.paths_.empty()) return files;
    return Error{ErrorCode::not_found, fmt::format("there is no file in {} whose name has {}", source.path,
                                                   fmt::join(tables, " or "))};
  }

  Result<std::optional<TraceText>> next() {
    if (read_ == paths_.size()) return std::optional<TraceText>();
    const auto& path = paths_[read_++];
    auto text = formats::read_text_file(path);
    if (!text) return text.error();
    text_ = std::move(*text);
    return std::optional<TraceText>({text_, path});
  }

 private:
  std::vector<std::string> paths_;
  std::size_t read_ = 0;
  std::string text_;
};

Result<TraceRead> parse_tables(const TraceSource& source) {
  auto files = TableFiles::find(source);
  if (!files) return files.error();
  const auto next = [&files] { return files->next(); };
  if (source.format == TraceFormat::google2011) return parse_google2011_trace(next, source.path);
  if (source.format == TraceFormat::google2019) return parse_google2019_trace(next, source.path);
  return parse_alibaba2018_trace(next, source.path);
}

Result<TraceRead> parse_file(const TraceSource& source, const TraceSettings& settings) {
  const auto text = formats::read_text_file(source.path);
  if (!text) return text.error();
  switch (source.format) {
    case TraceFormat::swim:
      return parse_swim_trace(*text, source.path, settings);
    case TraceFormat::sls:
      return parse_sls_trace(*text, source.path, settings);
    case TraceFormat::rumen:
      return parse_rumen(source, *text, settings);
    case TraceFormat::swf:
      return parse_swf_trace(*text, source.path);
    default:
      return parse_csv_trace(*text, source.path);
  }
}

}  // namespace

std::string_view to_string(TraceFormat format) {
  static constexpr std::array<std::string_view, kFormats.size()> kNames{
      "csv", "swim", "rumen", "sls", "swf", "google2011", "google2019", "alibaba2018"};
  return enum_name(kNames, format);
}

Result<TraceSource> parse_trace_source(std::string_view text) {
  const auto colon = text.find(':');
  const auto format = std::find_if(kFormats.begin(), kFormats.end(), [&](TraceFormat known) {
    return to_string(known) == text.substr(0, colon);
  });
  if (colon == text.npos || colon + 1 == text.size() || format == kFormats.end()) {
    std::vector<std::string_view> known;
    for (const auto one : kFormats) known.push_back(to_string(one));
    return Error{ErrorCode::invalid, fmt::format("\"{}\" is no trace: write swim:FILE, say; known are {}",
                                                 text, fmt::join(known, ", "))};
  }
  return TraceSource{*format, std::string(text.substr(colon + 1)), {}};
}

std::vector<std::string> trace_files(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (auto at = std::filesystem::recursive_directory_iterator(path, error);
       !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file(error)) files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<TraceRead> read_trace(const TraceSource& source, const TraceSettings& settings) {
  if (const auto checked = check(settings); !checked) return checked.error();
  auto read = tables_of(source.format).empty() ? parse_file(source, settings) : parse_tables(source);
  if (!read) return read;
  read->workload = scale(std::move(read->workload), settings.scale);
  if (read->workload.jobs.empty()) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}: no job is left at a scale of {}", source.path, settings.scale.jobs)};
  }
  return read;
}

}  // namespace proffer::study
