#include "tests/scenario/commands.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace proffer::scenario {
namespace {

using Handler = std::function<std::string(World&, const Command&)>;

/// "red:2,blue:1" as pools with weights; "r1.only:1@r1" may be offered agents of rack r1 only; "red:2:4:20s"
/// has a min share of 4 map slots, and takes it from others after 20 s; "red~2~10s" has two agents of its own
/// while it wants some, and for 10 s.
std::vector<AllocatorPool> pools_of(const std::string& text) {
  std::vector<AllocatorPool> pools;
  for (const auto& item : split(text, ',')) {
    const auto own = split(item, '~');
    const auto at = split(own.at(0), '@');
    const auto parts = split(at.at(0), ':');
    AllocatorPool pool;
    pool.share.name = parts.at(0);
    if (parts.size() > 1) pool.share.weight_milli = 1000 * std::stoll(parts[1]);
    if (parts.size() > 2) pool.share.min_share.set(Kind{"map"}, std::stoll(parts[2]));
    if (parts.size() > 3) pool.share.min_share_timeout = parse_duration(parts[3]);
    if (at.size() > 1) pool.racks.insert(at[1]);
    if (own.size() > 2) {
      pool.private_agents = static_cast<std::uint32_t>(std::stoul(own[1]));
      pool.return_after = parse_duration(own[2]);
    }
    pools.push_back(std::move(pool));
  }
  return pools;
}

Resources slots_of(const Command& command) {
  Resources slots;
  for (const auto* kind : {"map", "reduce"}) {
    if (command.options.contains(kind)) slots.set(Kind{kind}, std::stoll(command.option(kind)));
  }
  return slots;
}

/// "maps=3 at=a1,a2"
Job job_of(World& world, const std::string& name, const Command& command) {
  Job job;
  job.name = name;
  job.kind = Kind{"map"};
  job.tasks = std::stoi(command.option("maps", "0"));
  if (command.options.contains("reduces")) {
    job.kind = Kind{"reduce"};
    job.tasks = std::stoi(command.option("reduces"));
  }
  for (const auto& agent : split(command.option("at"), ',')) {
    job.nodes.push_back(world.names().agent(agent));
    job.racks.push_back(world.rack_of(agent));
  }
  return job;
}

PreemptionMode preemption_of(const Command& command) {
  const auto mode = command.option("preemption", "off");
  const auto at = std::find(kPreemptionModes.begin(), kPreemptionModes.end(), mode);
  if (at == kPreemptionModes.end()) throw std::invalid_argument("there is no preemption " + mode);
  return static_cast<PreemptionMode>(at - kPreemptionModes.begin());
}

std::string start_allocator(World& world, const Command& command) {
  AllocatorConfig config;
  config.pools = pools_of(command.option("pools"));
  config.default_pool = command.option("default_pool");
  if (command.options.contains("offer_timeout"))
    config.offer_timeout = parse_duration(command.option("offer_timeout"));
  config.preemption.mode = preemption_of(command);
  if (command.options.contains("fair_share_timeout"))
    config.preemption.fair_share_timeout = parse_duration(command.option("fair_share_timeout"));
  world.start_allocator(std::move(config));
  return world.take_lines();
}

std::string start_agent(World& world, const Command& command) {
  AgentConfig config;
  config.name = command.word(0);
  config.rack = command.option("rack", "default");
  config.slots = slots_of(command);
  world.start_agent(std::move(config));
  return world.take_lines();
}

FrameworkConfig framework_of(const Command& command) {
  FrameworkConfig config;
  config.name = command.word(0);
  config.pool = command.option("pool");
  config.user = "somebody";
  if (command.options.contains("failover"))
    config.failover_timeout = parse_duration(command.option("failover"));
  return config;
}

/// Settings of a policy are written policy=wait:node_wait:2s, since = belongs to the script.
PolicySpec policy_of(const Command& command) {
  const auto parts = split(command.option("policy", "greedy"), ':');
  PolicySpec policy{parts.at(0), {}};
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) policy.settings[parts[i]] = parts[i + 1];
  return policy;
}

std::string start_framework(World& world, const Command& command) {
  std::vector<Job> jobs;
  if (command.words.size() > 1) jobs.push_back(job_of(world, command.word(1), command));
  world.start_framework(framework_of(command), policy_of(command), jobs);
  return world.take_lines();
}

/// "sort" or "sort@research"
JobSpec mapreduce_job(const std::string& word, const std::string& output, const Command& command) {
  const auto at = split(word, '@');
  JobSpec job;
  job.name = at.at(0);
  if (at.size() > 1) job.pool = at[1];
  job.inputs = {command.option("in")};
  job.output = output;
  job.mapper = "cat";
  job.num_reduces = static_cast<std::uint32_t>(std::stoul(command.option("reduces", "0")));
  job.reducer = job.num_reduces == 0 ? "NONE" : "cat";
  for (const auto& file : split(command.option("cached"), ',')) job.cached.push_back(parse_cached(file));
  job.token = "job-token";
  return job;
}

