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

class Pages {
 public:
  Pages(const Turn& turn, PeerId to, std::uint64_t request) : turn_(turn), to_(to), request_(request) {
    begin();
  }
  void add(AgentState agent) {
    const auto quantities = agent.total.size() + agent.used.size() + agent.offered.size();
    grow(agent.name.size() + agent.rack.size() + agent.data_endpoint.size() + agent.trouble.size(),
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
  void finish() { turn_.answer(to_, std::move(page_)); }

 private:
  void begin() {
    bytes_ = 0;
    page_ = {};
    page_.request = request_;
    page_.catalog_endpoint = turn_.state.config.catalog_endpoint;
    page_.event_log = turn_.state.config.event_log;
    describe_recovery();
    const auto& preemption = turn_.state.config.preemption;
    page_.preemption = enum_name(kPreemptionModes, preemption.mode);
    page_.fair_share_timeout = preemption.fair_share_timeout;
    page_.fair_share_threshold_milli = preemption.fair_share_threshold_milli;
    page_.preemption_deadline = preemption.deadline;
  }
  void describe_recovery() {
    const auto& recovery = turn_.state.recovery;
    if (!recovery.window_until) return;
    page_.agents_known = recovery.known;
    page_.agents_back = recovery.known - recovery.awaited;
    if (recovery.hold_until) page_.recovers_for = *recovery.hold_until - turn_.now;
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

AgentState describe(const AgentRecord& agent) {
  AgentState view;
  view.id = agent.info.id;
  view.name = agent.info.name;
  view.rack = agent.info.rack;
  view.data_endpoint = agent.info.data_endpoint;
  view.reachable = agent.reach <= Reach::suspect;
  view.total = agent.total;
  view.trouble = agent.trouble;
  for (const auto& slots : agent.slots) {
    view.used.set(slots.kind, slots.used);
    view.offered.set(slots.kind, slots.offered);
  }
  return view;
}

FrameworkState describe(const State& state, const FrameworkRecord& framework) {
  auto view = framework.counts.state();
  view.id = framework.id;
  view.name = framework.name;
  view.pool = framework.place.pool;
  view.user = framework.user;
  view.priority = enum_name(kPriorities, framework.priority);
  view.connected = framework.connected();
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
  if (kinds.empty()) kinds.push_back(Kind("none"));  // the pools are there without any slots, too
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

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Describe& message) {
  const auto& state = turn.state;
  Pages pages(turn, in.peer, message.request);
  for (auto& pool : describe_pools(state)) pages.add(std::move(pool));
  // Several agents may have one name, of which one is here.
  std::map<std::pair<std::string, AgentId>, AgentIndex> by_name;
  for (const auto& [id, index] : state.cluster.in_order()) {
    by_name[{state.cluster[index].info.name, id}] = index;
  }
  for (const auto& [name, index] : by_name) pages.add(describe(state.cluster[index]));
  std::map<std::pair<std::string, FrameworkId>, FrameworkIndex> frameworks;
  for (const auto& [id, index] : state.frameworks.in_order()) {
    frameworks[{state.frameworks[index].name, id}] = index;
  }
  for (const auto& [name, index] : frameworks) pages.add(describe(state, state.frameworks[index]));
  pages.finish();
}

}  // namespace proffer::allocator
