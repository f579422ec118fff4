#include "study/measures/job_measures.hpp"

#include <algorithm>
#include <limits>

#include "proffer/study/statistics.hpp"

namespace proffer::study {
namespace {

using Measures = std::map<std::string, double>;

/// Locality of those tasks that had a preference.
class LocalityCount {
 public:
  void add(const JobRow& job) {
    const auto all = static_cast<double>(job.node_local) + job.rack_local + job.other_local;
    if (all == 0) return;
    node_ += job.node_local;
    rack_ += job.rack_local;
    tasks_ += all;
    node_bytes_ += job.node_local * job.map_bytes.each_reads;
    bytes_ += all * job.map_bytes.each_reads;
    job_shares_ += job.node_local / all;
    job_rack_shares_ += job.rack_local / all;
    jobs_ += 1;
    waited_ += job.waited;
  }
  void measure(const std::string& suffix, Measures& measures) const {
    if (tasks_ == 0) return;
    measures["node_local" + suffix] = node_ / tasks_;
    measures["rack_local" + suffix] = rack_ / tasks_;
    if (bytes_ > 0) measures["node_local_bytes" + suffix] = node_bytes_ / bytes_;
    measures["node_local_jobs" + suffix] = job_shares_ / jobs_;
    measures["rack_local_jobs" + suffix] = job_rack_shares_ / jobs_;
    measures["wait_mean" + suffix] = waited_ / tasks_;
  }

 private:
  double node_ = 0, rack_ = 0, tasks_ = 0, waited_ = 0;
  double node_bytes_ = 0, bytes_ = 0;
  double job_shares_ = 0, job_rack_shares_ = 0, jobs_ = 0;
};

class Distribution {
 public:
  void add(double value) { values_.push_back(value); }
  void measure(const std::string& name, const std::string& suffix, Measures& measures) {
    if (values_.empty()) return;
    std::sort(values_.begin(), values_.end());
    double sum = 0;
    for (const double value : values_) sum += value;
    measures[name + "_mean" + suffix] = sum / static_cast<double>(values_.size());
    measures[name + "_p50" + suffix] = quantile(values_, 0.5);
    measures[name + "_p95" + suffix] = quantile(values_, 0.95);
    measures[name + "_max" + suffix] = values_.back();
  }

 private:
  std::vector<double> values_;
};

/// The deadlines of jobs. One that failed, or that the run ended before, has missed its own.
class Deadlines {
 public:
  void add(const JobRow& job) {
    if (!job.reference.due) return;
    ++jobs_;
    const bool succeeded = job.finished && job.ok;
    if (!succeeded || *job.finished > *job.reference.due) ++missed_;
    if (succeeded) tardiness_.add(std::max(0.0, *job.finished - *job.reference.due));
  }
  void measure(const std::string& suffix, Measures& measures) {
    if (jobs_ == 0) return;
    measures["deadlines_missed" + suffix] = missed_ / jobs_;
    tardiness_.measure("tardiness", suffix, measures);
  }

 private:
  double jobs_ = 0, missed_ = 0;
  Distribution tardiness_;
};

/// A graph of jobs as a whole: from the submission of its first stage to the end of its last.
struct Graph {
  double submitted = std::numeric_limits<double>::infinity();
  double finished = 0;
  bool counts = true;            ///< all of its stages count, and have succeeded
  const JobRow* some = nullptr;  ///< one of its stages, which are all of one tenant

  void add(const JobRow& stage) {
    submitted = std::min(submitted, stage.submitted);
    finished = std::max(finished, stage.finished.value_or(0));
    counts = counts && stage.counted && stage.ok;
    some = &stage;
  }
};

struct Group {
  LocalityCount locality;
  Distribution responses;
  Distribution slowdowns;
  Distribution graphs;
  Deadlines deadlines;

  double jobs = 0;

  void add(const JobRow& job) {
    ++jobs;
    locality.add(job);
    deadlines.add(job);
    if (!job.finished || !job.ok) return;
    const auto response = *job.finished - job.submitted;
    responses.add(response);
    const auto alone = job.reference.alone;
    if (alone && *alone > 0) slowdowns.add(response / *alone);
  }
  void measure(const std::string& suffix, Measures& measures) {
    locality.measure(suffix, measures);
    responses.measure("response", suffix, measures);
    slowdowns.measure("slowdown", suffix, measures);
    graphs.measure("graph_response", suffix, measures);
    deadlines.measure(suffix, measures);
  }
};

}  // namespace

void measure_jobs(const Plan& plan, const std::vector<JobRow>& jobs, Measures& measures,
                  TenantMeasures& tenants) {
  std::map<std::string, std::string> pools;  // by framework
  for (const auto& framework : plan.frameworks) pools[framework.name] = framework.pool;
  std::map<std::string, Group> groups;  // "" for all jobs, ".BIN" for those of a bin
  using Tenant = std::pair<std::string_view, std::string>;
  std::map<Tenant, Group> of_tenants;
  const auto tenants_of = [&](const JobRow& job) {
    std::vector<Tenant> all{{"framework", job.framework}};
    if (const auto& pool = pools[job.framework]; !pool.empty()) all.emplace_back("pool", pool);
    if (!job.pool.empty()) all.emplace_back("job_pool", job.pool);
    return all;
  };
  std::map<std::string, Graph> graphs;
  double finished = 0, failed = 0, unfinished = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
  for (const auto& job : jobs) {
    first = std::min(first, job.submitted);
    if (job.finished) last = std::max(last, *job.finished);
    if (!job.finished) ++unfinished;
    if (job.finished) ++(job.ok ? finished : failed);
    if (!job.graph.empty()) graphs[job.graph].add(job);
    if (!job.counted) continue;
    groups[""].add(job);
    groups["." + (job.bin.empty() ? job.name : job.bin)].add(job);
    for (const auto& tenant : tenants_of(job)) of_tenants[tenant].add(job);
  }
  for (const auto& [name, graph] : graphs) {
    if (!graph.counts) continue;
    groups[""].graphs.add(graph.finished - graph.submitted);
    for (const auto& tenant : tenants_of(*graph.some)) {
      of_tenants[tenant].graphs.add(graph.finished - graph.submitted);
    }
  }
  for (auto& [suffix, group] : groups) group.measure(suffix, measures);
  for (auto& [key, group] : of_tenants) {
    auto& mine = tenants.of(key.first, key.second);
    mine["jobs"] = group.jobs;
    group.measure("", mine);
  }
  measures["jobs.finished"] = finished;
  measures["jobs.failed"] = failed;
  measures["jobs.unfinished"] = unfinished;
  if (last > 0) measures["makespan"] = last - first;
}

}  // namespace proffer::study
