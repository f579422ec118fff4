#include "study/results/tables.hpp"

#include <array>

namespace proffer::study {
namespace {

using Seconds = std::optional<double>;

Seconds between(Seconds from, Seconds to) {
  if (!from || !to) return {};
  return *to - *from;
}

Seconds stretch(const JobRow& job) {
  const auto turnaround = between(job.submitted, job.finished);
  const auto execution = between(job.started, job.finished);
  if (!turnaround || !execution || *execution <= 0) return {};
  return *turnaround / *execution;
}

/// Returns how a job ended in Batsim's words; it has none for a job that the end of the run cut short.
std::string final_state(const JobRow& job) {
  if (!job.finished) return job.started ? "RUNNING" : "SUBMITTED";
  return job.ok ? "COMPLETED_SUCCESSFULLY" : "COMPLETED_FAILED";
}

}  // namespace

std::span<const CsvColumn<JobRow>> job_columns() {
  using R = JobRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.name; }>("job_id"),
      derived<R, [](auto& r) { return r.framework; }>("workload_name"),
      derived<R, [](auto& r) { return r.bin; }>("profile"),
      column<R, [](auto& r) -> auto& { return r.submitted; }>("submission_time"),
      derived<R, [](auto& r) { return r.maps + r.reduces; }>("requested_number_of_resources"),
      derived<R, [](auto&) { return std::int64_t{-1}; }>("requested_time"),
      derived<R, [](auto& r) { return r.ok; }>("success"),
      derived<R, final_state>("final_state"),
      column<R, [](auto& r) -> auto& { return r.started; }>("starting_time"),
      derived<R, [](auto& r) { return between(r.started, r.finished); }>("execution_time"),
      column<R, [](auto& r) -> auto& { return r.finished; }>("finish_time"),
      derived<R, [](auto& r) { return between(r.submitted, r.started); }>("waiting_time"),
      derived<R, [](auto& r) { return between(r.submitted, r.finished); }>("turnaround_time"),
      derived<R, stretch>("stretch"),
      derived<R, [](auto&) { return std::string(); }>("allocated_resources"),
      derived<R, [](auto&) { return std::int64_t{-1}; }>("consumed_energy"),
      derived<R, [](auto&) { return std::string(); }>("metadata"),
      column<R, [](auto& r) -> auto& { return r.framework; }>("framework"),
      column<R, [](auto& r) -> auto& { return r.pool; }>("pool"),
      column<R, [](auto& r) -> auto& { return r.user; }>("user"),
      column<R, [](auto& r) -> auto& { return r.bin; }>("bin"),
      column<R, [](auto& r) -> auto& { return r.maps; }>("maps"),
      column<R, [](auto& r) -> auto& { return r.reduces; }>("reduces"),
      column<R, [](auto& r) -> auto& { return r.ok; }>("ok"),
      column<R, [](auto& r) -> auto& { return r.counted; }>("counted"),
      column<R, [](auto& r) -> auto& { return r.node_local; }>("node_local"),
      column<R, [](auto& r) -> auto& { return r.rack_local; }>("rack_local"),
      column<R, [](auto& r) -> auto& { return r.other_local; }>("other_local"),
      column<R, [](auto& r) -> auto& { return r.reference.alone; }>("alone"),
      column<R, [](auto& r) -> auto& { return r.cleanup; }>("cleanup"),
      column<R, [](auto& r) -> auto& { return r.map_bytes.each_reads; }>("map_bytes"),
      column<R, [](auto& r) -> auto& { return r.map_bytes.all_leave; }>("map_output"),
      column<R, [](auto& r) -> auto& { return r.graph; }>("graph"),
      column<R, [](auto& r) -> auto& { return r.reference.due; }>("due"),
  };
  return kColumns;
}

std::span<const CsvColumn<TaskRow>> task_columns() {
  using R = TaskRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.framework; }>("framework"),
      column<R, [](auto& r) -> auto& { return r.job; }>("job"),
      column<R, [](auto& r) -> auto& { return r.task; }>("task"),
      column<R, [](auto& r) -> auto& { return r.kind; }>("kind"),
      column<R, [](auto& r) -> auto& { return r.agent; }>("agent"),
      column<R, [](auto& r) -> auto& { return r.rack; }>("rack"),
      column<R, [](auto& r) -> auto& { return r.locality; }>("locality"),
      column<R, [](auto& r) -> auto& { return r.preferred; }>("preferred"),
      column<R, [](auto& r) -> auto& { return r.placed; }>("placed"),
      column<R, [](auto& r) -> auto& { return r.waited; }>("waited"),
      column<R, [](auto& r) -> auto& { return r.ended; }>("ended"),
      column<R, [](auto& r) -> auto& { return r.state; }>("state"),
  };
  return kColumns;
}

std::span<const CsvColumn<OfferRow>> offer_columns() {
  using R = OfferRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.offer; }>("offer"),
      column<R, [](auto& r) -> auto& { return r.framework; }>("framework"),
      column<R, [](auto& r) -> auto& { return r.agent; }>("agent"),
      column<R, [](auto& r) -> auto& { return r.kind; }>("kind"),
      column<R, [](auto& r) -> auto& { return r.slots; }>("slots"),
      column<R, [](auto& r) -> auto& { return r.made; }>("made"),
      column<R, [](auto& r) -> auto& { return r.ended; }>("ended"),
      column<R, [](auto& r) -> auto& { return r.outcome; }>("outcome"),
      column<R, [](auto& r) -> auto& { return r.reason; }>("reason"),
  };
  return kColumns;
}

std::span<const CsvColumn<ShareRow>> share_columns() {
  using R = ShareRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.time; }>("time"),
      column<R, [](auto& r) -> auto& { return r.framework; }>("framework"),
      column<R, [](auto& r) -> auto& { return r.kind; }>("kind"),
      column<R, [](auto& r) -> auto& { return r.running; }>("running"),
      column<R, [](auto& r) -> auto& { return r.offered; }>("offered"),
      column<R, [](auto& r) -> auto& { return r.fair; }>("fair"),
      column<R, [](auto& r) -> auto& { return r.demand; }>("demand"),
  };
  return kColumns;
}

std::span<const CsvColumn<TenantRow>> tenant_columns() {
  using R = TenantRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.level; }>("level"),
      column<R, [](auto& r) -> auto& { return r.tenant; }>("tenant"),
      column<R, [](auto& r) -> auto& { return r.measure; }>("measure"),
      column<R, [](auto& r) -> auto& { return r.value; }>("value"),
  };
  return kColumns;
}

std::span<const CsvColumn<MachineRow>> machine_columns() {
  using R = MachineRow;
  static constexpr std::array kColumns{
      column<R, [](auto& r) -> auto& { return r.machine; }>("machine"),
      column<R, [](auto& r) -> auto& { return r.address; }>("address"),
      column<R, [](auto& r) -> auto& { return r.agents; }>("agents"),
      column<R, [](auto& r) -> auto& { return r.processors; }>("processors"),
      column<R, [](auto& r) -> auto& { return r.round_trip; }>("round_trip"),
      column<R, [](auto& r) -> auto& { return r.clock_drift; }>("clock_drift"),
      column<R, [](auto& r) -> auto& { return r.clock_error; }>("clock_error"),
      column<R, [](auto& r) -> auto& { return r.load_before; }>("load_before"),
      column<R, [](auto& r) -> auto& { return r.load_after; }>("load_after"),
      column<R, [](auto& r) -> auto& { return r.busy; }>("busy"),
      column<R, [](auto& r) -> auto& { return r.stolen; }>("stolen"),
  };
  return kColumns;
}

}  // namespace proffer::study
