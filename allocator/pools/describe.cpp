#include "allocator/pools/describe.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/offers/standings.hpp"
#include "proffer/limits.hpp"
#include "proffer/names.hpp"
#include "proffer/pool_list.hpp"

namespace proffer::allocator {
namespace {

/// A page is sent when its entries may have this many bytes, well under a message's bound.
constexpr std::size_t kPageBytes = limits::kFrameBytes / 4;
/// The bytes of an entry beside its texts: numbers and ids; and those of a quantity of a kind.
constexpr std::size_t kEntryBytes = 256;
constexpr std::size_t kQuantityBytes = 32;
constexpr std::size_t kNameBytes = 8;  // of a name in a list, beside the name itself

/// Returns what stands above the lists.
ClusterState head(const State& state, Time now) {
  ClusterState page;
  page.catalog_endpoint = state.config.catalog_endpoint;
  page.event_log = state.config.event_log;
  page.http = state.config.http;
  const auto& recovery = state.recovery;
  if (recovery.window_until) {
    page.agents_known = recovery.known;
    page.agents_back = recovery.known - recovery.awaited;
    if (recovery.hold_until) page.recovers_for = *recovery.hold_until - now;
  }
  const auto& preemption = state.config.preemption;
  page.preemption = enum_name(kPreemptionModes, preemption.mode);
  page.fair_share_timeout = preemption.fair_share_timeout;
  page.fair_share_threshold_milli = preemption.fair_share_threshold_milli;
  page.preemption_deadline = preemption.deadline;
  page.degraded = state.peer_timers.brake.why(silence_of(state));
  return page;
}

class Pages {
 public:
  Pages(const Turn& turn, PeerId to, std::uint64_t request) : turn_(turn), to_(to), request_(request) {
    begin();
  }
  void add(AgentState agent) {
    const auto quantities = agent.total.size() + agent.used.size() + agent.offered.size();
    grow(agent.name.size() + agent.rack.size() + agent.data_endpoint.size() + agent.trouble.size() +
             agent.wish.size() + agent.reach.size(),
         quantities);
    page_.agents.push_back(std::move(agent));
  }
  void add(FrameworkState framework) {
    const auto quantities =
        framework.used.size() + framework.offered.size() + framework.demand.size() + framework.fair.size();
    grow(framework.name.size() + framework.pool.size() + framework.user.size(), quantities);
    page_.frameworks.push_back(std::move(framework));
  }
  void add(PoolState pool) {
    std::size_t places = 0;
    for (const auto* names : {&pool.racks, &pool.agents}) {
      for (const auto& name : *names) places += name.size() + kNameBytes;
    }
    grow(pool.name.size() + pool.order.size() + places,
         pool.min_share.size() + pool.used.size() + pool.demand.size() + pool.fair.size());
    page_.pools.push_back(std::move(pool));
  }
  void add(LivingTask task) {
    grow(task.task.value.size(), task.resources.size());
    page_.tasks.push_back(std::move(task));
  }
  void set_living(std::uint64_t living) { page_.living = living; }
  void finish() { turn_.answer(to_, std::move(page_)); }

 private:
  void begin() {
    bytes_ = 0;
    page_ = head(turn_.state, turn_.now);
    page_.request = request_;
  }
  void grow(std::size_t text, std::size_t quantities) {
    const auto bytes = kEntryBytes + text + kQuantityBytes * quantities;
    if (bytes_ > 0 && bytes_ + bytes > kPageBytes) {
      page_.more = true;
      finish();
      begin();
    }
    bytes_ += bytes;
  }

