// Traces of real clusters as workloads, and workloads as tables. Every reader answers a broken line with
// `invalid` and "FILE:LINE: what is wrong; what was expected". A trace without a job is an error; jobs that
// are not in order of time are sorted. All numbers are drawn from the seed and the job's name, so that the
// same job gets the same times however much of its trace is read.
//
//   csv    ours; see below
//   swim   SWIM's samples: tab-separated id, submit s, gap s, map-input, shuffle and reduce-output bytes,
//          and perhaps the paths of input and output; no task times, no places. Maps: one for every
//          block_bytes of input, at least one; reduces: one for every reduce_bytes shuffled. Times are drawn.
//          Submit times count, gaps do not. Jobs of one path share the file, of which each reads its own
//          bytes from the beginning on; it is as large as its largest reader, or as what a job writes there,
//          and there from the start. Further columns are passed over.
//   swf    Standard Workload Format of the Parallel Workloads Archive (version 2.2): 18 columns, comments
//          behind ";". A parallel job becomes as many maps as it had processors, each of the job's run time.
//          Lines of partial executions (status 2 to 4) are passed over, since one line tells of them all.
//   google2011, google2019  usage traces of Google's cells: SUBMIT, SCHEDULE and end of each task. A task
//          becomes a map that computes as long as its last run; those that ran when the trace began, or that
//          never ended in it, are left out. 2011: task_events and job_events (CSV without header); 2019:
//          instance_events and collection_events (JSON lines, or CSV with a header); alloc sets are no jobs.
//   alibaba2018  batch_task.csv and batch_instance.csv of cluster-trace-v2018: instances of tasks that wait
//          for no other become maps, all others reduces. Instances have the times of batch_instance, or all
//          that of their task. What has not terminated is left out.
//   rumen  job traces of Hadoop's Rumen, with its topology: nodes, and replicas where they were. A task
//          computes as long as its first successful attempt ran: that includes start-up and reading. Names
//          lose the backslashes that Rumen puts before dots. A host may stand at any depth below the first:
//          its rack is the path above it. Times count from the first job.
//   sls    YARN's Scheduler Load Simulator: jobs with containers. A map's block lies where its container
//          ran. Times count from the first job.
//
// Our CSV (RFC 4180, UTF-8) has a row a job, and a header that names its columns, in any order; as written:
// job,framework,pool,user,bin,submit_s,file,maps,reduces,input_bytes,output_bytes,map_s,reduce_s,
// shuffle_bytes,setup_s,cleanup_s,file_bytes. There must be job, submit_s and maps; what is left out is empty
// or 0.
//
//   job, framework, pool, user, bin   texts; job is unique; without a bin it is that of bin_of(maps)
//   submit_s, setup_s, cleanup_s      seconds, with a fraction if need be
//   file           its input's path; empty: a file of its own, or none without bytes
//   maps, reduces  how many
//   input_bytes    of all maps together, dealt out evenly: the first so many bytes of the file
//   file_bytes     the file is at least so large; without it, as large as its largest reader
//   shuffle_bytes  what the maps give to the reduces; only with reduces
//   output_bytes   what the reduces write, or the maps where there are none
//   map_s, reduce_s  seconds that a task computes: one number for all, or one each, separated by spaces
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/generate.hpp"
#include "proffer/study/workload.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

enum class TraceFormat : std::uint8_t { csv, swim, rumen, sls, swf, google2011, google2019, alibaba2018 };
std::string_view to_string(TraceFormat format);

struct TraceSource {
  TraceFormat format = TraceFormat::csv;
  std::string path;  ///< a file, perhaps packed by gzip; of google2011, google2019, alibaba2018 also a folder
  std::string topology;  ///< topology file, for rumen only; empty: the nodes that the trace mentions
};
/// Reads FORMAT:FILE, such as "swim:FILE". `invalid` with what to write.
Result<TraceSource> parse_trace_source(std::string_view text);
/// The files of a trace: the path itself, or all below it in the order of their names when it is a folder.
std::vector<std::string> trace_files(const std::string& path);

