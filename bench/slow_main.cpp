// A framework under SIGSTOP beside one that works: the second one's offer latency with and without it, the
// memory that the allocator needs for it, and when it is cut off. All the while the agent has the first one's
// task send it more than it could read.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/port.hpp"

namespace proffer::bench {
namespace {

using live::steady_now;

constexpr Duration kSecond = std::chrono::seconds(1);
constexpr Duration kPhase = 10 * kSecond;
const Kind kMap("map");

/// An agent or a framework, driven by hand.
class Client {
 public:
  explicit Client(const std::string& endpoint)
      : port_(live::ConnectedPort::connect(context_, endpoint).value()) {}

  void say(Message message) {
    std::string frame;
    encode({cluster_, epoch_, session_, session_.value == 0 ? 0 : ++seq_, std::move(message)}, frame);
    port_->send({}, std::move(frame));
    said_at_ = steady_now();
  }
  /// Returns the next message, if one comes in time. Says a HEARTBEAT when it is time for one.
  std::optional<Message> hear(Duration at_most) {
    if (session_.value != 0 && steady_now() - said_at_ > kSecond / 2) say(Heartbeat{});
    port_->flush();
    auto frame = port_->receive();
    if (!frame && at_most > Duration::zero()) {
      live::Poller poller;
      poller.wait({{port_.get(), -1}}, at_most);
      frame = port_->receive();
    }
    if (!frame) return {};
    auto envelope = decode(frame->bytes);
    PROFFER_CHECK(envelope.ok(), "the allocator sent what is no message");
    if (holds_one_of(Types<Subscribed, Registered>{}, envelope->message)) {
      cluster_ = envelope->cluster;
      epoch_ = envelope->epoch;
      session_ = envelope->session;
    }
    return std::move(envelope->message);
  }
  /// Returns the next message of that type, whatever comes before it.
  template <class M>
  M wait() {
    while (true) {
      auto message = hear(kSecond / 10);
      if (message && std::holds_alternative<M>(*message)) return std::get<M>(std::move(*message));
    }
  }

