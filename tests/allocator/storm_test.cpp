// A seeded storm over the allocator: agents and frameworks that vanish, fall silent, come back, answer late,
// twice or not at all, and sleeps of its own; its invariants are checked after every event. Then calm, in
// which everything must come right.
#include <map>
#include <set>

#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"
#include "proffer/random.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using std::chrono::milliseconds;

constexpr int kAgents = 5;
constexpr int kFrameworks = 6;
constexpr std::int64_t kSlots = 3;
const Resources kEach{{kMap, kSlots}, {kReduce, 1}, {kCpus, 4000}, {kMemory, 6}};

std::uint32_t limit(Random& random) {
  return random.below(3) == 0 ? static_cast<std::uint32_t>(1 + random.below(2)) : 0;
}

/// Pools within pools, with orders, limits and promises of their own.
std::vector<AllocatorPool> pools(Random& random) {
  std::vector<AllocatorPool> pools;
  for (const auto* name : {"all", "all.x", "all.y", "b"}) {
    AllocatorPool pool;
    pool.share.name = name;
    pool.share.weight_milli = static_cast<std::int64_t>(500 + random.below(2000));
    if (random.below(4) == 0) pool.share.order = static_cast<PoolOrder>(random.below(3));
    if (random.below(2) == 0) pool.share.min_share.set(kMap, static_cast<std::int64_t>(1 + random.below(6)));
    if (random.below(2) == 0) pool.share.min_share_timeout = milliseconds(1 + random.below(400));
    pool.share.max_running = limit(random);
    pool.share.max_running_per_user = limit(random);
    pools.push_back(std::move(pool));
  }
  pools.push_back({{"odd", 1000, {{kMap, 4}}}, {"r1"}, {}});
  return pools;
}

AllocatorConfig config(Random& random) {
  AllocatorConfig config;
  config.pools = pools(random);
  config.share_by = random.below(2) == 0 ? ShareBy::kind : ShareBy::dominant;
  config.preemption.mode = static_cast<PreemptionMode>(random.below(3));
  const bool by_fair_share = random.below(2) == 0 && config.share_by == ShareBy::kind;
  if (by_fair_share) config.preemption.fair_share_timeout = milliseconds(1 + random.below(400));
  if (random.below(2) == 0) config.users = {{"somebody", limit(random)}};
  config.preemption.fair_share_threshold_milli = static_cast<std::int64_t>(1 + random.below(1000));
  config.preemption.deadline = milliseconds(1 + random.below(2000));
  config.offer_timeout = 2 * kSecond;
  if (random.below(4) == 0) config.batch = milliseconds(1 + random.below(500));
  if (random.below(4) == 0) {
    config.report_period = milliseconds(1 + random.below(2000));
    config.report_slots = static_cast<std::uint32_t>(random.below(3));
  }
  return config;
}

class Storm {
 public:
  explicit Storm(std::uint64_t seed, bool restarts = false)
      : random_(seed), s_(config(random_)), restarts_(restarts) {
    for (int i = 1; i <= kAgents; ++i) agents_["a" + std::to_string(i)];
    for (int i = 1; i <= kFrameworks; ++i) {
      frameworks_["f" + std::to_string(i)].pool = kPools[random_.below(std::size(kPools))];
    }
  }

  void rage(int turns) {
    for (int i = 0; i < turns; ++i) {
      disturb();
      serve();
      if (random_.below(20) == 0) change_places();
      s_.pass(milliseconds(random_.below(300)));
      if (random_.below(60) == 0) s_.sleep(random_.below(40) * kSecond);
      if (restarts_ && random_.below(40) == 0) restart();
    }
  }

  /// Everybody is there and does what is asked of it, until nothing is left to do.
  void calm_down() {
    for (auto& [name, agent] : agents_) s_.client(name).mute = false;
    for (auto& [name, framework] : frameworks_) s_.client(name).mute = false;
    for (int i = 0; i < 60; ++i) {
      for (auto& [name, agent] : agents_) {
        join(name, agent);
        s_.say(name, Heartbeat{});  // or it does not learn that its session is over
        s_.say(name, SlotReport{});
      }
      for (auto& [name, framework] : frameworks_) {
        subscribe(name, framework);
        s_.say(name, Heartbeat{0, Demand{{{kMap, 0}, {kReduce, 0}, {kCpus, 0}}, {}}});
        acknowledge_all(name, framework);
        ask_what_became(name, framework);
      }
      for (auto& [name, agent] : agents_) {
        while (!agent.running.empty()) end(name, agent, *agent.running.begin(), TaskState::finished);
      }
      serve();
      s_.pass(kSecond);
    }
  }

