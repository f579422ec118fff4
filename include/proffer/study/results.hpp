// The results of a run: rows for the tables, and measures by name. They are computed from trace lines only,
// so a live run and a simulated one are measured by the same code. All times are seconds after the start of
// the run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/resources.hpp"
#include "proffer/topology.hpp"

namespace proffer::study {

struct JobRow {
  std::string name;
  std::string framework;
  std::string pool;
  std::string user;
  std::string bin;
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
  double submitted = 0;
  std::optional<double> started;   ///< time at which its first task was placed
  std::optional<double> finished;  ///< none: the run ended first
  bool ok = false;
  bool counted = true;  ///< false: submitted in the warm-up or the drain
  std::uint32_t node_local = 0;
  std::uint32_t rack_local = 0;
  std::uint32_t other_local = 0;
  /// What the time of its end is held against.
  struct Reference {
    std::optional<double> alone = {};  ///< response time on the empty cluster, where it was asked for
    std::optional<double> due = {};    ///< the time of its deadline
  };
  Reference reference = {};
  double waited = 0;   ///< sum of the waits before its launches; not in jobs.csv
  double cleanup = 0;  ///< part of `finished`, after its last task
  struct MapBytes {
    double each_reads = 0;  ///< on the average
    double all_leave = 0;   ///< for its reduces, all together
  };
  MapBytes map_bytes = {};
  std::string graph = {};  ///< the graph of which it is a stage; empty: none
};

struct TaskRow {
  std::string framework;
  std::string job;
  std::string task;
  std::string kind;
  std::string agent;
  std::string rack;
  Locality locality = Locality::any;
  bool preferred = false;  ///< the task had a preference
  double placed = 0;       ///< time at which the framework chose it for a slot
  double waited = 0;       ///< wait of its job at that time
  std::optional<double> ended;
  std::string state;  ///< FINISHED, KILLED, ...; empty: still running at the end
};

struct OfferRow {
  std::string offer;
  std::string framework;
  std::string agent;
  std::string kind;
  std::int64_t slots = 0;
  double made = 0;
  std::optional<double> ended;
  std::string outcome;  ///< accepted, declined, rescinded, expired; empty: open at the end
  std::string reason;   ///< reason of a decline
};

/// The slots that a framework had and was entitled to, from this instant on.
struct ShareRow {
  double time = 0;
  std::string framework;
  std::string kind;
  std::int64_t running = 0;
  std::int64_t offered = 0;
  double fair = 0;          ///< not rounded to whole slots
  std::int64_t demand = 0;  ///< -1: unbounded
};

/// The levels of tenants: the frameworks, the allocator's pools, a framework's own pools of jobs.
inline constexpr std::array<std::string_view, 3> kTenantLevels{"framework", "pool", "job_pool"};

/// A measure of one tenant.
struct TenantRow {
  std::string level;  ///< one of kTenantLevels
  std::string tenant;
  std::string measure;
  double value = 0;
};

/// A machine on which a live run took place, for whoever judges its figures. Times are real seconds.
struct MachineRow {
  std::string machine;  ///< "run": the one of the run itself, with allocator, catalog and tenants
  std::string address;  ///< the address at which others reached its agents; empty: this machine's own
  std::uint32_t agents = 0;
  std::uint32_t processors = 0;
  double round_trip = 0;   ///< of a question to it, the shortest of some
  double clock_drift = 0;  ///< by which its clock gained on that of the run's machine in the run
  double clock_error = 0;  ///< by which that may be wrong, either way
  double load_before = 0;  ///< load average of the last minute
  double load_after = 0;
  double busy = 0;    ///< part of its processors' time that was used in the run, by anybody
  double stolen = 0;  ///< part that its host gave to others
};

/// The part of a run that is measured, in seconds: without the warm-up and the drain.
struct Window {
  double from = 0;
  double until = 0;
};

/// The world in which a run took place.
struct RunWorld {
  bool live = false;
  /// Real seconds for one second of the plan, in a live run; all results are in the plan's time.
  double time_scale = 1;
  std::vector<std::string> notes;  ///< differences from the plan, a sentence each
  std::string_view name() const { return live ? "live" : "sim"; }
};

struct RunResult {
  std::string experiment;
  std::string cell;
  std::uint64_t seed = 0;
  std::string digest;  ///< hash of the canonical bytes of all trace lines, hexadecimal
  std::uint64_t events = 0;
  RunWorld world;
  double run_seconds = 0;  ///< duration in the plan's time
  Window window;
  double wall_seconds = 0;                 ///< real duration; in no file that must be the same twice
  std::map<std::string, double> measures;  ///< measures, named as in docs/MEASURES.md
  std::vector<JobRow> jobs;
  std::vector<TaskRow> tasks;
  std::vector<OfferRow> offers;  ///< only where they were asked for
  std::vector<ShareRow> shares;
  std::vector<TenantRow> tenants;
  std::vector<MachineRow> machines;  ///< of a live run, its own first
};

}  // namespace proffer::study