std::string start_mapreduce(World& world, const Command& command) {
  const auto output = command.option("out");
  std::vector<JobSpec> jobs{mapreduce_job(command.word(1), output, command)};
  for (std::size_t i = 2; i < command.words.size(); ++i) {
    jobs.push_back(mapreduce_job(command.words[i], output + std::to_string(i), command));
  }
  MapReduceConfig settings;
  settings.policy = policy_of(command);
  for (auto& pool : pools_of(command.option("job_pools")))
    settings.sharing.pools.push_back(std::move(pool.share));
  settings.sharing.preemption.mode = preemption_of(command);
  if (command.options.contains("fair_share_timeout"))
    settings.sharing.preemption.fair_share_timeout = parse_duration(command.option("fair_share_timeout"));
  if (command.options.contains("speculative_after")) {
    settings.speculation.on = true;
    settings.speculation.after = parse_duration(command.option("speculative_after"));
  }
  world.start_mapreduce(framework_of(command), std::move(settings), jobs);
  return world.take_lines();
}

std::string submit_mapreduce(World& world, const Command& command) {
  world.submit(command.word(0), mapreduce_job(command.word(1), command.option("out"), command));
  return world.take_lines();
}

/// replication=dsbra variant=accessed interval=10s
std::string start_catalog(World& world, const Command& command) {
  const auto chosen = [&](const char* key, const auto& names) {
    const auto at = std::find(names.begin(), names.end(), command.option(key, std::string(names.front())));
    if (at == names.end()) throw std::invalid_argument("there is no such " + std::string(key));
    return at - names.begin();
  };
  ReplicationConfig replication;
  replication.policy = static_cast<ReplicationPolicy>(chosen("replication", kReplicationPolicies));
  replication.variant = static_cast<DsbraVariant>(chosen("variant", kDsbraVariants));
  replication.interval = parse_duration(command.option("interval", "60s"));
  replication.threshold = std::chrono::seconds(1);
  world.start_catalog(replication);
  return world.take_lines();
}

std::string write_file(World& world, const Command& command) {
  world.write_file(command.word(0), split(command.option("at"), ','));
  return world.take_lines();
}

std::string list_files(World& world, const Command& command) {
  std::string text;
  for (const auto& file : world.files(command.word(0))) {
    text += file.path + " " + std::to_string(file.length) + " bytes\n";
  }
  return text;
}

std::string set_room(World& world, const Command& command) {
  static const std::map<std::string, Room> rooms{
      {"plenty", Room::plenty}, {"little", Room::little}, {"none", Room::none}};
  world.set_room(command.word(0), rooms.at(command.word(1)));
  return world.take_lines();
}

std::string submit(World& world, const Command& command) {
  world.bag(command.word(0)).add(job_of(world, command.word(1), command));
  world.wake(command.word(0));
  return world.take_lines();
}

std::string exit_task(World& world, const Command& command) {
  const ExitStatus status{std::stoi(command.option("code", "0")), std::stoi(command.option("signal", "0"))};
  world.exit(command.word(0), command.word(1), status);
  return world.take_lines();
}

std::string kill_task(World& world, const Command& command) {
  world.bag(command.word(0)).kill(command.word(1));
  world.wake(command.word(0));
  return world.take_lines();
}

std::string revive(World& world, const Command& command) {
  world.bag(command.word(0)).revive(Kind{command.word(1)});
  world.wake(command.word(0));
  return world.take_lines();
}

std::string suppress(World& world, const Command& command) {
  world.bag(command.word(0)).suppress(Kind{command.word(1)});
  world.wake(command.word(0));
  return world.take_lines();
}

std::string stop(World& world, const Command& command) {
  world.bag(command.word(0)).stop();
  world.wake(command.word(0));
  return world.take_lines();
}

std::string deliver(World& world, const Command& command) {
  if (command.words.empty()) {
    world.deliver();
  } else {
    world.deliver(std::stoi(command.word(0)));
  }
  return world.take_lines();
}

std::string line_of(const FrameworkState& f) {
  std::string text =
      f.name + ": used=" + print(f.used) + " offered=" + print(f.offered) +
      " offers=" + std::to_string(f.offers_sent) + " accepted=" + std::to_string(f.offers_accepted) +
      " rescinded=" + std::to_string(f.offers_rescinded) + " expired=" + std::to_string(f.offers_expired);
  for (int reason = 0; reason < kDeclineReasons; ++reason) {
    const auto count = f.offers_declined.at(static_cast<std::size_t>(reason));
    if (count == 0) continue;
    text += " " + std::string(to_string(static_cast<DeclineReason>(reason))) + "=" + std::to_string(count);
  }
  return text + " finished=" + std::to_string(f.tasks_finished) + " failed=" + std::to_string(f.tasks_failed);
}

std::string line_of(const AgentState& a) {
  return a.name + ": total=" + print(a.total) + " used=" + print(a.used) + " offered=" + print(a.offered) +
         (a.reachable ? "" : " unreachable") + (a.trouble.empty() ? "" : " trouble: " + a.trouble);
}