  /// Tasks that a restart swallowed before they came to their agent.
  std::size_t swallowed() const { return swallowed_; }
  /// Tasks that ran on through a restart.
  std::size_t survived() const { return survived_; }
  std::size_t preempted() const { return s_.traces<SlotsPreempted>().size(); }

  void expect_all_right() {
    const auto cluster = s_.describe();
    ASSERT_EQ(cluster.agents.size(), agents_.size());
    for (const auto& agent : cluster.agents) {
      EXPECT_TRUE(agent.reachable) << agent.name;
      EXPECT_EQ(agent.used, Resources{}) << agent.name;
      EXPECT_EQ(agent.offered, Resources{}) << agent.name;
    }
    ASSERT_EQ(cluster.frameworks.size(), frameworks_.size());
    for (const auto& [name, framework] : frameworks_) {
      for (const auto& task : framework.launched) {
        EXPECT_TRUE(framework.ends.contains(task)) << name << " never heard what became of " << task;
      }
    }
  }

 private:
  struct AgentModel {
    std::uint64_t run = 1;
    std::set<std::string> running;
    std::set<std::string> unheard;  // ended, and not acknowledged
    std::map<std::string, TaskState> ends;
  };
  static constexpr const char* kPools[] = {"", "all", "all.x", "all.x", "all.y", "b", "odd"};
  struct FrameworkModel {
    FrameworkId id;
    std::string pool;
    std::set<std::string> launched;
    std::map<std::string, TaskState> ends;
    std::vector<TaskStatus> updates;  // not acknowledged yet
    Time known_until = Time::min();
    std::map<std::string, AgentId> placed;
    std::set<std::string> open;     // nobody has said since a restart what became of them
    std::set<std::string> unknown;  // never to be started any more
    std::set<std::string> killed;   // by the allocator, when an agent came back
  };

  template <class Model>
  auto& one_of(std::map<std::string, Model>& models) {
    return *std::next(models.begin(), static_cast<std::ptrdiff_t>(random_.below(models.size())));
  }
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  bool in_session(const std::string& name) { return s_.client(name).session.value != 0; }

  // ---- what happens ----

  void disturb() {
    auto& [agent, model] = one_of(agents_);
    auto& [framework, jobs] = one_of(frameworks_);
    switch (random_.below(12)) {
      case 0:
        return join(agent, model);
      case 1:
        return subscribe(framework, jobs);
      case 2:
        if (chance(30)) lose(chance(50) ? agent : framework);
        return;
      case 3:
        s_.client(agent).mute = chance(15);
        s_.client(framework).mute = chance(5);
        return;
      case 4:
        return speak(framework, jobs);
      case 5:
      case 6:
        if (!model.running.empty()) end(agent, model, *model.running.begin(), TaskState::failed);
        return;
      default:
        return answer(framework, jobs);
    }
  }

  /// The allocator dies and comes back, with what it has kept. What was on its way is lost.
  void restart() {
    for (const auto& [name, agent] : agents_) survived_ += agent.running.size();
    std::set<std::string> connected;
    for (const auto& framework : s_.describe().frameworks) {
      if (framework.connected) connected.insert(framework.name);
    }
    s_.restart();
    for (auto& [name, framework] : frameworks_) {
      framework.updates.clear();
      if (connected.contains(name)) framework.known_until = s_.now() + 60 * kSecond;
    }
  }

  void ask_what_became(const std::string& name, FrameworkModel& framework) {
    if (!in_session(name) || framework.open.empty()) return;
    Reconcile question;
    for (const auto& task : framework.open) question.tasks.push_back({{task}, framework.placed[task]});
    s_.say(name, std::move(question));
    for (const auto& answer : s_.take<Reconciled>(name)) {
      for (const auto& task : answer.tasks) hear(framework, task);
    }
  }

