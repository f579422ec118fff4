#include "frameworks/mapreduce/state.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

State::State(MapReduceConfig settings, JobObserver* observer)
    : config(std::move(settings)),
      reporter(observer),
      launches(config.balance_long_tasks),
      backups(config.speculation),
      pool(config.sharing),
      replies(pool, {config.map_kind, config.reduce_kind}, config.gather_for) {
  pool.bar([this](JobId id, Kind kind, AgentId agent, std::size_t placed) {
    const bool may_copy = config.max_copying > 0 && kind == config.reduce_kind;
    if (may_copy && jobs.at(id).tasks.copies_enough(config.max_copying, agent, placed)) return true;
    return launches.crowded(id, agent, placed);
  });
}

void State::measure_tasks() {
  sizes = {};
  for (const auto id : line.in_pool()) {
    const auto& tasks = jobs.at(id).tasks;
    sizes.include(tasks.map_bytes, tasks.reduce_bytes);
  }
}

void State::check_invariants() const {
  line.check_invariants();
  launches.check_invariants();
  backups.check_invariants();
  pace.check_invariants();
  pool.check_invariants();
  std::size_t second = 0;
  for (const auto& [id, job] : jobs) {
    job.check_invariants();
    PROFFER_CHECK(line.active().contains(id) != job.ended(),
                  "a job is in the line that has ended, or is not");
    for (const bool map : {true, false}) {
      const auto unlaunched = line.in_pool().contains(id) ? pool.unlaunched(id, kind(map)) : 0;
      const auto& table = job.tasks.table(map);
      const auto open = table.opened().size();
      PROFFER_CHECK(unlaunched == static_cast<std::int64_t>(open), "the pool and a job disagree");
      for (const auto& [attempt, launched] : table.attempts()) {
        PROFFER_CHECK(launches.owner_of(attempt), "an attempt runs that was not launched");
        if (launched.backup) ++second;
      }
      second += open - table.open_tasks().size();
    }
  }
  PROFFER_CHECK(second == backups.count(), "backups are miscounted");
}

}  // namespace proffer::mapreduce
