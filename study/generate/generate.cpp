#include "proffer/study/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"
#include "study/generate/stages.hpp"
#include "study/generate/streams.hpp"

namespace proffer::study {
namespace {

/// A job before it has a place in time: the how-manieth of which bin.
struct Draft {
  std::uint32_t bin = 0;
  std::uint32_t number = 0;
};

std::vector<Draft> drafts_in_order(const GenerateSpec& spec, std::uint64_t seed) {
  std::vector<Draft> drafts;
  for (std::uint32_t bin = 0; bin < spec.bins.size(); ++bin) {
    for (std::uint32_t number = 0; number < spec.bins[bin].jobs; ++number) drafts.push_back({bin, number});
  }
  stream(seed, spec.name, "order").shuffle(drafts);
  return drafts;
}

constexpr Duration kLatest{limits::kDurationUs};

/// As listed, and once more behind the last one for as long as there are jobs.
Duration listed_time(const std::vector<Duration>& times, std::size_t index) {
  const auto turn = static_cast<std::int64_t>(index / times.size());
  const auto span = times.back() - times.front();
  const auto gap = span / std::max<std::int64_t>(1, static_cast<std::int64_t>(times.size()) - 1);
  const auto period = span + gap;
  if (period > Duration::zero() && turn > kLatest / period) return kLatest;
  return times[index % times.size()] + turn * period;
}

/// Returns the time at which each job is submitted; for serial ones: how long after its predecessor.
std::vector<Duration> submit_times(const GenerateSpec& spec, std::size_t jobs, std::uint64_t seed) {
  using Process = Arrivals::Process;
  const auto& arrivals = spec.arrivals;
  auto random = stream(seed, spec.name, "arrivals");
  const Distribution gap{Distribution::Shape::exponential, arrivals.gap, {}};
  std::vector<Duration> times;
  Duration last = spec.start;
  for (std::size_t i = 0; i < jobs; ++i) {
    const bool first = i == 0;
    switch (arrivals.process) {
      case Process::at_once:
        break;
      case Process::poisson:
        last += first ? Duration::zero() : draw(gap, random);
        break;
      case Process::fixed:
        last += first ? Duration::zero() : arrivals.gap;
        break;
      case Process::times:
        last = spec.start + listed_time(arrivals.times, i);
        break;
      case Process::renewal:
        last += first ? Duration::zero() : draw(arrivals.gaps, random);
        break;
      case Process::serial:
        last = i < arrivals.chains ? spec.start : arrivals.gap;
        break;
    }
    last = std::min(last, kLatest);
    times.push_back(last);
  }
  return times;
}

std::string bin_name(const Bin& bin) {
  if (!bin.name.empty()) return bin.name;
  return bin.reduces == 0 ? fmt::format("{}", bin.maps) : fmt::format("{}_{}", bin.maps, bin.reduces);
}

/// `jobs`: how many there are, so that names sort as numbers do.
std::string job_name(const GenerateSpec& spec, std::size_t index, std::size_t jobs) {
  return fmt::format("{}-{:0{}}", spec.name, index + 1,
                     std::max<std::size_t>(3, std::to_string(jobs).size()));
}

void draw_tasks(const GenerateSpec& spec, const Bin& bin, Random& random, WorkloadJob& job) {
  const auto output =
      static_cast<std::uint64_t>(std::llround(spec.map_output * static_cast<double>(spec.block_bytes)));
  for (std::uint32_t i = 0; i < bin.maps; ++i) {
    job.maps.push_back({draw(bin.map_time.value_or(spec.map_time), random), output});
  }
  for (std::uint32_t i = 0; i < bin.reduces; ++i) {
    job.reduces.push_back({draw(bin.reduce_time.value_or(spec.reduce_time), random), 0});
  }
}

std::vector<std::uint32_t> shuffled(std::uint32_t from, std::uint32_t until, Random& random) {
  std::vector<std::uint32_t> blocks(until - from);
  std::iota(blocks.begin(), blocks.end(), from);
  random.shuffle(blocks);
  return blocks;
}

std::vector<std::uint32_t> draw_reads(const Dataset& dataset, std::size_t maps, Random& random) {
  constexpr std::int64_t kMilli = 1000;
  const auto part = static_cast<std::uint32_t>(dataset.blocks * dataset.hot_milli / kMilli);
  const auto hot_blocks = std::clamp<std::uint32_t>(part, 1, dataset.blocks);
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> hot;
  std::vector<std::uint32_t> cold;
  while (reads.size() < maps) {
    if (hot.empty() && cold.empty()) {
      hot = shuffled(0, hot_blocks, random);
      cold = shuffled(hot_blocks, dataset.blocks, random);
    }
    const bool wants_hot = random.below(kMilli) < static_cast<std::uint64_t>(dataset.hot_reads_milli);
    auto& from = (wants_hot && !hot.empty()) || cold.empty() ? hot : cold;
    reads.push_back(from.back());
    from.pop_back();
  }
  return reads;
}

/// Deadlines have a stream of their own, so that tasks last as long with one as without. All stages of a
/// graph draw the same.
Duration draw_deadline(const GenerateSpec& spec, const Distribution& deadline, Draft draft,
                       std::uint64_t seed) {
  auto random = stream(seed, spec.name, "deadline", draft.bin, draft.number);
  return std::max<Duration>(draw(deadline, random), std::chrono::microseconds(1));
}

/// `part`: what tells the streams of a graph's stages apart; empty for a job that is none.
WorkloadJob make_job(const GenerateSpec& spec, const Bin& bin, Draft draft, const std::string& part,
                     std::string name, std::uint64_t seed) {
  auto random = stream(seed, spec.name, "job" + part, draft.bin, draft.number);
  WorkloadJob job;
  job.name = std::move(name);
  job.pool = spec.pool;
  job.user = spec.own_users ? job.name : spec.user;
  job.priority = spec.priority;
  job.rigid = spec.rigid;
  job.bin = bin_name(bin);
  // The draws of a job have this order for good: in another, each seed would give another workload, and
  // results that are published could not be repeated.
  job.setup = draw(spec.setup, random);
  job.cleanup = draw(spec.cleanup, random);
  draw_tasks(spec, bin, random, job);
  if (spec.dataset) {
    // Reads have a stream of their own, so that tasks last as long with a dataset as without one.
    auto reading = stream(seed, spec.name, "reads" + part, draft.bin, draft.number);
    job.reads = draw_reads(*spec.dataset, job.maps.size(), reading);
  }
  if (bin.deadline) job.deadline = draw_deadline(spec, *bin.deadline, draft, seed);
  return job;
}

/// A graph's stages, in their order.
std::vector<WorkloadJob> make_graph(const GenerateSpec& spec, Draft draft, const std::string& graph,
                                    std::uint64_t seed) {
  const auto& bin = spec.bins[draft.bin];
  const auto sizes = sizes_of(spec, bin);
  std::vector<WorkloadJob> jobs;
  for (std::size_t number = 0; number < bin.stages.size(); ++number) {
    const auto& stage = bin.stages[number];
    const Bin alike{stage_name(bin.name, stage),
                    static_cast<std::uint32_t>(sizes[number].maps),
                    stage.reduces,
                    1,
                    stage.map_time,
                    stage.reduce_time,
                    {},
                    bin.deadline};
    auto job = make_job(spec, alike, draft, "/" + stage.name, stage_name(graph, stage), seed);
    if (spec.own_users) job.user = graph;
    if (!stage.after.empty()) job.reads.clear();
    make_stage(spec, bin, number, graph, job);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

/// The files of a workload: one a job, one for all jobs of as many maps, or one for all jobs.
class Files {
 public:
  Files(const GenerateSpec& spec, std::uint64_t seed, std::vector<WorkloadFile>& files)
      : spec_(spec), random_(stream(seed, spec.name, "popularity")), files_(files) {
    if (!spec.popularity) return;
    double sum = 0;
    for (std::uint32_t rank = 1; rank <= spec.popularity->files; ++rank) {
      up_to_rank_.push_back(sum += std::pow(rank, -spec.popularity->exponent));
    }
  }

  std::optional<std::uint32_t> input_of(const WorkloadJob& job) {
    using Input = GenerateSpec::Input;
    if (spec_.dataset) return files_.empty() ? add("dataset", spec_.dataset->blocks) : 0;
    if (spec_.popularity && !job.maps.empty()) return popular(job);
    if (job.maps.empty() || spec_.input == Input::none) return {};
    if (spec_.input == Input::own) return add(job.name, job.maps.size());
    const auto [at, is_new] = shared_.try_emplace(job.maps.size(), 0);
    if (is_new) at->second = add(fmt::format("shared-{}", job.maps.size()), job.maps.size());
    return at->second;
  }

  std::uint32_t cached() {
    const auto whole = spec_.cached_bytes / spec_.block_bytes;
    const auto file = add("cached", whole);
    const auto rest = spec_.cached_bytes % spec_.block_bytes;
    if (rest > 0) files_[file].blocks.push_back({rest, spec_.input_nodes});
    return file;
  }

 private:
  /// A file of Zipf's law, which grows with the job.
  std::uint32_t popular(const WorkloadJob& job) {
    const auto at = boost::random::uniform_real_distribution<>(0, up_to_rank_.back())(random_.engine());
    const auto rank = static_cast<std::size_t>(
        std::upper_bound(up_to_rank_.begin(), std::prev(up_to_rank_.end()), at) - up_to_rank_.begin());
    const auto [known, is_new] = shared_.try_emplace(rank, 0);
    if (is_new) known->second = add(fmt::format("popular-{}", rank + 1), 0);
    auto& blocks = files_[known->second].blocks;
    if (blocks.size() < job.maps.size()) blocks.resize(job.maps.size(), block());
    return known->second;
  }
  WorkloadBlock block() const { return {spec_.block_bytes, spec_.input_nodes}; }

  std::uint32_t add(const std::string& name, std::size_t blocks) {
    WorkloadFile file;
    file.path = fmt::format("/{}/{}", spec_.name, name);
    file.blocks.assign(blocks, block());
    files_.push_back(std::move(file));
    return static_cast<std::uint32_t>(files_.size() - 1);
  }

  const GenerateSpec& spec_;
  Random random_;
  std::vector<double> up_to_rank_;  ///< of popularity: the weights of all files up to each
  std::vector<WorkloadFile>& files_;
  std::map<std::size_t, std::uint32_t> shared_;  ///< keyed by maps, or by rank
};

/// A job whose file has grown for others reads the first blocks.
void read_first_blocks(Workload& workload) {
  for (auto& job : workload.jobs) {
    if (!job.file || workload.files[*job.file].blocks.size() == job.maps.size()) continue;
    job.reads.resize(job.maps.size());
    std::iota(job.reads.begin(), job.reads.end(), 0);
  }
}

void put_in_order(std::vector<WorkloadJob>& jobs) {
  // Jobs that wait for another come behind all that do not, and so behind what they wait for. Stages stay in
  // the order of their graph.
  const auto key = [](const WorkloadJob& job) {
    return std::tuple(!job.after.empty(), job.submit,
                      std::string_view(job.stage ? job.stage->graph : job.name));
  };
  std::stable_sort(jobs.begin(), jobs.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

/// The jobs that a draft stands for: one, or the stages of a graph.
std::vector<WorkloadJob> make_jobs(const GenerateSpec& spec, Draft draft, const std::string& name,
                                   std::uint64_t seed) {
  const auto& bin = spec.bins[draft.bin];
  if (!bin.stages.empty()) return make_graph(spec, draft, name, seed);
  std::vector<WorkloadJob> jobs;
  jobs.push_back(make_job(spec, bin, draft, "", name, seed));
  return jobs;
}

}  // namespace

Workload generate(const GenerateSpec& spec, std::uint64_t seed) {
  PROFFER_CHECK(spec.arrivals.process != Arrivals::Process::times || !spec.arrivals.times.empty(),
                "arrivals by a list need one time");
  Workload workload;
  Files files(spec, seed, workload.files);
  const auto drafts = drafts_in_order(spec, seed);
  const auto times = submit_times(spec, drafts.size(), seed);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    for (auto& job : make_jobs(spec, drafts[i], job_name(spec, i, drafts.size()), seed)) {
      job.submit = times[i];
      const bool in_chain = spec.arrivals.process == Arrivals::Process::serial && i >= spec.arrivals.chains;
      if (in_chain) job.after = job_name(spec, i - spec.arrivals.chains, drafts.size());
      if (!job.stage || job.stage->after.empty()) job.file = files.input_of(job);
      workload.jobs.push_back(std::move(job));
    }
  }
  if (spec.popularity) read_first_blocks(workload);
  // The cached file comes behind those of the jobs, which have the same numbers without it.
  if (spec.cached_bytes > 0) {
    const auto cached = files.cached();
    for (auto& job : workload.jobs) job.cached = cached;
  }
  put_in_order(workload.jobs);
  return workload;
}

Workload merge(std::vector<Workload> workloads) {
  Workload all;
  for (auto& workload : workloads) {
    const auto offset = static_cast<std::uint32_t>(all.files.size());
    for (auto& job : workload.jobs) {
      if (job.file) *job.file += offset;
      if (job.cached) *job.cached += offset;
    }
    const auto move_into = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    move_into(workload.nodes, all.nodes);
    move_into(workload.files, all.files);
    move_into(workload.jobs, all.jobs);
  }
  put_in_order(all.jobs);
  return all;
}

}  // namespace proffer::study