  void hear(FrameworkModel& framework, const KnownTask& answer) {
    const auto& task = answer.task.value;
    if (answer.known == Known::awaited) return;
    framework.open.erase(task);
    if (answer.known == Known::known || framework.ends.contains(task)) return;
    ++swallowed_;
    framework.unknown.insert(task);
    framework.ends.emplace(task, TaskState::dropped);
    for (const auto& [name, agent] : agents_) {
      EXPECT_FALSE(agent.running.contains(task)) << task << " is called unknown, and runs on " << name;
    }
  }

  /// An operator says which agents a pool may have; he may be refused.
  void change_places() {
    ChangePool change;
    change.verb = "set";
    change.pool = kPools[1 + random_.below(std::size(kPools) - 1)];
    change.agents.emplace();
    for (const auto& [name, agent] : agents_) {
      if (chance(40)) change.agents->push_back(name);
    }
    change.private_agents = chance(30) ? static_cast<std::uint32_t>(random_.below(3)) : 0;
    change.return_after = milliseconds(1 + random_.below(3000));
    s_.say_first("operator", std::move(change));
  }

  void lose(const std::string& name) {
    if (!in_session(name)) return;
    s_.lose(name);
    s_.reconnect(name);
    s_.client(name).session = {};
  }

  void join(const std::string& name, AgentModel& agent) {
    if (in_session(name)) return;
    if (chance(20)) {  // as another run, which knows nothing of the former
      ++agent.run;
      agent.running.clear();
      agent.unheard.clear();
    }
    std::vector<AgentTask> tasks;
    for (const auto& task : agent.running) tasks.push_back(s_.listed(name, task));
    for (const auto& task : agent.unheard) tasks.push_back(s_.listed(name, task, agent.ends.at(task)));
    auto hello = s_.registration(name, kEach, std::move(tasks), agent.run);
    hello.rack = name.back() % 2 == 1 ? "r1" : "r2";
    s_.say_first(name, std::move(hello));
  }

  void subscribe(const std::string& name, FrameworkModel& framework) {
    if (in_session(name)) return;
    FrameworkOptions options;
    options.pool = framework.pool;
    options.failover = random_.below(3) * 20 * kSecond;
    if (chance(50)) options.demand = static_cast<std::int64_t>(random_.below(10));
    s_.framework(name, options);
    if (in_session(name)) return begin(name, framework);
    EXPECT_GE(s_.now(), framework.known_until) << name << " was connected when the allocator ended";
    s_.client(name).framework = {};  // it was given up
    s_.framework(name, options);
    begin(name, framework);
  }

  void begin(const std::string& name, FrameworkModel& framework) {
    s_.client(name).accepts = 0;
    framework.known_until = Time::min();  // from now on its own failover time counts
    if (std::exchange(framework.id, s_.client(name).framework) == framework.id) {
      for (const auto& task : framework.killed) {
        EXPECT_TRUE(framework.ends.contains(task)) << task << " was killed, but its framework lives";
      }
      for (const auto& task : framework.launched) {
        if (restarts_ && !framework.ends.contains(task)) framework.open.insert(task);
      }
      return;
    }
    framework.placed.clear();
    framework.open.clear();
    framework.unknown.clear();
    framework.killed.clear();
    framework.launched.clear();
    framework.ends.clear();
    framework.updates.clear();
  }

  void speak(const std::string& name, FrameworkModel& framework) {
    if (!in_session(name)) return;
    const auto what = random_.below(20);
    if (what < 6) return s_.revive(name);
    if (what < 8) return s_.say(name, chance(50) ? Suppress{{kMap}} : Suppress{});
    if (what < 12) {
      return s_.say(name, Heartbeat{1, any_demand()});
    }
    if (what < 18 && !framework.launched.empty()) {
      return s_.say(name, Kill{framework.id, {*framework.launched.rbegin()}, kSecond});
    }
    if (what != 19) return;
    s_.say(name, Teardown{});
    framework.known_until = Time::min();
    s_.reconnect(name);
    s_.client(name).session = {};
  }

  std::int64_t number(std::uint64_t below) { return static_cast<std::int64_t>(random_.below(below)); }

