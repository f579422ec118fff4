#include "tests/study_report/sample.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

namespace proffer::study {
namespace {

std::string numbered(const char* stem, std::size_t i) { return stem + std::to_string(i); }

struct Job {
  JobRow row;
  std::uint32_t placed = 0;
  std::uint32_t ended = 0;
};

/// A list scheduler: whenever a slot is free, the tenant with least gets it, or declines it.
class Sample {
 public:
  Sample(const SampleShape& shape, double wait, std::uint64_t seed)
      : shape_(shape), wait_(wait), random_(seed) {
    running_.resize(static_cast<std::size_t>(shape.frameworks));
    for (int i = 0; i < shape.jobs; ++i) add_job(static_cast<std::size_t>(i));
    for (int i = 0; i < shape.nodes * shape.slots; ++i) free_.push({uniform() * 0.1, i / shape.slots, -1});
  }

  RunResult run() {
    while (!free_.empty()) {
      const auto slot = free_.top();
      free_.pop();
      now_ = slot.time;
      if (slot.job >= 0) end_task(static_cast<std::size_t>(slot.job));
      offer(slot.node);
    }
    return finish();
  }

 private:
  struct Slot {
    double time;
    int node;
    int job;  // whose task ends; -1: none
    bool operator<(const Slot& other) const { return time > other.time; }
  };

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double spread() { return std::exp(0.3 * (uniform() + uniform() + uniform() - 1.5) * 2); }

  void add_job(std::size_t i) {
    Job job;
    job.row.name = numbered("job-", i);
    job.row.framework = numbered("hadoop-", i % static_cast<std::size_t>(shape_.frameworks));
    job.row.maps = shape_.sizes[i % shape_.sizes.size()];
    job.row.bin = std::to_string(job.row.maps) + (job.row.maps == 1 ? " map" : " maps");
    job.row.submitted = static_cast<double>(i) * shape_.gap * (0.5 + uniform());
    jobs_.push_back(std::move(job));
  }

  std::int64_t demand(std::size_t tenant) const {
    std::int64_t slots = 0;
    for (const auto& job : jobs_) {
      if (owner(job) == tenant && job.row.submitted <= now_) slots += job.row.maps - job.ended;
    }
    return slots;
  }
  static std::size_t owner(const Job& job) {
    return static_cast<std::size_t>(std::stoul(job.row.framework.substr(7)));
  }

  /// Samples a second apart, as runs leave them.
  void note_shares() {
    if (now_ < next_sample_) return;
    next_sample_ = now_ + 1;
    std::vector<std::int64_t> demands;
    for (std::size_t i = 0; i < running_.size(); ++i) demands.push_back(demand(i));
    const auto in_need = std::count_if(demands.begin(), demands.end(), [](auto each) { return each > 0; });
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const auto part = in_need == 0 ? 0 : shape_.nodes * shape_.slots / in_need;
      const auto fair = std::min<std::int64_t>(part, demands[i]);
      result_.shares.push_back({now_, numbered("hadoop-", i), "map", running_[i], 0, static_cast<double>(fair), demands[i]});
    }
  }

  /// The job of the tenant with least that has something to run.
  Job* next_job(int node) {
    Job* best = nullptr;
    for (auto& job : jobs_) {
      const bool owned = wait_ >= 0 || owner(job) == static_cast<std::size_t>(node) % running_.size();
      if (!owned || job.row.submitted > now_ || job.placed == job.row.maps) continue;
      if (best == nullptr || running_[owner(job)] < running_[owner(*best)]) best = &job;
    }
    return best;
  }

  void offer(int node) {
    auto* job = next_job(node);
    if (job == nullptr) {
      const bool more = std::any_of(jobs_.begin(), jobs_.end(),
                                    [](const Job& each) { return each.placed < each.row.maps; });
      if (more) free_.push({now_ + 1 + uniform(), node, -1});
      return;
    }
    const double here = 1 - std::pow(1 - std::min(1.0, job->row.maps * 3.0 / shape_.nodes / 12),
                                     1 + std::max(0.0, wait_) * 6);
    const bool local = uniform() < (wait_ < 0 ? 0.18 : std::max(here, wait_ > 0 ? 0.6 + 0.07 * wait_ : 0.3));
    if (wait_ > 0 && (!local || uniform() < 0.15 * wait_) && uniform() < 0.9) {
      note_offer(*job, node, "declined", uniform() < 0.8 ? "no-node-local" : "no-rack-local");
      free_.push({now_ + 0.2 * uniform(), node, -1});
      return;
    }
    note_offer(*job, node, "accepted", "");
    place(*job, node, local ? Locality::node : uniform() < 0.4 ? Locality::rack : Locality::any);
  }

  void note_offer(const Job& job, int node, const char* outcome, const char* reason) {
    if (!shape_.offers) return;
    result_.offers.push_back({numbered("O", result_.offers.size()), job.row.framework, node_name(node), "map",
                              1, now_, now_ + 0.01, outcome, reason});
  }

