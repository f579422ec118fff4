// Google cluster-usage traces, version 3 (Wilkes et al., 2019; clusterdata_trace_format_v3.proto of
// github.com/google/cluster-data): the tables collection_events and instance_events, as JSON lines or as CSV
// with a header, as BigQuery exports them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "proffer/formats/json_tree.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/csv_records.hpp"
#include "study/readers/field.hpp"
#include "study/readers/lines.hpp"
#include "study/readers/task_runs.hpp"

namespace proffer::study {
namespace {

using Event = TaskRuns::Event;
using formats::JsonType;

constexpr std::uint64_t kMostTime = ~std::uint64_t{0} >> 1;
constexpr std::array<std::string_view, 11> kEvents{"SUBMIT", "QUEUE",          "ENABLE",        "SCHEDULE",
                                                   "EVICT",  "FAIL",           "FINISH",        "KILL",
                                                   "LOST",   "UPDATE_PENDING", "UPDATE_RUNNING"};

/// The fields of a row that are read; empty: the row does not have it.
struct Row {
  std::string time;
  std::string type;
  std::string collection;
  std::string collection_type;
  std::string index;  ///< of instance_events alone
  std::string user;   ///< of collection_events alone
};
constexpr std::array<std::pair<std::string_view, std::string Row::*>, 6> kFields{
    {{"time", &Row::time},
     {"type", &Row::type},
     {"collection_id", &Row::collection},
     {"collection_type", &Row::collection_type},
     {"instance_index", &Row::index},
     {"user", &Row::user}}};

/// An event by its number or its name.
Result<Event> event_of(TracePlace place, std::string_view text) {
  const auto named = std::find(kEvents.begin(), kEvents.end(), text);
  auto number = static_cast<std::uint64_t>(named - kEvents.begin());
  if (named == kEvents.end()) {
    const auto read = read_count(place, "type", text, kEvents.size() - 1);
    if (!read) return read.error();
    number = *read;
  }
  if (number == 0) return Event::submitted;
  if (number == 3) return Event::began;
  return number >= 4 && number <= 8 ? Event::ended : Event::other;
}

Result<> read_row(TaskRuns& runs, TracePlace place, const Row& row) {
  const auto collection = read_count(place, "collection_id", row.collection, kMostTime);
  if (!collection) return collection.error();
  const auto time = read_count(place, "time", row.time, kMostTime);
  if (!time) return time.error();
  // Those who export leave out what is the enumeration's first: SUBMIT, and JOB.
  const auto event = event_of(place, row.type.empty() ? "SUBMIT" : row.type);
  if (!event) return event.error();
  if (row.collection_type == "1" || row.collection_type == "ALLOC_SET") return {};
  if (row.index.empty()) {
    runs.of_job(place, *collection, *event, *time, row.user);
    return {};
  }
  const auto index = read_count(place, "instance_index", row.index, kMostTime);
  if (!index) return index.error();
  runs.of_task(place, *collection, *index, *event, *time, "");
  return {};
}

std::string text_of(const formats::JsonNode* node) {
  if (node == nullptr) return {};
  return node->type == JsonType::integer ? std::to_string(node->integer) : node->text;
}

Result<> read_json(TaskRuns& runs, const TraceText& text) {
  TextLines lines(text.text);
  while (const auto line = lines.next()) {
    const TracePlace place{text.file, lines.number()};
    const auto object = formats::parse_json(*line, text.file);
    if (!object || object->type != JsonType::object) {
      return error_at(place, "this line is no JSON object; expected one a line, each an event");
    }
    Row row;
    for (const auto& [name, member] : kFields) row.*member = text_of(object->find(name));
    if (const auto read = read_row(runs, place, row); !read) return read.error();
  }
  return {};
}

Result<> read_csv(TaskRuns& runs, const TraceText& text) {
  CsvRecords records(text.text, text.file);
  const auto header = records.next();
  if (!header) return header.error();
  if (!*header) return {};
  std::map<std::size_t, std::string Row::*> columns;
  for (std::size_t i = 0; i < (*header)->size(); ++i) {
    for (const auto& [name, member] : kFields) {
      if ((**header)[i] == name) columns[i] = member;
    }
  }
  if (columns.size() < 3) {
    return error_at({text.file, records.line()},
                    "the header has no columns time, type and collection_id; expected those of "
                    "instance_events or collection_events");
  }
  while (true) {
    const auto record = records.next();
    if (!record) return record.error();
    if (!*record) return {};
    const TracePlace place{text.file, records.line()};
    if ((*record)->size() != (*header)->size()) {
      return error_at(place, fmt::format("{} fields; expected {}, as the header has", (*record)->size(),
                                         (*header)->size()));
    }
    Row row;
    for (const auto& [column, member] : columns) row.*member = (**record)[column];
    if (const auto read = read_row(runs, place, row); !read) return read.error();
  }
}

}  // namespace

Result<TraceRead> parse_google2019_trace(const TraceTexts& texts, std::string_view path) {
  TaskRuns runs;
  while (true) {
    const auto text = texts();
    if (!text) return text.error();
    if (!*text) return std::move(runs).finish(path);
    const auto first = (*text)->text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && (*text)->text[first] == '{';
    const auto read = is_json ? read_json(runs, **text) : read_csv(runs, **text);
    if (!read) return read.error();
  }
}

}  // namespace proffer::study