  Demand any_demand() {
    if (chance(50)) return {{{kMap, number(12)}}, {}};
    Demand demand{{{kCpus, number(9000)}, {kMemory, number(12)}}, {}};
    if (chance(70)) demand.task = {{kCpus, 1 + number(3000)}, {kMemory, 1 + number(4)}};
    return demand;
  }

  void answer(const std::string& name, FrameworkModel& framework) {
    const auto held = s_.client(name).offers;
    if (!in_session(name) || held.empty()) return;
    const auto& offer = held[random_.below(held.size())];
    if (chance(40)) {
      DeclineOptions options;
      options.reason = chance(20) ? DeclineReason::too_small : DeclineReason::no_node_local;
      if (chance(50)) options.refuse_for = random_.below(5) * kSecond;
      if (chance(20)) options.refuse_for.reset();
      return s_.decline(name, offer.agent.name, options);
    }
    Accept accept;
    accept.offers = s_.held(name, offer.agent.name);
    if (chance(10))
      accept.offers.push_back({s_.epoch().value, 1 + random_.below(50)});  // somebody's, or nobody's
    for (auto n = random_.below(4) + 1; n > 0; --n) {
      const bool again = chance(5) && !restarts_ && !framework.launched.empty();
      auto task = s_.task(again ? *framework.launched.begin() : name + "-" + std::to_string(++tasks_));
      if (offer.resources[kReduce] > 0) task.resources = {{kReduce, 1}};
      if (offer.resources[kCpus] > 0) task.resources = {{kCpus, 500 + number(2000)}, {kMemory, number(4)}};
      framework.placed[task.id.value] = offer.agent.id;
      accept.tasks.push_back(std::move(task));
    }
    if (chance(80)) accept.rest_refuse_for = Duration::zero();
    accept.accept = ++s_.client(name).accepts;
    std::erase_if(s_.client(name).offers, [&](const Offer& o) { return o.agent.name == offer.agent.name; });
    for (int copies = chance(10) ? 2 : 1; copies > 0; --copies) s_.say(name, accept);
  }

  // ---- what everybody does at once ----

  void serve() {
    for (auto& [name, agent] : agents_) serve(name, agent);
    for (auto& [name, framework] : frameworks_) hear(name, framework);
    for (auto& [name, agent] : agents_) {
      const auto rejected = s_.take<ErrorMessage>(name);
      for (const auto& error : rejected) forget_session(name, error);
    }
  }

  void forget_session(const std::string& name, const ErrorMessage& message) {
    if (message.error.code == ErrorCode::unknown_session) s_.client(name).session = {};
  }

  void serve(const std::string& name, AgentModel& agent) {
    for (const auto& launch : s_.take<Launch>(name)) {
      const auto& task = launch.task.id.value;
      for (const auto& [framework, model] : frameworks_) {
        EXPECT_FALSE(model.unknown.contains(task)) << task << " was called unknown, and is launched";
      }
      const bool is_new = !agent.ends.contains(task) && agent.running.insert(task).second;
      if (!in_session(name) || chance(20)) continue;
      s_.say(name, LaunchAck{launch.launch});
      if (is_new && chance(80)) s_.status(name, task, TaskState::running);
    }
    for (const auto& kill : s_.take<Kill>(name)) {
      if (agent.running.contains(kill.task.value) && chance(80))
        end(name, agent, kill.task.value, TaskState::killed);
    }
    for (const auto& ack : s_.take<Acknowledge>(name)) {
      if (ack.seq == s_.client(name).seqs[ack.task.value] && agent.ends.contains(ack.task.value)) {
        agent.unheard.erase(ack.task.value);
      }
    }
    for (const auto& registered : s_.take<Registered>(name)) {
      for (const auto& launch : registered.kill) kill_launch(name, agent, launch);
    }
    if (!in_session(name)) return;
    if (chance(20)) s_.say(name, SlotReport{});
    const auto unheard = agent.unheard;
    for (const auto& task : unheard) {
      if (chance(30)) report(name, agent, task);
    }
  }

