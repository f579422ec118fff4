// The pool against a naive model that scans everything, with seeded random work.
#include <map>
#include <set>

#include "proffer/random.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

constexpr std::uint64_t kAgents = 25;
constexpr std::uint32_t kJobs = 6;

struct NaiveJob {
  std::vector<PendingTask> waiting;  // in order of arrival
  std::map<Kind, std::int64_t> running;
  std::map<Kind, std::vector<AgentId>> for_all;  // preferred by tasks that prefer nothing themselves

  const std::vector<AgentId>& nodes_of(const PendingTask& task) {
    return task.nodes.empty() ? for_all[task.kind] : task.nodes;
  }
};

Locality distance(NaiveJob& job, const PendingTask& task, const AgentInfo& where) {
  const auto& nodes = job.nodes_of(task);
  if (std::find(nodes.begin(), nodes.end(), where.id) != nodes.end()) return Locality::node;
  if (std::find(task.racks.begin(), task.racks.end(), where.rack) != task.racks.end()) return Locality::rack;
  return Locality::any;
}

struct NaivePool {
  std::map<JobId, NaiveJob> jobs;

  std::vector<JobId> in_order(Kind kind) const {
    std::vector<std::pair<std::int64_t, JobId>> ranks;  // jobs were submitted in order of id
    for (const auto& [id, job] : jobs) {
      const auto running = job.running.contains(kind) ? job.running.at(kind) : 0;
      if (count(id, kind) > 0) ranks.emplace_back(running, id);
    }
    std::sort(ranks.begin(), ranks.end());
    std::vector<JobId> order;
    for (const auto& [running, id] : ranks) order.push_back(id);
    return order;
  }
  std::int64_t count(JobId id, Kind kind) const {
    const auto& waiting = jobs.at(id).waiting;
    return std::count_if(waiting.begin(), waiting.end(), [&](const auto& task) { return task.kind == kind; });
  }
  /// The first of the nearest.
  std::optional<std::size_t> best(JobId id, Kind kind, const AgentInfo& where) {
    std::optional<std::size_t> found;
    auto& job = jobs.at(id);
    const auto& waiting = job.waiting;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].kind != kind) continue;
      if (!found || distance(job, waiting[i], where) < distance(job, waiting[*found], where)) found = i;
    }
    return found;
  }
};

class TaskPoolModel : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  TaskPoolModel() : random_(GetParam()) {
    for (std::uint32_t n = 1; n <= kJobs; ++n) {
      pool_.add_job({n}, "job");
      naive_.jobs[{n}];
    }
  }
  JobId any_job() { return {static_cast<std::uint32_t>(1 + random_.below(kJobs))}; }
  Kind any_kind() { return random_.below(4) == 0 ? kReduce : kMap; }
  AgentInfo any_agent() { return agent(1 + random_.below(kAgents)); }

  void add() {
    const auto job = any_job();
    std::vector<std::uint64_t> nodes;
    for (auto n = random_.below(4); n > 0; --n) nodes.push_back(1 + random_.below(kAgents));
    auto task = map_on("t" + std::to_string(next_++), nodes);
    task.kind = any_kind();
    pool_.add(job, task);
    naive_.jobs[job].waiting.push_back(task);
  }
  void remove() {
    const auto job = any_job();
    auto& waiting = naive_.jobs[job].waiting;
    if (waiting.empty()) return;
    const auto index = static_cast<std::ptrdiff_t>(random_.below(waiting.size()));
    EXPECT_TRUE(pool_.remove(job, waiting.begin()[index].id));
    waiting.erase(waiting.begin() + index);
  }
  void prefer_all() {
    const auto job = any_job();
    const auto kind = any_kind();
    std::vector<AgentId> nodes;
    for (auto n = random_.below(6); n > 0; --n) nodes.push_back(any_agent().id);
    naive_.jobs[job].for_all[kind] = nodes;
    pool_.prefer_all(job, kind, std::move(nodes));
  }
  void end_one() {
    const auto job = any_job();
    const auto kind = any_kind();
    auto& running = naive_.jobs[job].running[kind];
    if (running == 0) return;
    --running;
    proffer::testing::end_one(pool_, job, kind);
  }
  void place() {
    const auto where = any_agent();
    const auto kind = any_kind();
    std::vector<Placement> placements;
    const auto shown = offer(1, where, static_cast<std::int64_t>(1 + random_.below(3)), kind);
    auto left = shown.resources;
    pool_.fill(shown, kind, left, *policy_, Time{}, placements);
    for (const auto& placed : placements) expect_naive_choice(placed, kind, where);
  }
  void expect_naive_choice(const Placement& placed, Kind kind, const AgentInfo& where) {
    ASSERT_EQ(placed.job, naive_.in_order(kind).front());
    auto& job = naive_.jobs[placed.job];
    const auto best = naive_.best(placed.job, kind, where);
    ASSERT_TRUE(best.has_value());
    const auto chosen = job.waiting.begin() + static_cast<std::ptrdiff_t>(*best);
    EXPECT_EQ(placed.task, chosen->id);
    EXPECT_EQ(placed.locality, distance(job, *chosen, where));
    EXPECT_EQ(placed.preferred, !job.nodes_of(*chosen).empty());
    job.waiting.erase(chosen);
    ++job.running[kind];
  }
  void compare() {
    for (const auto kind : {kMap, kReduce}) {
      const auto order = pool_.in_order(kind);
      EXPECT_EQ(std::vector<JobId>(order.begin(), order.end()), naive_.in_order(kind));
      for (const auto& [id, job] : naive_.jobs) EXPECT_EQ(pool_.unlaunched(id, kind), naive_.count(id, kind));
    }
    pool_.check_invariants();
  }

  Random random_;
  TaskPool pool_;
  NaivePool naive_;
  std::unique_ptr<Policy> policy_ = make_policy(PolicySpec{}).value();
  int next_ = 0;
};

TEST_P(TaskPoolModel, ChoosesWhatAScanOfAllTasksWouldChoose) {
  for (int i = 0; i < 1500; ++i) {
    const auto dice = random_.below(10);
    if (dice < 4) add();
    if (dice == 4) remove();
    if (i % 50 == 0) prefer_all();
    if (dice == 5 || dice == 6) end_one();
    if (dice > 6) place();
    compare();
    if (HasFailure()) FAIL() << "at step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TaskPoolModel, ::testing::Range<std::uint64_t>(1, 9));

/// 40,000 tasks on 300 agents: a scan a slot would be 10^9 steps.
TEST(TaskPoolScale, FillsTensOfThousandsOfTasksWithoutScanningThem) {
  PolicyBench bench("greedy");
  const auto job = bench.job(1);
  Random random(7);
  constexpr int kTasks = 40'000;
  for (int i = 0; i < kTasks; ++i) {
    bench.pool.add(job, map_on("t" + std::to_string(i), {1 + random.below(300), 1 + random.below(300)}));
  }
  std::vector<Placement> placements;
  for (int i = 0; i < kTasks; ++i) {
    const auto where = agent(1 + random.below(300));
    Resources slot{{kMap, 1}};
    bench.pool.fill(offer(1, where), kMap, slot, *bench.policy, Time{}, placements);
  }
  EXPECT_THAT(placements, SizeIs(kTasks));
  EXPECT_EQ(bench.pool.unlaunched(job, kMap), 0);
  bench.pool.check_invariants();
}

}  // namespace
}  // namespace proffer::testing
