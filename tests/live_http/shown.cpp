#include "tests/live_http/shown.hpp"

#include "proffer/live/daemons.hpp"
#include "tests/live_http/http_client.hpp"

namespace proffer::live::test {
namespace {

constexpr Duration kShownWithin = std::chrono::seconds(20);
// What a user may call herself: a browser must take it for nothing but text.
constexpr const char* kHostile = "<img src=x onerror=alert(1)>";

Subscribe etl() {
  Subscribe hello;
  hello.name = "etl";
  hello.user = kHostile;
  hello.failover_timeout = std::chrono::minutes(1);
  hello.demand.kinds = {{Kind("map"), 3}};
  return hello;
}

Register node() {
  Register hello;
  hello.run = 1;
  hello.name = "n1";
  hello.rack = "r1";
  hello.data_endpoint = "tcp://127.0.0.1:9";
  hello.slots.set(Kind("map"), 4);
  return hello;
}

}  // namespace

AllocatorSettings with_dashboard() {
  AllocatorSettings settings;
  settings.drivers = false;
  settings.frameworks_endpoint = "tcp://127.0.0.1:0";
  settings.agents_endpoint = "tcp://127.0.0.1:0";
  settings.http = "127.0.0.1:0";
  settings.version = "1.2.3";
  return settings;
}

Shown::Shown()
    : daemon_([](Stop& stop, const Ready& ready) { return run_allocator(with_dashboard(), stop, ready); }),
      http_(daemon_.value("http")),
      framework_(daemon_.value("frameworks")),
      agent_(daemon_.value("agents")) {
  framework_.greet<Subscribed>(etl());
  agent_.greet<Registered>(node());
  const auto first = offer();
  framework_.say(Decline{{first}, DeclineReason::no_node_local, std::chrono::seconds(1), {}});
  launch("t1");
}

OfferId Shown::offer() { return framework_.receive<Offers>().offers.at(0).id; }

void Shown::launch(const std::string& task) {
  TaskSpec spec;
  spec.id = TaskId{task};
  spec.resources.set(Kind("map"), 1);
  spec.job = JobId{7};
  spec.work = std::make_shared<const Work>(CommandWork{{"true"}, {}});
  framework_.say(Revive{});  // whatever it has declined is offered again
  framework_.say(Accept{++accepts_, {offer()}, {spec}, DeclineReason::no_pending_task, Duration::zero(), {}});
  agent_.receive<Launch>();
}

std::string body_with(const std::string& address, const std::string& path, const std::string& wanted) {
  const auto until = steady_now() + kShownWithin;
  for (;;) {
    auto body = get(address, path).body;
    if (body.find(wanted) != std::string::npos || steady_now() >= until) return body;
  }
}

}  // namespace proffer::live::test