  const Turn& turn_;
  PeerId to_;
  std::uint64_t request_;
  ClusterState page_;
  std::size_t bytes_ = 0;
};

std::string reach_of(const AgentRecord& agent) {
  if (agent.past.awaited) return "awaited";
  if (agent.reach == Reach::unreachable) return "unreachable";
  return agent.reach == Reach::live && agent.contact.session ? "up" : "silent";
}

std::string wish_of(const AgentRecord& agent) {
  if (!agent.service.draining()) return {};
  return agent.drained() ? "drained" : "draining";
}

AgentState describe(const AgentRecord& agent) {
  AgentState view;
  view.id = agent.info.id;
  view.name = agent.info.name;
  view.rack = agent.info.rack;
  view.data_endpoint = agent.info.data_endpoint;
  view.reachable = agent.reach <= Reach::suspect;
  view.total = agent.total;
  view.trouble = agent.service.trouble;
  view.wish = wish_of(agent);
  view.tasks = agent.living + agent.strays.size();
  view.reach = reach_of(agent);
  for (const auto& slots : agent.slots) {
    view.used.set(slots.kind, slots.used);
    view.offered.set(slots.kind, slots.offered);
  }
  return view;
}

FrameworkState describe(const State& state, const FrameworkRecord& framework, Time now) {
  auto view = framework.counts.state();
  view.id = framework.id;
  view.name = framework.name;
  view.pool = framework.place.pool;
  view.user = framework.user;
  view.priority = enum_name(kPriorities, framework.priority);
  view.connected = framework.connected();
  if (const auto at = framework.failover.give_up_at) view.given_up_in = std::max(*at - now, Duration::zero());
  view.used = framework.slots.running;
  view.offered = framework.slots.offered;
  for (const auto kind : state.shares.kinds()) {
    const auto demand = std::max(framework.wanted(kind), framework.slots.running[kind]);
    if (demand != kUnbounded) view.demand[kind] = demand;
    view.fair[kind] = fair_share(state, framework, kind);
  }
  return view;
}

void note(Quantities& quantities, Kind kind, std::int64_t units) {
  if (units > 0) quantities[kind] = units;
}

std::vector<PoolState> describe_pools(const State& state) {
  std::vector<PoolState> pools;
  auto kinds = state.shares.kinds();
  const bool no_slots = kinds.empty();
  if (no_slots) kinds.push_back(Kind("none"));  // the pools are there all the same
  std::map<std::string, const AllocatorPool*> settings;
  for (const auto& pool : state.config.pools) settings[pool.share.name] = &pool;
  for (const auto kind : kinds) {
    const auto views = state.shares.tree().pools(kind);
    pools.resize(views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
      pools[i].name = views[i].name;
      pools[i].weight_milli = views[i].weight_milli;
      pools[i].frameworks = views[i].leaves;
      pools[i].waiting = views[i].waiting;
      pools[i].order = enum_name(kPoolOrders, views[i].order);
      if (no_slots) continue;
      note(pools[i].used, kind, views[i].used);
      if (views[i].demand < kUnbounded) pools[i].demand[kind] = views[i].demand;
      note(pools[i].fair, kind, views[i].fair);
    }
  }
  for (auto& pool : pools) {
    if (const auto set = settings.find(pool.name); set != settings.end())
      describe_settings(*set->second, pool);
  }
  return pools;
}

/// Hands the entries of all lists to `add`, each list in its order.
template <class Add>
void describe_all(const State& state, Time now, Add&& add) {
  for (auto& pool : describe_pools(state)) add(std::move(pool));
  // Several agents may have one name, of which one is here.
  std::map<std::pair<std::string, AgentId>, AgentIndex> by_name;
  for (const auto& [id, index] : state.cluster.in_order()) {
    by_name[{state.cluster[index].info.name, id}] = index;
  }
  for (const auto& [name, index] : by_name) add(describe(state.cluster[index]));
  std::map<std::pair<std::string, FrameworkId>, FrameworkIndex> frameworks;
  for (const auto& [id, index] : state.frameworks.in_order()) {
    frameworks[{state.frameworks[index].name, id}] = index;
  }
  for (const auto& [name, index] : frameworks) add(describe(state, state.frameworks[index], now));
}

/// The lists of a view, as describe_all() hands them out.
struct Lists {
  ClusterState& into;
  void operator()(PoolState pool) const { into.pools.push_back(std::move(pool)); }
  void operator()(AgentState agent) const { into.agents.push_back(std::move(agent)); }
  void operator()(FrameworkState framework) const { into.frameworks.push_back(std::move(framework)); }
};

void add_tasks(const State& state, std::size_t most, ClusterView& view) {
  std::map<std::pair<AgentId, FrameworkId>, AgentUse> uses;
  const auto launches = state.tasks.all();
  for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
    const auto* const task = state.tasks.find(*launch);
    if (task->ended() || !task->agent) continue;
    const auto agent = state.cluster[*task->agent].info.id;
    const auto framework = state.frameworks[task->framework].id;
    auto& use = uses[{agent, framework}];
    use.agent = agent;
    use.framework = framework;
    use.used += task->resources;
    ++use.tasks;
    ++view.state.living;
    ++view.living_in[static_cast<std::size_t>(task->state)];
    if (view.state.tasks.size() < most) {
      view.state.tasks.push_back({agent, framework, task->id, task->job, task->state, task->resources});
    }
  }
  for (auto& [key, use] : uses) view.uses.push_back(std::move(use));
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Describe& message) {
  Pages pages(turn, in.peer, message.request);
  describe_all(turn.state, turn.now, [&](auto entry) { pages.add(std::move(entry)); });
  if (message.tasks > 0) {
    ClusterView view;
    add_tasks(turn.state, std::min<std::uint64_t>(message.tasks, limits::kTasksDescribed), view);
    for (auto& task : view.state.tasks) pages.add(std::move(task));
    pages.set_living(view.state.living);
  }
  pages.finish();
}

ClusterView view(const State& state, Time now, std::size_t most_tasks) {
  ClusterView view;
  view.state = head(state, now);
  describe_all(state, now, Lists{view.state});
  add_tasks(state, most_tasks, view);
  return view;
}

}  // namespace proffer::allocator
