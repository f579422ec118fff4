// Allocator decisions a second on one core: 2,500 agents with 2 map and 2 reduce slots each, 20 pools of 5
// frameworks, and 1,000 maps and 1,000 reduces for every framework. A task is decided when it was offered,
// accepted, checked, launched, reported as running and finished, and acknowledged; agents and frameworks are
// a few lines here, so that what is measured is the allocator machine. Reference: the scheduler of Zaharia et
// al., EuroSys 2010, which took 3,200 tasks a second on a 2.66 GHz Core 2 Duo.
#include <fmt/format.h>

#include <ctime>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proffer/allocator/allocator.hpp"

namespace proffer::bench {
namespace {

constexpr int kAgents = 2'500;
constexpr int kPools = 20;
constexpr int kFrameworks = 100;
constexpr std::int64_t kSlotsPerKind = 2;
constexpr std::int64_t kTasksPerKind = 1'000;
constexpr double kReferenceTasksPerSecond = 3'200;
constexpr std::uint64_t kFirstFramework = 1'000'000;  // peers below are agents

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

AllocatorConfig config() {
  AllocatorConfig config;
  for (int i = 0; i < kPools; ++i) config.pools.push_back({{fmt::format("pool{}", i), 1000, {}}, {}, {}});
  return config;
}

/// All agents and frameworks, answering at once.
class Cluster {
 public:
  Cluster() : allocator_(config(), ClusterId{{1, 1}}, Epoch{1}, Random(1), SecretSource(Random(2))) {}

  void subscribe_frameworks() {
    for (std::uint64_t i = 0; i < kFrameworks; ++i) {
      Subscribe hello;
      hello.name = fmt::format("framework{}", i);
      hello.pool = fmt::format("pool{}", i % kPools);
      auto& client = clients_[kFirstFramework + i];
      for (const auto& kind : kinds_) client.unlaunched[kind] = kTasksPerKind;
      hello.demand = demand(client);
      send(kFirstFramework + i, std::move(hello));
    }
    settle();
  }

  void register_agents() {
    for (std::uint64_t i = 1; i <= kAgents; ++i) {
      Register hello;
      hello.run = 1;
      hello.name = fmt::format("agent{}", i);
      hello.rack = fmt::format("rack{}", i % 50);
      for (const auto& kind : kinds_) hello.slots.set(kind, kSlotsPerKind);
      send(i, std::move(hello));
    }
    settle();
  }

  std::uint64_t tasks_finished() const { return finished_; }
  std::uint64_t messages() const { return messages_; }

 private:
  struct Client {
    SessionId session;
    std::uint64_t seq = 0;
    std::map<Kind, std::int64_t> unlaunched, running;
    std::uint64_t accepts = 0;
    std::uint64_t tasks = 0;
  };

  static Demand demand(const Client& client) {
    Demand demand;
    for (const auto& [kind, left] : client.unlaunched) {
      const auto running = client.running.find(kind);
      demand.kinds[kind] = left + (running == client.running.end() ? 0 : running->second);
    }
    return demand;
  }

  void send(std::uint64_t peer, Message message) {
    auto& client = clients_[peer];
    Envelope envelope;
    envelope.message = std::move(message);
    if (client.session != SessionId{}) {
      envelope.cluster = ClusterId{{1, 1}};
      envelope.epoch = Epoch{1};
      envelope.session = client.session;
      envelope.seq = ++client.seq;
    }
    arriving_.push_back({PeerId{peer}, std::move(envelope)});
  }

  void settle() {
    Actions actions;
    while (!arriving_.empty()) {
      const Event event = std::move(arriving_.front());
      arriving_.pop_front();
      ++messages_;
      actions.clear();
      allocator_.step(event, actions, Time{});
      for (auto& action : actions) {
        if (auto* out = std::get_if<Send>(&action)) answer(out->peer.value, *out);
      }
    }
  }

  void answer(std::uint64_t peer, Send& out) {
    ++messages_;
    clients_[peer].session = out.envelope.session;
    auto& message = out.envelope.message;
    if (auto* launch = std::get_if<Launch>(&message)) run(peer, *launch);
    if (const auto* offers = std::get_if<Offers>(&message)) accept(peer, *offers);
    if (const auto* update = std::get_if<Update>(&message)) acknowledge(peer, update->status);
  }

  void run(std::uint64_t agent, const Launch& launch) {
    send(agent, LaunchAck{launch.launch});
    Status status{launch.launch, {}};
    status.status.framework = launch.framework;
    status.status.task = launch.task.id;
    status.status.seq = 1;
    status.status.state = TaskState::running;
    send(agent, status);
    status.status.seq = 2;
    status.status.state = TaskState::finished;
    status.status.reason = TaskReason::exit;
    send(agent, std::move(status));
  }

  void accept(std::uint64_t framework, const Offers& offers) {
    auto& client = clients_[framework];
    for (const auto& offer : offers.offers) {
      Accept accept;
      accept.accept = ++client.accepts;
      accept.offers = {offer.id};
      for (const auto& [kind, slots] : offer.resources) {
        for (std::int64_t i = 0; i < slots && client.unlaunched[kind] > 0; ++i) {
          --client.unlaunched[kind];
          ++client.running[kind];
          const auto prefix = kind == kinds_[0] ? 'm' : 'r';
          accept.tasks.push_back(
              {{fmt::format("{}{}", prefix, ++client.tasks)}, {{kind, 1}}, JobId{1}, work_});
        }
      }
      accept.demand = demand(client);
      send(framework, std::move(accept));
    }
  }

  void acknowledge(std::uint64_t framework, const TaskStatus& status) {
    send(framework, Acknowledge{status.framework, status.task, status.seq});
    if (!is_terminal(status.state)) return;
    ++finished_;
    --clients_[framework].running[status.task.value.front() == 'm' ? kinds_[0] : kinds_[1]];
  }

  const std::vector<Kind> kinds_{Kind{"map"}, Kind{"reduce"}};
  const WorkPtr work_ = std::make_shared<const Work>(CommandWork{{"true"}, {}});
  Allocator allocator_;
  std::map<std::uint64_t, Client> clients_;
  std::deque<MessageReceived> arriving_;
  std::uint64_t finished_ = 0;
  std::uint64_t messages_ = 0;
};

int measure() {
  Cluster cluster;
  cluster.subscribe_frameworks();
  const auto begin = cpu_seconds();
  cluster.register_agents();
  const auto seconds = cpu_seconds() - begin;
  constexpr auto kTasks = static_cast<std::uint64_t>(kFrameworks * kTasksPerKind * 2);
  if (cluster.tasks_finished() != kTasks) {
    fmt::print(stderr, "only {} of {} tasks have finished\n", cluster.tasks_finished(), kTasks);
    return 1;
  }
  const auto rate = static_cast<double>(kTasks) / seconds;
  fmt::print("{} tasks ({} messages) in {:.2f} CPU seconds, agents and frameworks included\n", kTasks,
             cluster.messages(), seconds);
  fmt::print("{:.0f} tasks/s; the reference took {:.0f} tasks/s: {:.0f} times as many\n", rate,
             kReferenceTasksPerSecond, rate / kReferenceTasksPerSecond);
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main() { return proffer::bench::measure(); }
