#include "frameworks/mapreduce/tally.hpp"

#include <algorithm>
#include <tuple>

namespace proffer {
namespace mapreduce {
namespace {

void add_user(std::vector<Counter>& all, const std::vector<Counter>& more) {
  const auto before = [](const Counter& a, const Counter& b) {
    return std::tie(a.group, a.name) < std::tie(b.group, b.name);
  };
  for (const auto& counter : more) {
    const auto at = std::lower_bound(all.begin(), all.end(), counter, before);
    if (at != all.end() && !before(counter, *at)) {
      // Unsigned, since a user may count past any bound.
      at->value = static_cast<std::int64_t>(static_cast<std::uint64_t>(at->value) +
                                            static_cast<std::uint64_t>(counter.value));
    } else {
      all.insert(at, counter);
    }
  }
}

}  // namespace

std::uint64_t& maps_at(JobCounters& counters, Locality locality) {
  switch (locality) {
    case Locality::node:
      return counters.data_local_maps;
    case Locality::rack:
      return counters.rack_local_maps;
    case Locality::any:
      break;
  }
  return counters.other_local_maps;
}

void add_map(JobCounters& counters, const MapResult& result) {
  counters.map_input_records += result.input_records;
  counters.map_output_records += result.output_records;
  counters.map_output_bytes += result.output_bytes;
  counters.map_read.local += result.local_bytes;
  counters.map_read.remote += result.remote_bytes;
  add_user(counters.user, result.counters);
}

void add_reduce(JobCounters& counters, const ReduceResult& result) {
  counters.reduce_input_records += result.input_records;
  counters.reduce_output_records += result.output_records;
  counters.reduce_output_bytes += result.output_bytes;
  counters.reduce_shuffle.total += result.local_bytes + result.remote_bytes;
  counters.reduce_shuffle.remote += result.remote_bytes;
  add_user(counters.user, result.counters);
}

}  // namespace mapreduce

std::vector<Counter> hadoop_counters(const JobCounters& counters) {
  std::vector<Counter> named;
  const auto add = [&named](const char* group, const char* name, std::uint64_t value) {
    named.push_back({group, name, static_cast<std::int64_t>(value)});
  };
  const auto add_if_any = [&add](const char* name, std::uint64_t value) {
    if (value > 0) add("Job Counters", name, value);
  };
  add_if_any("Failed map tasks", counters.failed_maps);
  add_if_any("Failed reduce tasks", counters.failed_reduces);
  add_if_any("Killed map tasks", counters.killed_maps);
  add_if_any("Killed reduce tasks", counters.killed_reduces);
  add_if_any("Launched map tasks", counters.launched_maps);
  add_if_any("Launched reduce tasks", counters.launched_reduces);
  add_if_any("Other local map tasks", counters.other_local_maps);
  add_if_any("Data-local map tasks", counters.data_local_maps);
  add_if_any("Rack-local map tasks", counters.rack_local_maps);
  add_if_any("Speculative map tasks", counters.backups.launched);
  add_if_any("Speculative map tasks that were first", counters.backups.won);
  add_if_any("Speculative map tasks that came too late", counters.backups.killed);
  constexpr auto kFramework = "Map-Reduce Framework";
  add(kFramework, "Map input records", counters.map_input_records);
  add(kFramework, "Map output records", counters.map_output_records);
  add(kFramework, "Map output bytes", counters.map_output_bytes);
  add(kFramework, "Reduce shuffle bytes", counters.reduce_shuffle.total);
  add(kFramework, "Reduce input records", counters.reduce_input_records);
  add(kFramework, "Reduce output records", counters.reduce_output_records);
  named.insert(named.end(), counters.user.begin(), counters.user.end());
  return named;
}

}  // namespace proffer