  void kill_launch(const std::string& name, AgentModel& agent, LaunchId launch) {
    const auto running = agent.running;
    for (const auto& task : running) {
      if (s_.client(name).launches.at(task).launch != launch) continue;
      for (auto& [framework, model] : frameworks_) {
        if (model.id == s_.client(name).launches.at(task).framework) model.killed.insert(task);
      }
      end(name, agent, task, TaskState::killed);
    }
  }

  void end(const std::string& name, AgentModel& agent, std::string task, TaskState state) {
    agent.running.erase(task);
    agent.unheard.insert(task);
    agent.ends[task] = state;
    ++s_.client(name).seqs[task];
    if (in_session(name)) report(name, agent, task);
  }

  /// As often as one likes.
  void report(const std::string& name, AgentModel& agent, const std::string& task) {
    --s_.client(name).seqs[task];
    s_.status(name, task, agent.ends.at(task));
  }

  void hear(const std::string& name, FrameworkModel& framework) {
    for (const auto& answer : s_.take<Accepted>(name)) {
      for (const auto& verdict : answer.verdicts) {
        if (verdict.ok) framework.launched.insert(verdict.task.value);
      }
    }
    for (const auto& update : s_.take<Update>(name)) {
      const auto& status = update.status;
      framework.updates.push_back(status);
      if (!is_terminal(status.state)) continue;
      const auto [end, first] = framework.ends.emplace(status.task.value, status.state);
      EXPECT_EQ(end->second, status.state) << status.task.value << " has another end than before";
    }
    for (const auto& error : s_.take<ErrorMessage>(name)) forget_session(name, error);
    if (restarts_ && chance(30)) ask_what_became(name, framework);
    for (const auto& preempt : s_.take<Preempt>(name)) give_back(name, framework, preempt);
    if (chance(50)) acknowledge_all(name, framework);
  }

  /// Or not.
  void give_back(const std::string& name, const FrameworkModel& framework, const Preempt& preempt) {
    if (!in_session(name)) return;
    for (auto task = framework.launched.rbegin(); task != framework.launched.rend() && chance(60); ++task) {
      if (!framework.ends.contains(*task)) s_.say(name, Kill{framework.id, {*task}, preempt.within / 2});
    }
  }

  void acknowledge_all(const std::string& name, FrameworkModel& framework) {
    if (!in_session(name)) return;
    for (const auto& status : std::exchange(framework.updates, {})) {
      s_.acknowledge(name, status.task.value, s_.number_of(status));
    }
  }

  Random random_;
  Stage s_;
  bool restarts_;
  std::size_t swallowed_ = 0;
  std::size_t survived_ = 0;
  std::map<std::string, AgentModel> agents_;
  std::map<std::string, FrameworkModel> frameworks_;
  std::uint64_t tasks_ = 0;
};

class AllocatorStorm : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AllocatorStorm, EverythingComesRightInTheEnd) {
  Storm storm(GetParam());
  storm.rage(400);
  storm.calm_down();
  storm.expect_all_right();
}

class AllocatorRestarts : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AllocatorRestarts, EverythingComesRightInTheEnd) {
  Storm storm(GetParam(), true);
  storm.rage(400);
  storm.calm_down();
  storm.expect_all_right();
}

TEST(AllocatorStorms, SwallowLaunchesAndSpareTasksAtRestarts) {
  std::size_t swallowed = 0;
  std::size_t survived = 0;
  for (std::uint64_t seed = 1; seed <= 20 && (swallowed == 0 || survived == 0); ++seed) {
    Storm storm(seed, true);
    storm.rage(200);
    storm.calm_down();
    swallowed += storm.swallowed();
    survived += storm.survived();
  }
  EXPECT_GT(swallowed, 0u);
  EXPECT_GT(survived, 0u);
}

TEST(AllocatorStorms, TakeSlotsFromSomeForOthers) {
  std::size_t taken = 0;
  for (std::uint64_t seed = 1; seed <= 40 && taken == 0; ++seed) {
    Storm storm(seed);
    storm.rage(200);
    taken += storm.preempted();
  }
  EXPECT_GT(taken, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AllocatorStorm, ::testing::Range<std::uint64_t>(1, 31));
INSTANTIATE_TEST_SUITE_P(Seeds, AllocatorRestarts, ::testing::Range<std::uint64_t>(1, 31));

}  // namespace
}  // namespace proffer
