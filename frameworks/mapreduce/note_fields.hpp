// The fields of what a MapReduce framework keeps, in the order in which notes have them.
#pragma once

#include "frameworks/mapreduce/former_job.hpp"
#include "frameworks/pool/note_text.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/topology.hpp"

namespace proffer::mapreduce {

struct NoteFields {
  static void of(auto& archive, frameworks::Noted<AgentInfo> auto& agent) {
    archive(agent.id, agent.name, agent.rack, agent.data_endpoint);
  }
  static void of(auto& archive, frameworks::Noted<Counter> auto& counter) {
    archive(counter.group, counter.name, counter.value);
  }
  static void of(auto& archive, frameworks::Noted<ShippedFile> auto& file) {
    archive(file.name, file.bytes, file.executable);
  }
  static void of(auto& archive, frameworks::Noted<PartitionSpan> auto& span) {
    archive(span.offset, span.length, span.crc32);
  }
  static void of(auto& archive, frameworks::Noted<MapResult> auto& result) {
    archive(result.partitions, result.local_bytes, result.remote_bytes, result.input_records,
            result.output_records, result.output_bytes, result.counters);
  }
  static void of(auto& archive, frameworks::Noted<ReduceResult> auto& result) {
    archive(result.missing, result.local_bytes, result.remote_bytes, result.input_records,
            result.output_records, result.output_bytes, result.counters);
  }
  static void of(auto& archive, frameworks::Noted<CachedPath> auto& cached) {
    archive(cached.path, cached.name);
  }
  static void of(auto& archive, frameworks::Noted<JobSpec> auto& spec) {
    archive(spec.name, spec.pool, spec.user, spec.priority, spec.inputs, spec.output, spec.mapper,
            spec.reducer, spec.combiner, spec.num_reduces, spec.env, spec.files, spec.cached,
            spec.replication, spec.block_bytes, spec.token, spec.after, spec.deadline);
  }
  static void of(auto& archive, frameworks::Noted<AttemptTimes> auto& times) {
    archive(times.local_maps, times.local_map_time, times.other_maps, times.other_map_time, times.reduces,
            times.reduce_time);
  }
  static void of(auto& archive, frameworks::Noted<JobCounters> auto& counters) {
    archive(counters.launched_maps, counters.data_local_maps, counters.rack_local_maps,
            counters.other_local_maps, counters.launched_reduces, counters.failed_maps,
            counters.failed_reduces, counters.killed_maps, counters.killed_reduces);
    archive(counters.map_input_records, counters.map_output_records, counters.map_output_bytes,
            counters.map_read.local, counters.map_read.remote, counters.reduce_input_records,
            counters.reduce_output_records, counters.reduce_output_bytes, counters.reduce_shuffle.total,
            counters.reduce_shuffle.remote);
    archive(counters.times, counters.user);
    archive(counters.backups.launched, counters.backups.won, counters.backups.killed);
  }

  static void of(auto& archive, frameworks::Noted<JobPlan> auto& plan) {
    archive(plan.maps, plan.reduces, plan.input);
  }
  static void of(auto& archive, frameworks::Noted<MadeMap> auto& made) {
    archive(made.task, made.order, made.outcome.agent, made.outcome.result);
  }
  static void of(auto& archive, frameworks::Noted<MadeReduce> auto& made) { archive(made.task, made.result); }
  static void of(auto& archive, frameworks::Noted<Tries> auto& tries) {
    archive(tries.attempts, tries.failures, tries.losses, tries.excuses);
  }
  static void of(auto& archive, frameworks::Noted<EndedJob> auto& ended) {
    archive(ended.name, ended.output, ended.ok, ended.why, ended.counters);
  }
};

}  // namespace proffer::mapreduce
