// The command `proffer plan`: the wait for a locality, or the gain of a wait, by the analysis of delay
// scheduling.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "cli/where.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/frameworks/delay_formula.hpp"
#include "proffer/names.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;

enum class Asked : std::uint8_t { locality, wait, skips };

/// The question, and its answer.
struct DelayPlan {
  DelayModel model;
  std::int64_t slots = 1;  // S, in all
  Duration task_time{};
  std::optional<double> measured;  // release rate, slots a second
  std::optional<std::int64_t> share;
  std::optional<double> long_part;
  Asked asked = Asked::locality;
  double wanted = 0;
  double skips = 0;  // D
  Duration wait{};   // W
};

double seconds_of(Duration time) { return static_cast<double>(time.count()) / 1e6; }

/// Slots that come free in a second.
double release_rate(const DelayPlan& plan) {
  return plan.measured.value_or(static_cast<double>(plan.slots) / seconds_of(plan.task_time));
}
/// Returns the time until `slots` slots have come free.
Duration wait_for(const DelayPlan& plan, double slots) { return wait_for_skips(slots, release_rate(plan)); }
std::int64_t slots_per_node(const DelayPlan& plan) {
  return std::max<std::int64_t>(1, plan.slots / plan.model.nodes);
}
Error wrong(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

/// The number of agents with such slots, and the number of slots.
struct Capacity {
  std::int64_t nodes = 0;
  std::int64_t slots = 0;
};

Result<Capacity> running_cluster(const PlanOptions& options) {
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return where.error();
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return state.error();
  Capacity capacity;
  for (const auto& agent : state->agents) {
    const auto units = agent.total[Kind(options.kind)];
    capacity.nodes += units > 0 ? 1 : 0;
    capacity.slots += units;
  }
  if (capacity.nodes > 0) return capacity;
  return wrong(fmt::format("no agent of that cluster has a {} slot; say --kind, or --nodes and --slots",
                           options.kind));
}

Result<Capacity> capacity_of(const PlanOptions& options) {
  if (options.nodes && options.slots) return Capacity{*options.nodes, *options.nodes * *options.slots};
  if (options.allocator.empty())
    return wrong("write --nodes and --slots (of each node), or --allocator to ask a running cluster");
  auto capacity = running_cluster(options);
  if (!capacity) return capacity;
  const auto each = options.slots.value_or(std::max<std::int64_t>(1, capacity->slots / capacity->nodes));
  if (options.nodes) return Capacity{*options.nodes, *options.nodes * each};
  return options.slots ? Capacity{capacity->nodes, capacity->nodes * each} : *capacity;
}

Result<> read_question(const PlanOptions& options, DelayPlan& plan) {
  if ((options.locality ? 1 : 0) + (options.wait.empty() ? 0 : 1) + (options.skips ? 1 : 0) > 1)
    return wrong("say one of --locality, --wait and --skips");
  if (options.skips) {
    plan.asked = Asked::skips;
    plan.skips = *options.skips;
    plan.wait = wait_for(plan, plan.skips);
  } else if (!options.wait.empty()) {
    const auto wait = parse_duration(options.wait);
    if (!wait) return wrong("--wait: " + wait.error().message);
    plan.asked = Asked::wait;
    plan.wait = *wait;
    plan.skips = skips_in_wait(*wait, release_rate(plan));
  } else {
    plan.wanted = options.locality.value_or(0.95);
    if (plan.wanted < 0 || plan.wanted >= 1) return wrong("--locality is a part below 1, such as 0.95");
    plan.skips = skips_for_locality(plan.model, plan.wanted);
    plan.wait = wait_for(plan, plan.skips);
  }
  return {};
}

Result<DelayPlan> make_delay_plan(const PlanOptions& options) {
  if (!Kind::valid(options.kind)) return wrong("--kind: \"" + options.kind + "\" is no kind of slots");
  const auto capacity = capacity_of(options);
  if (!capacity) return capacity.error();
  const auto task_time = parse_duration(options.task_time);
  if (!task_time) return wrong("--task-time: " + task_time.error().message);
  if (*task_time <= Duration::zero()) return wrong("--task-time must be longer than nothing");
  DelayPlan plan;
  plan.model = {capacity->nodes, options.replicas, options.tasks};
  plan.slots = capacity->slots;
  plan.task_time = *task_time;
  plan.measured = options.rate;
  plan.share = options.share;
  plan.long_part = options.long_part;
  if (auto read = read_question(options, plan); !read) return read.error();
  return plan;
}

/// Returns the settings of a policy which waits for the node only and afresh for each task, as the formula
/// has it: whole slots and milliseconds, rounded up. A job that lets D - 1 slots pass looks at D.
std::string skip_policy(const DelayPlan& plan) {
  const auto skips = std::max(0.0, std::ceil(plan.skips) - 1);
  return fmt::format("skip,node_skips={:.0f},rack_skips=0,reset=on-launch", skips);
}
std::string wait_policy(const DelayPlan& plan) {
  return fmt::format("wait,node_wait={}ms,rack_wait=0s,reset=on-launch", (plan.wait.count() + 999) / 1000);
}

void print_json(const DelayPlan& plan) {
  const auto chance = [&](std::int64_t left) { return local_chance(plan.model, left, plan.skips); };
  constexpr std::array kAsked{"locality", "wait", "skips"};
  auto node = JsonNode::object({{"nodes", plan.model.nodes},
                                {"slots", plan.slots},
                                {"replicas", plan.model.replicas},
                                {"tasks", plan.model.tasks},
                                {"task_time_s", seconds_of(plan.task_time)},
                                {"asked", std::string(enum_name(kAsked, plan.asked))},
                                {"skips", plan.skips},
                                {"wait_s", seconds_of(plan.wait)},
                                {"locality", expected_locality(plan.model, plan.skips)},
                                {"locality_of_first_task", chance(plan.model.tasks)},
                                {"locality_of_last_task", chance(1)},
                                {"skip_policy", skip_policy(plan)},
                                {"wait_policy", wait_policy(plan)}});
  if (plan.asked == Asked::locality) node.set("wanted_locality", plan.wanted);
  node.set("release_rate", release_rate(plan));
  if (plan.share) {
    node.set("time_to_fair_share_s", seconds_of(wait_for(plan, static_cast<double>(*plan.share))));
  }
  if (plan.long_part) {
    node.set("all_blocked", chance_all_blocked(*plan.long_part, plan.model.replicas, slots_per_node(plan)));
  }
  fmt::print("{}\n", formats::dump_json(node));
}

void print_terms(const DelayPlan& plan) {
  const auto& [nodes, replicas, tasks] = plan.model;
  const auto time = seconds_of(plan.task_time);
  const auto wait = seconds_of(plan.wait);
  switch (plan.asked) {
    case Asked::locality:
      fmt::print(
          "D >= -(M/R) ln( (1-l)N / (1 + (1-l)N) )\n   = -({0}/{1}) ln( {2:.3g} / {3:.3g} ) = {4:.1f} slots "
          "to let pass\n",
          nodes, replicas, (1 - plan.wanted) * static_cast<double>(tasks),
          1 + (1 - plan.wanted) * static_cast<double>(tasks), plan.skips);
      [[fallthrough]];
    case Asked::skips:
      if (plan.measured) {
        fmt::print("W  = D / rho = {:.1f} / {:g} a second = {:.3f} s of waiting\n", plan.skips,
                   *plan.measured, wait);
        return;
      }
      fmt::print("W  = D T / S = {:.1f} x {:g} s / {} = {:.3f} s of waiting\n", plan.skips, time, plan.slots,
                 wait);
      return;
    case Asked::wait:
      if (plan.measured) {
        fmt::print("D  = W rho = {:g} s x {:g} a second = {:.1f} slots to let pass\n", wait, *plan.measured,
                   plan.skips);
        return;
      }
      fmt::print("D  = W S / T = {:g} s x {} / {:g} s = {:.1f} slots to let pass\n", wait, plan.slots, time,
                 plan.skips);
      return;
  }
}

/// Prints the answers to the other questions about that cluster.
void print_beside(const DelayPlan& plan) {
  if (plan.share) {
    const auto wait = wait_for(plan, static_cast<double>(*plan.share));
    const auto terms =
        plan.measured
            ? fmt::format("F / rho = {} / {:g} a second", *plan.share, *plan.measured)
            : fmt::format("F T / S = {} x {:g} s / {}", *plan.share, seconds_of(plan.task_time), plan.slots);
    fmt::print("{} = {:.3g} s until a new job has its F slots, when nothing is killed\n", terms,
               seconds_of(wait));
  }
  if (plan.long_part) {
    const auto each = slots_per_node(plan);
    fmt::print("phi^(R L) = {:g}^({} x {}) = {:.3g}: chance that long tasks hold every slot near a block\n",
               *plan.long_part, plan.model.replicas, each,
               chance_all_blocked(*plan.long_part, plan.model.replicas, each));
  }
  if (plan.share || plan.long_part) fmt::print("\n");
}

void print_plan(const DelayPlan& plan) {
  const auto& [nodes, replicas, tasks] = plan.model;
  fmt::print(
      "A job of N = {} tasks of T = {:g} s, R = {} replicas of each block, M = {} nodes, S = {} slots.\n\n",
      tasks, seconds_of(plan.task_time), replicas, nodes, plan.slots);
  print_terms(plan);
  fmt::print("l(D) = mean over K = 1..N of 1 - (1 - K/M)^(R D) = {:.1f}% of its tasks node-local\n\n",
             100 * expected_locality(plan.model, plan.skips));
  print_beside(plan);
  Table table({"TASKS LEFT (K)", "NODES WITH DATA", "LOCAL WITHIN D"});
  for (const auto left : std::set<std::int64_t>{1, (tasks + 3) / 4, (tasks + 1) / 2, tasks}) {
    table.add({std::to_string(left), fmt::format("{:.1f}%", 100 * nodes_with_data(plan.model, left)),
               fmt::format("{:.1f}%", 100 * local_chance(plan.model, left, plan.skips))});
  }
  fmt::print("{}\nAs a policy: {}   or   {}\n", table.text(), wait_policy(plan), skip_policy(plan));
}

}  // namespace

int run_plan(const PlanOptions& options) {
  const auto plan = make_delay_plan(options);
  if (!plan)
    return plan.error().code == ErrorCode::invalid ? usage_error(plan.error().message) : report(plan.error());
  if (options.json) {
    print_json(*plan);
  } else {
    print_plan(*plan);
  }
  return kOk;
}

}  // namespace proffer::cli