  std::string node_name(int node) const { return numbered("node-", static_cast<std::size_t>(node)); }

  void place(Job& job, int node, Locality locality) {
    if (!job.row.started) job.row.started = now_;
    auto& counter = locality == Locality::node   ? job.row.node_local
                    : locality == Locality::rack ? job.row.rack_local
                                                 : job.row.other_local;
    ++counter;
    const double length = (3 + 10 * spread()) * (locality == Locality::node ? 1 : 1.8);
    const auto rack = numbered("rack-", static_cast<std::size_t>(node * shape_.racks / shape_.nodes));
    result_.tasks.push_back({job.row.framework, job.row.name, numbered("m", job.placed), "map",
                             node_name(node), rack, locality, true, now_, 0, now_ + length, "FINISHED"});
    ++job.placed;
    ++running_[owner(job)];
    note_shares();
    free_.push({now_ + length, node, static_cast<int>(&job - jobs_.data())});
  }

  void end_task(std::size_t index) {
    auto& job = jobs_[index];
    --running_[owner(job)];
    if (++job.ended == job.row.maps) {
      job.row.finished = now_;
      job.row.ok = true;
    }
    note_shares();
  }

  RunResult finish() {
    result_.run_seconds = now_;
    std::vector<double> responses;
    double local = 0;
    for (auto& job : jobs_) {
      responses.push_back(*job.row.finished - job.row.submitted);
      local += job.row.node_local;
      result_.jobs.push_back(job.row);
    }
    std::sort(responses.begin(), responses.end());
    result_.measures["node_local"] = local / static_cast<double>(result_.tasks.size());
    result_.measures["response_p95"] = quantile(responses, 0.95);
    result_.measures["response_mean"] = estimate(responses)->mean;
    result_.measures["makespan"] = now_;
    count_offers();
    return std::move(result_);
  }

  void count_offers() {
    if (result_.offers.empty()) return;
    auto& measures = result_.measures;
    measures["offers.made"] = static_cast<double>(result_.offers.size());
    measures["offers_per_task"] = measures["offers.made"] / static_cast<double>(result_.tasks.size());
    for (const auto& offer : result_.offers) {
      measures["offers." + offer.outcome] += 1;
      if (!offer.reason.empty()) measures["declines." + offer.reason] += 1;
    }
  }

  SampleShape shape_;
  double wait_;
  std::mt19937_64 random_;
  std::vector<Job> jobs_;
  std::vector<std::int64_t> running_;
  std::priority_queue<Slot> free_;
  double now_ = 0;
  double next_sample_ = 0;
  RunResult result_;
};

}  // namespace

RunResult sample_run(const SampleShape& shape, const std::string& cell, double wait, std::uint64_t seed) {
  auto result = Sample(shape, wait, seed * 7919).run();
  result.experiment = "sample";
  result.cell = cell;
  result.seed = seed;
  result.digest = numbered("d19e57", seed) + "0c0ffee" + std::to_string(result.tasks.size());
  result.events = result.shares.size();
  return result;
}

ExperimentSummary summary_for(const std::vector<ReportCell>& cells) {
  ExperimentSummary summary;
  summary.experiment = "sample";
  for (const auto& cell : cells) {
    CellSummary of_cell;
    of_cell.cell = cell.cell;
    std::map<std::string, std::vector<double>> values;
    for (const auto& run : cell.runs) {
      of_cell.seeds.push_back(run.seed);
      for (const auto& [name, value] : run.measures) values[name].push_back(value);
    }
    for (const auto& [name, each] : values) of_cell.measures[name] = *estimate(each);
    summary.cells.push_back(std::move(of_cell));
  }
  return summary;
}

ReportInput sample_input(const SampleShape& shape, std::uint64_t seeds) {
  ReportInput input;
  input.title = "Several tenants on one cluster";
  input.version = "0.1.0";
  input.settings.baseline = "static";
  const std::vector<std::pair<std::string, double>> cells{{"static", -1}, {"0s", 0}, {"1s", 1}, {"5s", 5}};
  for (const auto& [name, wait] : cells) {
    ReportCell cell{{name, name, {{"cell", name}}, {input.cells.size()}}, {}};
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      cell.runs.push_back(sample_run(shape, name, wait, seed));
    input.cells.push_back(std::move(cell));
  }
  input.summary = summary_for(input.cells);
  ComparedFigure figure;
  figure.id = "A8";
  figure.label = "local maps at 5 s";
  figure.cell = "5s";
  figure.measure = "node_local";
  figure.paper = 0.95;
  figure.ours = input.summary.cells[3].measures["node_local"];
  figure.digest = input.cells[3].runs[0].digest;
  input.summary.paper.push_back(figure);
  return input;
}

}  // namespace proffer::study