/// The factors that make a trace heavier or lighter.
struct TraceScale {
  /// Up to 1000; 0.5: every other job; 2: each job twice, the second reading a file of its own.
  double jobs = 1;
  double arrival = 1;  ///< submit times are multiplied: 0.5 makes jobs come twice as fast
};

struct TraceSettings {
  std::uint64_t block_bytes = 128'000'000;     ///< above 0; swim, and where a trace has no sizes
  std::uint64_t reduce_bytes = 1'000'000'000;  ///< above 0; swim
  // The times of tasks for which the trace has none.
  Distribution map_time{Distribution::Shape::lognormal, std::chrono::seconds(10), std::chrono::seconds(3)};
  Distribution reduce_time{Distribution::Shape::lognormal, std::chrono::seconds(10), std::chrono::seconds(3)};
  std::uint64_t seed = 1;
  TraceScale scale;
};

struct TraceRead {
  Workload workload;
  std::vector<std::string> notes;  ///< sentences: what was left out or had to be assumed
};

/// Reads a trace; also `not_found` and `io`.
Result<TraceRead> read_trace(const TraceSource& source, const TraceSettings& settings = {});

// The same readers for texts, unscaled; `file` is for messages.
Result<TraceRead> parse_csv_trace(std::string_view text, std::string_view file);
Result<TraceRead> parse_swim_trace(std::string_view text, std::string_view file,
                                   const TraceSettings& settings);
Result<TraceRead> parse_sls_trace(std::string_view text, std::string_view file,
                                  const TraceSettings& settings);
Result<TraceRead> parse_swf_trace(std::string_view text, std::string_view file);
struct TraceText {
  std::string_view text;
  std::string_view file;
};
/// Gives one file after the other of a trace that has several; none at the end, or what is wrong with a file.
/// A text is there until the next call, a file's name until the reader is done.
using TraceTexts = std::function<Result<std::optional<TraceText>>()>;
Result<TraceRead> parse_google2011_trace(const TraceTexts& texts, std::string_view path);
Result<TraceRead> parse_google2019_trace(const TraceTexts& texts, std::string_view path);
Result<TraceRead> parse_alibaba2018_trace(const TraceTexts& texts, std::string_view path);
struct RumenTexts {
  std::string_view trace;
  std::string_view trace_file;
  std::optional<std::string_view> topology;
  std::string_view topology_file;
};
Result<TraceRead> parse_rumen_trace(const RumenTexts& texts, const TraceSettings& settings);

/// Writes a workload as CSV. Reading it again gives the same jobs and times to the microsecond; sizes of
/// blocks are evened out, and the names of nodes and replicas, and which job follows which (`after`), are
/// lost.
std::string write_csv_trace(const Workload& workload);
/// Writes a workload in SWIM's form, with the paths of inputs where jobs share files. Times of tasks, pools,
/// users and places are lost. Submit times are whole seconds, rounded down.
std::string write_swim_trace(const Workload& workload);

/// Scales a workload: the last step of read_trace, which has checked the factors; aborts on one that is not
/// above 0. Copies are named JOB#2, JOB#3, ...; for workloads without series (`after`).
Workload scale(Workload workload, const TraceScale& scale);

struct TraceWindow {
  Duration from{};
  std::optional<Duration> to;          ///< exclusive; none: to the end
  std::optional<std::uint64_t> first;  ///< largest number of jobs
};
/// The jobs submitted in the window, with times counted from its start, and the files they read. For
/// workloads without series (`after`).
Workload cut(Workload workload, const TraceWindow& window);

/// The class of job sizes that Delay Scheduling (EuroSys 2010, table 1) uses: "1", "2", "3-20", "21-60",
/// "61-150", "151-300", "301-500", "501-1500", "1501+"; "0" without maps.
std::string bin_of(std::size_t maps);

}  // namespace proffer::study
