// Starved pools among real processes: by the choice of who gives slots back, and against his will.
#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include "cluster.hpp"
#include "proffer/formats/event_log.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/live/framework_host.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::UnorderedElementsAre;

constexpr const char* kOwedPools = R"(
[allocator]
preemption = "on"
preemption_deadline = "1s"
kill_grace = "500ms"
[[pool]]
name = "greedy"
[[pool]]
name = "owed"
min_share = { map = 2 }
min_share_timeout = "1s"
)";

/// Nobody is promised anything, and half of a fair share is the least for a second.
std::string fair_pools(const std::string& mode) {
  return "[allocator]\npreemption = \"" + mode +
         "\"\nfair_share_timeout = \"1s\"\n[[pool]]\nname = \"greedy\"\n[[pool]]\nname = \"owed\"\n";
}

/// A framework of that name, in the pool of that name, whose tasks do not end by themselves.
auto sleepers(Cluster& cluster, const std::string& pool, const std::string& tasks) {
  return cluster.start({"run", "--name", pool, "--pool", pool, "-n", tasks, "--", "sleep", "600"});
}

/// Tasks that ended before their time, and why, as the allocator's event log has it so far.
std::vector<std::string> killed(Cluster& cluster) {
  std::vector<std::string> tasks;
  std::ifstream in(cluster.processes().event_log());
  for (std::string text; std::getline(in, text);) {
    const auto line = parse_trace(text);
    const auto* changed = line ? std::get_if<TaskChanged>(&line->trace) : nullptr;
    if (changed == nullptr || changed->state != TaskState::killed) continue;
    tasks.push_back(changed->task.value + " " + std::string(to_string(changed->reason)));
  }
  return tasks;
}

/// Lines of the allocator's event log with that in them, so far.
int said(Cluster& cluster, const std::string& what) {
  std::ifstream in(cluster.processes().event_log());
  int lines = 0;
  for (std::string text; std::getline(in, text);) lines += text.find(what) != std::string::npos ? 1 : 0;
  return lines;
}

/// From the arrival of a framework to the start of its second task, as the allocator's event log has it.
Duration relief_of(Cluster& cluster, const std::string& name) {
  std::ifstream in(cluster.processes().event_log());
  std::optional<FrameworkId> framework;
  Time came;
  int started = 0;
  for (std::string text; std::getline(in, text);) {
    const auto line = parse_trace(text);
    if (!line) continue;
    if (const auto* subscribed = std::get_if<FrameworkSubscribed>(&line->trace)) {
      if (subscribed->name != name) continue;
      framework = subscribed->framework;
      came = line->time;
    } else if (const auto* changed = std::get_if<TaskChanged>(&line->trace)) {
      const bool starts = changed->framework == framework && changed->state == TaskState::running;
      if (starts && ++started == 2) return line->time - came;
    }
  }
  return Duration::max();
}

/// Runs four tasks that sleep, and gives none of them back.
class Stubborn final : public Scheduler, public ChoosesVictims {
 public:
  void started(Driver& driver) override { driver.set_demand(kMap, 4 - launched_); }
  void resource_offers(Driver& driver, const Offers& offers) override {
    for (const auto& offer : offers.offers) {
      std::vector<TaskSpec> tasks;
      for (auto left = offer.resources[kMap]; left > 0 && launched_ < 4; --left) {
        tasks.push_back({TaskId{"t" + std::to_string(++launched_)}, {{kMap, 1}}, JobId{1}, sleep_});
      }
      if (tasks.empty()) {
        driver.decline(offer.id, DeclineReason::no_pending_task, std::nullopt);
      } else {
        driver.accept({offer.id}, std::move(tasks));
      }
    }
    driver.set_demand(kMap, 4);
  }
  void status_update(Driver&, const TaskStatus&) override {}
  std::vector<TaskId> choose_victims(Driver&, Kind, std::int64_t, std::span<const HeldTask>) override {
    return {};
  }

 private:
  const Kind kMap{"map"};
  WorkPtr sleep_ = std::make_shared<const Work>(CommandWork{{"sleep", "600"}, {}});
  int launched_ = 0;
};

/// A framework within this process, until it goes out of sight.
class Beside {
 public:
  Beside(const std::string& allocator, Scheduler& scheduler) {
    live::FrameworkHostConfig config;
    config.framework.name = config.framework.pool = "greedy";
    config.allocator = allocator;
    thread_ = std::thread([this, config, &scheduler] {
      static_cast<void>(live::run_framework(context_, config, scheduler, stop_));
    });
  }
  ~Beside() {
    stop_.request();
    thread_.join();
  }

 private:
  live::Context context_;
  live::Stop stop_;
  std::thread thread_;
};

TEST(Preemption, ByItsOwnChoiceTheGreedyGivesTheNewestBackInTime) {
  Cluster cluster(2, kOwedPools);
  auto greedy = sleepers(cluster, "greedy", "4");
  ASSERT_TRUE(eventually([&] { return cluster.running("greedy") == 4; }, 20s));
  auto owed = sleepers(cluster, "owed", "2");
  EXPECT_TRUE(eventually([&] { return cluster.running("owed") == 2; }, 20s));
  EXPECT_EQ(cluster.running("greedy"), 2);
  EXPECT_TRUE(eventually([&] { return killed(cluster).size() == 2; }, 10s));
  EXPECT_LE(relief_of(cluster, "owed"), 1s + 5s) << "T_min + 5 s";
  for (const auto& task : killed(cluster)) EXPECT_THAT(task, ::testing::HasSubstr("kill-requested"));
}

TEST(Preemption, APoolFarBelowItsFairShareIsBroughtToIt) {
  Cluster cluster(2, fair_pools("on"));
  auto greedy = sleepers(cluster, "greedy", "4");
  ASSERT_TRUE(eventually([&] { return cluster.running("greedy") == 4; }, 20s));
  auto owed = sleepers(cluster, "owed", "4");
  EXPECT_TRUE(eventually([&] { return cluster.running("owed") == 2; }, 20s));
  EXPECT_EQ(cluster.running("greedy"), 2);
}

TEST(Preemption, LoggedItIsOnlySaid) {
  Cluster cluster(2, fair_pools("log"));
  auto greedy = sleepers(cluster, "greedy", "4");
  ASSERT_TRUE(eventually([&] { return cluster.running("greedy") == 4; }, 20s));
  auto owed = sleepers(cluster, "owed", "4");
  EXPECT_TRUE(eventually([&] { return said(cluster, "\"event\":\"slots_preempted\"") >= 2; }, 20s))
      << "twice in as many seconds";
  EXPECT_EQ(said(cluster, "\"enforced\":true"), 0);
  EXPECT_EQ(cluster.running("greedy"), 4);
  EXPECT_THAT(killed(cluster), ::testing::IsEmpty());
}

TEST(Preemption, WhoIgnoresItLosesExactlyTheNewestThatAreOwed) {
  Cluster cluster(2, kOwedPools);
  Stubborn stubborn;
  Beside greedy(cluster.processes().allocator_endpoint(), stubborn);
  ASSERT_TRUE(eventually([&] { return cluster.running("greedy") == 4; }, 20s));
  auto owed = sleepers(cluster, "owed", "2");
  EXPECT_TRUE(eventually([&] { return cluster.running("owed") == 2; }, 20s));
  EXPECT_TRUE(eventually([&] { return killed(cluster).size() == 2; }, 10s));
  EXPECT_THAT(killed(cluster), UnorderedElementsAre("t3 preempted", "t4 preempted"));
  EXPECT_EQ(cluster.running("greedy"), 2);
}

}  // namespace
}  // namespace proffer