std::string describe(World& world, const Command& command) {
  const auto state = world.describe();
  std::string text;
  if (command.word(0) == "frameworks") {
    for (const auto& framework : state.frameworks) text += line_of(framework) + "\n";
  } else {
    for (const auto& agent : state.agents) text += line_of(agent) + "\n";
  }
  return text;
}

/// "b7"
BlockId block_of(const std::string& word) { return BlockId{std::stoull(word.substr(1))}; }

std::string answer_of(const AdminDone& done) {
  if (done.error) return "refused: " + done.error->message + "\n";
  auto lines = done.text + "\n";
  for (const auto& warning : done.warnings) lines += "warning: " + warning + "\n";
  return lines;
}

/// What it says to the operator, then what it says to others.
std::string operate(World& world, Message change) {
  auto answer = answer_of(world.operate(std::move(change)));
  return answer + world.take_lines();
}

std::string change_pool(World& world, const Command& command) {
  ChangePool change;
  change.verb = command.word(0);
  change.pool = command.word(1);
  if (command.options.contains("weight")) change.weight_milli = 1000 * std::stoll(command.option("weight"));
  if (command.options.contains("min")) {
    change.min_share[Kind{"map"}] = std::stoll(command.option("min"));
  }
  if (command.options.contains("max_running")) {
    change.max_running = static_cast<std::uint32_t>(std::stoul(command.option("max_running")));
  }
  if (command.options.contains("racks")) change.racks = split(command.option("racks"), ',');
  if (command.options.contains("private_agents")) {
    change.private_agents = static_cast<std::uint32_t>(std::stoul(command.option("private_agents")));
  }
  return operate(world, std::move(change));
}

std::string move_framework(World& world, const Command& command) {
  return operate(world, MoveFramework{0, command.word(0), command.word(1)});
}

std::string kill_job(World& world, const Command& command) {
  world.ask_for(KillJob{1, command.word(0), command.word(1), command.option("by"), command.option("why")});
  return world.take_lines();
}

std::string move_job(World& world, const Command& command) {
  world.ask_for(MoveJob{1, command.word(0), command.word(1), command.word(2)});
  return world.take_lines();
}

/// A handler for what needs nothing but the world's own verb.
template <class Verb>
Handler doing(Verb verb) {
  return [verb](World& world, const Command& command) {
    verb(world, command);
    return world.take_lines();
  };
}

const std::map<std::string, Handler>& handlers() {
  static const std::map<std::string, Handler> table{
      {"allocator", start_allocator},
      {"catalog", start_catalog},
      {"agent", start_agent},
      {"framework", start_framework},
      {"mapreduce", start_mapreduce},
      {"file", write_file},
      {"files", list_files},
      {"remove", doing([](World& w, const Command& c) { w.remove_files(c.word(0)); })},
      {"disk", set_room},
      {"job", submit},
      {"submit", submit_mapreduce},
      {"exit", exit_task},
      {"kill-task", kill_task},
      {"revive", revive},
      {"suppress", suppress},
      {"stop", stop},
      {"deliver", deliver},
      {"describe", describe},
      {"fetched", doing([](World& w, const Command& c) { w.store(c.word(0), block_of(c.word(1))); })},
      {"not-fetched",
       doing([](World& w, const Command& c) { w.fail_fetch(c.word(0), block_of(c.word(1))); })},
      {"pool", change_pool},
      {"move", move_framework},
      {"kill-job", kill_job},
      {"move-job", move_job},
      {"catalog", doing([](World& w, const Command&) { w.start_catalog(); })},
      {"restart-allocator", doing([](World& w, const Command&) { w.restart_allocator(); })},
      {"restart-allocator-empty", doing([](World& w, const Command&) { w.restart_allocator(true); })},
      {"advance", doing([](World& w, const Command& c) { w.advance(parse_duration(c.word(0))); })},
      {"lose", doing([](World& w, const Command& c) { w.lose(std::stoi(c.word(0))); })},
      {"kill", doing([](World& w, const Command& c) { w.kill(c.word(0)); })},
      {"spoil",
       doing([](World& w, const Command& c) { w.set_trouble(c.word(0), c.option("why", "no disk")); })},
      {"repair", doing([](World& w, const Command& c) { w.set_trouble(c.word(0), ""); })},
      {"cut", doing([](World& w, const Command& c) { w.cut(c.word(0)); })},
      {"heal", doing([](World& w, const Command& c) { w.heal(c.word(0)); })},
      {"disconnect", doing([](World& w, const Command& c) { w.disconnect(c.word(0)); })},
      {"silent", doing([](World& w, const Command& c) { w.bag(c.word(0)).fall_silent(); })},
      {"stubborn", doing([](World& w, const Command& c) { w.bag(c.word(0)).grow_stubborn(); })},
      {"show-heartbeats", doing([](World& w, const Command&) { w.show_heartbeats(); })},
  };
  return table;
}

}  // namespace

std::string run(World& world, const Command& command) {
  const auto handler = handlers().find(command.verb);
  if (handler == handlers().end()) return "error: no command is called " + command.verb + "\n";
  try {
    return handler->second(world, command);
  } catch (const std::exception& error) {
    return world.take_lines() + "error: " + error.what() + "\n";
  }
}

}  // namespace proffer::scenario