 private:
  live::Context context_;
  std::unique_ptr<live::ConnectedPort> port_;
  ClusterId cluster_;
  Epoch epoch_;
  SessionId session_;
  std::uint64_t seq_ = 0;
  Time said_at_{};
};

Subscribe framework(const std::string& name, std::int64_t slots) {
  Subscribe hello;
  hello.name = name;
  hello.failover_timeout = std::chrono::minutes(10);
  hello.demand.kinds = {{kMap, slots}};
  return hello;
}

/// Runs `body` in a process of its own, which ends with this one's end() of it.
class Child {
 public:
  template <class Body>
  explicit Child(const Body& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    body();
    ::_exit(0);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void signal(int number) const { ::kill(pid_, number); }
  /// Returns its resident memory in MiB.
  double resident() const {
    std::ifstream file(fmt::format("/proc/{}/status", pid_));
    for (std::string word; file >> word;) {
      double kib = 0;
      if (word == "VmRSS:" && file >> kib) return kib / 1024;
    }
    return 0;
  }

 private:
  pid_t pid_;
};

void be_allocator(int out) {
  AllocatorSettings settings;
  settings.drivers = false;
  settings.frameworks_endpoint = settings.agents_endpoint = "tcp://127.0.0.1:0";
  live::Stop stop;
  const auto ended = live::run_allocator(settings, stop, [out](const std::string& line) {
    PROFFER_CHECK(::write(out, (line + "\n").data(), line.size() + 1) > 0, "nobody reads");
  });
  PROFFER_CHECK(ended.ok(), ended.error().message);
}

/// Takes one slot for a task, declines all others, and reads all that it is sent.
void be_framework(const std::string& endpoint) {
  Client client(endpoint);
  client.say(framework("stopped", 4));
  bool launched = false;
  while (true) {
    const auto message = client.hear(kSecond / 4);
    const auto* offers = message ? std::get_if<Offers>(&*message) : nullptr;
    if (offers == nullptr) continue;
    if (std::exchange(launched, true)) {
      Decline decline;
      for (const auto& offer : offers->offers) decline.offers.push_back(offer.id);
      client.say(decline);
      continue;
    }
    Accept accept;
    accept.accept = 1;
    accept.offers = {offers->offers.at(0).id};
    TaskSpec task;
    task.id = {"t"};
    task.resources.set(kMap, 1);
    task.work = std::make_shared<Work>(CommandWork{{"true"}, {}});
    accept.tasks = {task};
    accept.rest_refuse_for = Duration::zero();
    client.say(accept);
  }
}

std::string value(const std::string& line, const std::string& name) {
  const auto at = line.find(name + "=") + name.size() + 1;
  return line.substr(at, line.find(' ', at) - at);
}

std::string read_line(int from) {
  std::string line;
  for (char c = 0; ::read(from, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

/// The framework that works, and the agent, on whose one other slot it is offered again and again.
class Worker {
 public:
  Worker(const std::string& frameworks, Client& agent, TaskMessage flood)
      : client_(frameworks), agent_(agent), flood_(std::move(flood)) {
    client_.say(framework("working", 1));
    offer_ = next_offer();
  }

  /// Declines and asks again for so long, and returns the times from the question to the offer, sorted.
  std::vector<Duration> measure(Duration time) {
    std::vector<Duration> all;
    for (const auto end = steady_now() + time; steady_now() < end;) all.push_back(once());
    std::sort(all.begin(), all.end());
    return all;
  }
  bool killed() const { return killed_; }
  /// Returns whether the framework of that name has a session.
  bool connected(const std::string& name) {
    client_.say(Describe{1});
    for (const auto& framework : client_.wait<ClusterState>().frameworks) {
      if (framework.name == name) return framework.connected;
    }
    return false;
  }

 private:
  Duration once() {
    agent_.say(flood_);
    hear_agent();
    Decline decline;
    decline.offers = {offer_};
    decline.refuse_for = Duration::zero();
    client_.say(decline);
    const auto asked = steady_now();
    client_.say(Revive{});
    offer_ = next_offer();
    return steady_now() - asked;
  }
  /// The agent gives signs of life meanwhile: nothing is offered on a silent one.
  OfferId next_offer() {
    while (true) {
      hear_agent();
      const auto message = client_.hear(kSecond / 10);
      if (const auto* offers = message ? std::get_if<Offers>(&*message) : nullptr)
        return offers->offers.at(0).id;
    }
  }
  void hear_agent() {
    while (const auto message = agent_.hear({})) killed_ |= std::holds_alternative<Kill>(*message);
  }

  Client client_;
  Client& agent_;
  TaskMessage flood_;
  OfferId offer_;
  bool killed_ = false;
};

double ms(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

void print(const char* what, const std::vector<Duration>& all, double resident) {
  fmt::print("{:>20} {:9} {:9.3f} {:9.3f} {:9.1f}\n", what, all.size(), ms(all[all.size() / 2]),
             ms(all[all.size() * 99 / 100]), resident);
}

void run() {
  std::array<int, 2> ends{};
  PROFFER_CHECK(::pipe(ends.data()) == 0, "no pipe");
  const Child allocator([&] { be_allocator(ends[1]); });
  const auto line = read_line(ends[0]);
  const Child stopped([&] { be_framework(value(line, "frameworks")); });
  Client agent(value(line, "agents"));
  Register hello;
  hello.run = 1;
  hello.name = hello.rack = "a";
  hello.data_endpoint = "tcp://127.0.0.1:9";
  hello.slots.set(kMap, 2);
  agent.say(hello);
  const auto launch = agent.wait<Launch>();
  agent.say(LaunchAck{launch.launch});
  Worker work(value(line, "frameworks"), agent,
              TaskMessage{launch.framework, launch.task.id, std::string(16 << 10, 'x')});
  fmt::print("{:>20} {:>9} {:>9} {:>9} {:>9}\n", "the other framework", "offers", "p50 ms", "p99 ms",
             "RSS MiB");
  work.measure(kSecond);
  print("reads", work.measure(kPhase), allocator.resident());
  stopped.signal(SIGSTOP);
  const auto stopped_at = steady_now();
  print("is stopped", work.measure(kPhase), allocator.resident());
  while (work.connected("stopped")) work.measure(kSecond / 10);
  const auto cut_after = steady_now() - stopped_at;
  print("is cut off", work.measure(kPhase), allocator.resident());
  fmt::print("cut off after {:.1f} s; its task was {}\n", ms(cut_after) / 1000,
             work.killed() ? "killed" : "not killed");
}

}  // namespace
}  // namespace proffer::bench

int main() { proffer::bench::run(); }
