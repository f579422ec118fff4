// The command line of experiments, policies, pools and explanations.
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "cli/mistakes.hpp"
#include "cli/parse_parts.hpp"
#include "cli/pool_change.hpp"

namespace proffer::cli {
namespace {

/// Checks for a lower bound; CLI11 writes its own bounds in full, with 309 digits.
CLI::Validator at_least(double bound, bool beyond, const std::string& wants) {
  const auto complaint = [=](const std::string& text) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
    const bool fits = is_number && (beyond ? value > bound : value >= bound);
    return fits ? std::string() : text + " is wrong: write " + wants;
  };
  return CLI::Validator(complaint, "");
}
}  // namespace

/// Checks for a number from 0 to 1; CLI11's own check lets through words that are no number.
CLI::Validator a_part() {
  const auto complaint = [](const std::string& text) {
    double value = 0;
    const bool fits = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1;
    return fits ? std::string() : text + " is wrong: write a part from 0 to 1";
  };
  return CLI::Validator(complaint, "");
}

/// Checks for a whole number; CLI11's own check says which bounds there are, and not what to write.
CLI::Validator whole(std::int64_t least, std::int64_t most) {
  const auto complaint = [=](const std::string& text) {
    std::int64_t value = 0;
    const bool fits = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
    return fits ? std::string()
                : text + " is wrong: write a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most);
  };
  return CLI::Validator(complaint, "");
}

CLI::Validator one_of(const std::vector<std::string>& known) {
  const auto complaint = [=](const std::string& text) {
    const bool is_there = std::find(known.begin(), known.end(), text) != known.end();
    return is_there ? std::string() : text + " is wrong: " + there_are(text, known);
  };
  return CLI::Validator(complaint, CLI::detail::join(known, "|"));
}

namespace {

CLI::Validator at_least_one() { return at_least(1, false, "1 or more"); }

void add_trace_verb(CLI::App& trace, Command& command, const std::string& verb, const char* help) {
  auto* app = trace.add_subcommand(verb, help);
  auto options = std::make_shared<TraceOptions>();
  options->verb = verb;
  if (verb != "synth") {
    app->add_option("TRACE", options->source,
                    "swim:FILE; or csv, rumen, sls, swf, google2011, google2019, alibaba2018")
        ->required();
    app->add_option("--topology", options->topology, "The topology of a rumen trace");
    app->add_option("--reduce-size", options->reduce_size, "swim: shuffled bytes a reduce")
        ->capture_default_str();
    app->add_option("--scale-jobs", options->scale_jobs, "0.5: every other job")->capture_default_str();
    app->add_option("--scale-arrival", options->scale_arrival, "0.5: twice as fast")->capture_default_str();
  }
  app->add_option("--block-size", options->block_size, "e.g. 128MB")->capture_default_str();
  const auto* time = verb == "synth" ? "e.g. 10s or lognormal(10s, 3s)" : "Where the trace has none";
  app->add_option("--map-time", options->map_time, time)->capture_default_str();
  app->add_option("--reduce-time", options->reduce_time, time)->capture_default_str();
  app->add_option("--seed", options->seed, "The seed of everything that is random")->capture_default_str();
  if (verb == "stats") {
    app->add_option("--map-slots", options->map_slots, "Also tell the load on so many map slots");
    app->add_option("--reduce-slots", options->reduce_slots, "Also tell the load on so many reduce slots");
    app->add_flag("--json", options->json, "As JSON");
  } else {
    app->add_option("-o,--out", options->out, "Write to this file (default: stdout)");
  }
  if (verb == "convert" || verb == "cut" || verb == "synth") {
    app->add_option("--as", options->as, "csv or swim")
        ->check(one_of({"csv", "swim"}))
        ->capture_default_str();
  }
  if (verb == "cut") {
    app->add_option("--from", options->cut.from, "Submitted from, e.g. 1h")->capture_default_str();
    app->add_option("--to", options->cut.to, "Submitted before, e.g. 2h");
    app->add_option("--jobs", options->cut.jobs, "At most so many");
  }
  if (verb == "synth") {
    app->add_option("--bins", options->synth.bins, "MAPS[+REDUCES]xJOBS,..., e.g. 1x38,10+2x14")->required();
    app->add_option("--arrivals", options->synth.arrivals, "poisson(14s), fixed(14s) or at-once")
        ->capture_default_str();
  }
  if (verb == "synth") {
    app->add_option("--files", options->synth.files, "Jobs share so many files, some far more than others")
        ->check(whole(1, 1'000'000));
    app->add_option("--exponent", options->synth.exponent, "Of Zipf's law, by which jobs choose files")
        ->check(CLI::Range(0.0, 5.0))
        ->capture_default_str();
  }
  if (verb == "synth" || verb == "fit") {
    app->add_option("--name", options->synth.name, "Jobs are NAME-001, ...")->capture_default_str();
  }
  app->callback([&command, options] { choose(command, options); });
}

void add_trace(CLI::App& root, Command& command) {
  auto* trace = root.add_subcommand("trace", "Traces of real clusters as workloads")->group("Study");
  trace->require_subcommand(1);
  add_trace_verb(*trace, command, "stats", "What a trace amounts to");
  add_trace_verb(*trace, command, "convert", "Write a trace as CSV or SWIM");
  add_trace_verb(*trace, command, "cut", "A time window, or the first jobs");
  add_trace_verb(*trace, command, "fit", "A synthetic [[workload]] like a trace, and how well it is like it");
  add_trace_verb(*trace, command, "synth", "Make a workload of bins, as CSV or SWIM");
}

void add_world(CLI::App& app, WorldOptions& world) {
  app.add_flag("--live", world.live, "Run it by real processes");
  app.add_option("--scale-time", world.time_scale, "Live: real seconds for one of the experiment, e.g. 0.1");
  app.add_option("--machines", world.machines, "Live: agents on the machines of that file (docs/LIVE.md)");
}

void add_storm(CLI::App& sim, Command& command) {
  auto* app = sim.add_subcommand("storm", "The whole cluster under faults that are drawn from seeds");
  auto options = std::make_shared<StormOptions>();
  app->add_option("--seeds", options->seeds, "A..B: all from A to B");
  app->add_option("--seed", options->seed, "One seed alone")->excludes("--seeds");
  app->add_flag("--timeline", options->timeline, "Of one seed: print what happens, a line an event");
  app->add_flag("--shrink", options->shrink, "Of one seed that fails: find the smallest storm that does");
  app->add_flag("--stop-at-first", options->stop_at_first, "Run no seed after the first that fails");
  app->add_option("--faults", options->faults,
                  "What may go wrong, e.g. loss,pause or network; none: nothing; see docs/SIMULATOR.md")
      ->capture_default_str();
  app->add_option("--agents", options->agents, "At most so many")->check(whole(1, 12))->capture_default_str();
  app->add_option("--frameworks", options->frameworks, "At most so many")
      ->check(whole(1, 5))
      ->capture_default_str();
  app->add_option("--rage", options->rage, "How long things go wrong at most, e.g. 30s");
  app->add_option("--jobs", options->jobs, "Storms at a time (default: one a processor)")
      ->check(whole(1, 1024));
  app->add_flag("--twice", options->twice, "Run each seed twice, and compare the digests");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer(
      "Exit code 5 when an invariant does not hold; the seed is named, and the command that repeats it.\n"
      "Example: proffer sim storm --seeds 1..200");
  app->callback([&command, options] { choose(command, options); });
}

void add_sim(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("sim", "One run of an experiment, simulated or live")->group("Study");
  auto options = std::make_shared<SimOptions>();
  add_storm(*app, command);
  app->add_option("FILE", options->file, "The experiment, a TOML file");
  app->add_option("--seed", options->seed, "The seed of everything that is random")->capture_default_str();
  app->add_option("--cell", options->cell, "Which cell, e.g. node_wait=5s; needed when there are several");
  app->add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
      ->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  add_world(*app, options->world);
  app->add_option("--events", options->events, "Write the event log there, a JSON line a decision");
  app->add_option("--tables", options->tables, "Write jobs.csv, summary.json, ... into that folder");
  app->add_flag("--codec", options->codec, "Send every message through the bytes of the wire (same digest)");
  app->add_option("--check-every", options->check_every, "Check all invariants every so many events");
  app->add_flag("--json", options->json, "The measures as JSON");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer("Example: proffer sim examples/experiments/a8-several-hadoops.toml --cell 5s --seed 1");
  app->callback([&command, options, app] {
    if (app->got_subcommand("storm")) return;
    if (options->file.empty()) throw CLI::RequiredError("FILE");
    choose(command, options);
  });
}

void add_experiment_verb(CLI::App& experiment, Command& command, const std::string& verb, const char* help) {
  auto* app = experiment.add_subcommand(verb, help);
  auto options = std::make_shared<ExperimentOptions>();
  options->verb = verb;
  if (verb == "collect") {
    app->add_option("DIRS", options->folders, "Folders of results, or .json files of such rows")->required();
    app->add_option("--out", options->dir, "The file to write: JSON, or Markdown where it ends in .md")
        ->required();
  } else {
    const char* what = verb == "verify" ? "A folder of results" : "The experiment, a TOML file";
    app->add_option("TARGET", options->target, what)->required();
    add_plugins(*app, options->plugins);
  }
  if (verb == "run" || verb == "resume" || verb == "verify") {
    app->add_option("-j,--jobs", options->jobs, "Runs at a time (default: one a processor)");
  }
  if (verb == "run" || verb == "resume" || verb == "list" || verb == "describe") {
    app->add_option("--seeds", options->seeds, "How many, instead of the file's")->check(at_least_one());
    app->add_option("-d,--dir", options->dir, "Results (default results/NAME, live results/NAME-live)");
    app->add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
        ->allow_extra_args(false);
    add_world(*app, options->world);
  }
  if (verb == "run" || verb == "resume") {
    app->add_flag("--events", options->events, "Write events.jsonl of each run");
    app->add_flag("--offers", options->offers, "Write offers.csv of each run");
    app->add_flag("--quiet", options->quiet, "No progress");
  }
  app->callback([&command, options] { choose(command, options); });
}

void add_experiment(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("experiment", "All cells and seeds of an experiment")->group("Study");
  app->require_subcommand(1);
  add_experiment_verb(*app, command, "run", "Run what is not in the results yet; the table, the checks");
  add_experiment_verb(*app, command, "resume", "Go on with results that are begun");
  add_experiment_verb(*app, command, "list", "The cells, and which of their runs are done");
  add_experiment_verb(*app, command, "describe", "The load that its work makes, before anything is run");
  add_experiment_verb(*app, command, "verify", "Run everything again and compare digests");
  add_experiment_verb(*app, command, "collect",
                      "Papers' figures, measures and checks of many results in one file");
  app->footer("Example: proffer experiment run examples/experiments/a8-several-hadoops.toml -j 2");
}

std::shared_ptr<PolicyOptions> add_policy_verb(CLI::App& app, Command& command, const std::string& verb) {
  auto options = std::make_shared<PolicyOptions>();
  options->verb = verb;
  add_plugins(app, options->plugins);
  app.callback([&command, options] { choose(command, options); });
  return options;
}

void add_policy_json(CLI::App& app, const std::shared_ptr<PolicyOptions>& options) {
  app.add_option_function<std::string>(
         "-o,--output-format", [options](const std::string& text) { options->json = text == "json"; },
         "table or json")
      ->check(one_of({"table", "json"}));
}

void add_policy_bench(CLI::App& app, Command& command) {
  auto options = add_policy_verb(app, command, "bench");
  app.add_option("POLICIES", options->names, "Policies, e.g. wait,node_wait=5s")->required();
  app.add_option("--on", options->on, "The experiment, a TOML file")->required();
  app.add_option("--seeds", options->seeds, "How many, instead of the file's")->check(at_least_one());
  app.add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
      ->allow_extra_args(false);
  app.add_option("-j,--jobs", options->jobs, "Runs at a time (default: one a processor)");
  app.add_flag("--quiet", options->quiet, "No progress");
}

void add_policy(CLI::App& root, Command& command) {
  auto* app =
      root.add_subcommand("policy", "Decline policies: which there are, and new ones")->group("Study");
  app->require_subcommand(1);
  auto* list = app->add_subcommand("list", "All policies, and what each does");
  add_policy_json(*list, add_policy_verb(*list, command, "list"));
  auto* show = app->add_subcommand("show", "A policy's settings");
  auto shown = add_policy_verb(*show, command, "show");
  show->add_option("POLICY", shown->names, "The policy")->required()->expected(1);
  add_policy_json(*show, shown);
  auto* fresh =
      app->add_subcommand("new", "A folder with a new policy: source, build file, test, experiment");
  auto made = add_policy_verb(*fresh, command, "new");
  fresh->add_option("NAME", made->names, "Its name: a-z 0-9 and -")->required()->expected(1);
  fresh->add_option("--dir", made->dir, "The folder to make (default: NAME)");
  auto* bench = app->add_subcommand("bench", "An experiment under each of some policies, in one table");
  add_policy_bench(*bench, command);
  app->footer(
      "Example: proffer policy bench greedy wait,node_wait=5s skip,node_skips=20 \\\n"
      "                             --on examples/experiments/a8-several-hadoops.toml --seeds 3");
}

/// Adds a verb about pools of a running cluster.
std::pair<CLI::App*, std::shared_ptr<PoolOptions>> add_pool_verb(CLI::App& pool, Command& command,
                                                                 const char* name, const char* help) {
  auto* app = pool.add_subcommand(name, help);
  auto options = std::make_shared<PoolOptions>();
  options->verb = name;
  app->add_option("--allocator", options->allocator,
                  "Where frameworks reach the allocator (default tcp://127.0.0.1:5150)")
      ->envname("PROFFER_ALLOCATOR");
  app->callback([&command, options] { choose(command, options); });
  return {app, options};
}

/// Adds a verb about a job.
std::pair<CLI::App*, std::shared_ptr<PoolOptions>> add_job_verb(CLI::App& jobs, Command& command,
                                                                const char* name, const char* help) {
  auto [app, options] = add_pool_verb(jobs, command, name, help);
  options->verb = std::string(name) + "-job";
  app->add_option("JOB", options->job, "FRAMEWORK/JOB, by name or number; JOB where there is one framework")
      ->required();
  return {app, options};
}

void add_pool(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("pool", "Pools of a running cluster, and other schedulers' as ours")
                  ->group("Change");
  app->require_subcommand(1);
  auto [list, listed] = add_pool_verb(*app, command, "list", "The pools, how they are set, and their shares");
  list->add_flag("--json", listed->json, "As JSON");
  for (const auto* verb : {"create", "set"}) {
    auto [change, changed] = add_pool_verb(
        *app, command, verb, *verb == 'c' ? "Make a pool" : "Change settings of a pool, at once");
    change->add_option("POOL", changed->pool, "Its dotted name; root for the root")->required();
    change->add_option("SETTINGS", changed->settings, pool_settings_help());
  }
  auto [rm, removed] = add_pool_verb(*app, command, "rm", "Remove a pool that no framework is in");
  rm->add_option("POOL", removed->pool, "Its dotted name")->required();
  add_pool_verb(
      *app, command, "reload",
      "Read pools, users and preemption in the allocator's configuration file again, as SIGHUP to it "
      "does; other keys\n"
      "want a restart. A mistake in it changes nothing");
  auto* import = app->add_subcommand(
      "import", "Hadoop's fair-scheduler.xml as TOML for --config; what has no counterpart is named");
  auto options = std::make_shared<PoolOptions>();
  options->verb = "import";
  import->add_option("FILE", options->file, "With pools (Hadoop 1) or queues (YARN)")->required();
  import->add_option("-o,--out", options->out, "Write to this file (default: stdout)");
  import->callback([&command, options] { choose(command, options); });
  app->footer(
      "Changes last over restarts (pools.toml in the allocator's state_dir) until the next reload.\n"
      "Examples: proffer pool set research weight=2 min_map=10\n"
      "          proffer pool import examples/fair-scheduler.xml -o pools.toml");
}

void add_framework_commands(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("framework", "Frameworks of a running cluster")->group("Change");
  app->require_subcommand(1);
  auto [move, options] =
      add_pool_verb(*app, command, "move", "Move a framework into another pool, with all it runs");
  options->verb = "move-framework";
  move->add_option("FRAMEWORK", options->framework, "Its name")->required();
  move->add_option("POOL", options->pool, "The pool's dotted name; root for the root")->required();
}

void add_job_commands(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("job", "Jobs of frameworks that run on a cluster")->group("Change");
  app->require_subcommand(1);
  auto [kill, killed] = add_job_verb(*app, command, "kill", "End a job and its tasks; it leaves no output");
  kill->add_option("--why", killed->why, "What its owner is told, a sentence");
  auto [move, moved] =
      add_job_verb(*app, command, "move", "Move a job into another pool of its framework's own");
  move->add_option("--pool", moved->pool, "The pool's dotted name; root for the root")->required();
  auto [attach, attached] = add_pool_verb(
      *app, command, "attach", "Show what a detached job writes, until it ends; its exit code is the job's");
  attached->verb = "attach-job";
  attach->add_option("ID", attached->job, "The job's id, or what it begins with")->required();
  auto [list, listed] =
      add_pool_verb(*app, command, "list", "Detached jobs: those under way, and the last that ended");
  listed->verb = "list-job";
  list->add_flag("--json", listed->json, "As JSON");
  app->footer(
      "A detached job is one of `proffer mr --detach` or `proffer run --detach`; its id is a JOB as well.\n"
      "Frameworks have the last word: those that have no such jobs or pools say so.\n"
      "Examples: proffer job attach d-1f0c\n"
      "          proffer job kill hadoop-2/14 --why \"its input is wrong\"\n"
      "          proffer job move hadoop-2/sort --pool production");
}

/// Adds a verb about agents of a running cluster.
std::pair<CLI::App*, std::shared_ptr<AgentOptions>> add_agent_verb(CLI::App& agent, Command& command,
                                                                   const char* verb, const char* help) {
  auto* app = agent.add_subcommand(verb, help);
  auto options = std::make_shared<AgentOptions>();
  options->verb = verb;
  app->add_option("--allocator", options->allocator,
                  "Where frameworks reach the allocator (default tcp://127.0.0.1:5150)")
      ->envname("PROFFER_ALLOCATOR");
  app->add_flag("--json", options->json, "As JSON");
  app->callback([&command, options] { choose(command, options); });
  return {app, options};
}

auto add_agent_change(CLI::App& agent, Command& command, const char* verb, const char* help) {
  auto added = add_agent_verb(agent, command, verb, help);
  added.first->add_option("AGENT", added.second->agent, "The agent's name, or its id")->required();
  return added;
}

void add_plan(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("plan", "How long to wait for a locality, or what a wait gives, by formula")
                  ->group("Study");
  auto options = std::make_shared<PlanOptions>();
  const auto least_one = whole(1, 1'000'000'000);
  app->add_option("--nodes", options->nodes, "M, with slots of the kind")->check(least_one);
  app->add_option("--slots", options->slots, "L, of each node")->check(least_one);
  app->add_option("--allocator", options->allocator, "Ask a running cluster for nodes and slots")
      ->envname("PROFFER_ALLOCATOR");
  app->add_option("--kind", options->kind, "Which of its slots")->capture_default_str();
  app->add_option("--replicas", options->replicas, "R, of each block")
      ->check(least_one)
      ->capture_default_str();
  app->add_option("--tasks", options->tasks, "N, of the job, one block each")
      ->check(whole(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--task-time", options->task_time, "T, the mean")->capture_default_str();
  app->add_option("--rate", options->rate,
                  "rho, slots that come free in a second, where that was measured (else S/T)")
      ->check(at_least(0, true, "a number above 0"))
      ->option_text("RHO");
  app->add_option("--share", options->share, "F, slots of a new job's fair share: how long until it has them")
      ->check(least_one)
      ->option_text("F");
  app->add_option("--long", options->long_part,
                  "phi, the part of slots with long tasks: how often those block data")
      ->check(a_part())
      ->option_text("PHI");
  app->add_option("--locality", options->locality,
                  "l, the wanted part of node-local tasks (default 0.95); or")
      ->check(a_part())
      ->option_text("PART");
  app->add_option("--wait", options->wait, "what this wait gives; or")->option_text("TIME");
  app->add_option("--skips", options->skips, "what letting D slots pass gives")
      ->check(at_least(0, false, "0 or more"))
      ->option_text("D");
  app->add_flag("--json", options->json, "As JSON");
  app->footer(
      "Example: proffer plan --nodes 100 --slots 4 --tasks 20 --task-time 10s --locality 0.95\n"
      "The model: blocks lie at random, slots come free at random, a job waits afresh for each task\n"
      "(Zaharia et al., Delay Scheduling, EuroSys 2010, section 3).");
  app->callback([&command, options] { choose(command, options); });
}

void add_chaos(CLI::App& study, Command& command) {
  auto* app = study.add_subcommand(
      "chaos", "Kill and pause processes of a cluster on this machine while frameworks are at work");
  auto options = std::make_shared<ChaosOptions>();
  app->add_option("DIR", options->dir, "Where everything goes; a new folder")->required();
  app->add_option("--kills", options->kills, "SIGKILLs of random roles, each started again at once");
  app->add_option("--pauses", options->pauses, "SIGSTOPs of random roles");
  app->add_option("--pause", options->pause_for, "How long each lasts");
  app->add_option("--every", options->every, "Mean time between two of them");
  app->add_option("--agents", options->agents, "Agents, of four slots each")->check(whole(1, 64));
  app->add_option("--frameworks", options->frameworks, "Frameworks at work")->check(whole(1, 64));
  app->add_option("--seed", options->seed, "Of what is drawn");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer(
      "Roles: allocator, catalog, agent, launcher, framework. Every task writes down its start and its end;\n"
      "scripts/check_chaos.py DIR says from these alone whether any was lost, doubled or killed.\n"
      "Example: proffer study chaos /tmp/chaos --kills 100");
  app->callback([&command, options] { choose(command, options); });
}

void add_fit(CLI::App& study, Command& command) {
  auto* app = study.add_subcommand(
      "fit", "Choose the constants of an environment by published figures, and show what hangs on them");
  auto options = std::make_shared<FitOptions>();
  app->add_option("FILE", options->experiments, "Experiments that include the same environment")->required();
  app->add_option("--seeds", options->seeds, "Seeds of each experiment (3)")->check(at_least_one());
  app->add_option("-j,--jobs", options->jobs, "Runs at a time (one a processor)");
  app->add_flag_callback(
      "--no-search", [options] { options->search = false; }, "Take the constants as they are in the file");
  app->add_option("--vary", options->sensitivity,
                  "Vary each constant by this part, one at a time (0.2; 0: no)")
      ->check(CLI::Range(0.0, 0.9));
  app->add_flag("--json", options->json, "As JSON");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer(
      "The constants are those with a [[fit]] in the environment's file; the figures that they are\n"
      "chosen for are those of [[paper]] with fitted = true. All others are predictions.\n"
      "Example: proffer study fit examples/experiments/a2-sticky-slots.toml "
      "examples/experiments/a4-sensitivity.toml");
  app->callback([&command, options] { choose(command, options); });
}

void add_study(CLI::App& root, Command& command) {
  auto* study =
      root.add_subcommand("study", "What the simulator predicts, what it was fitted to, what survives")
          ->group("Study");
  study->require_subcommand(1);
  add_chaos(*study, command);
  add_fit(*study, command);
  auto* app = study->add_subcommand(
      "calibrate", "Run an experiment live, fit the simulator to it, and compare what it predicts");
  auto options = std::make_shared<CalibrateOptions>();
  app->add_option("FILE", options->file, "The experiment, a TOML file")->required();
  app->add_option("--scale-time", options->time_scale, "Real seconds for one of the experiment, e.g. 0.1");
  app->add_option("--seeds", options->seeds, "How many, instead of the file's")->check(at_least_one());
  app->add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
      ->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  app->add_flag("--json", options->json, "As JSON");
  app->add_flag("--rows", options->rows, "As rows for `proffer experiment collect`");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer(
      "Exit code 5 where locality is off by more than 3 points, or a time by more than 10%.\n"
      "Example: proffer study calibrate examples/calibration.toml");
  app->callback([&command, options] { choose(command, options); });
}

void add_why(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("why", "Why something waits, from event logs")->group("Look");
  auto options = std::make_shared<WhyOptions>();
  app->add_option("KIND", options->kind, "job, task, framework or pool")
      ->required()
      ->check(one_of({"job", "task", "framework", "pool"}));
  app->add_option(
         "ID", options->id,
         "Its name; of jobs and tasks also FRAMEWORK/NAME; of frameworks also the first digits of the id")
      ->required();
  app->add_option("--events", options->events,
                  "An event log; may be repeated (default: those of the running cluster)")
      ->allow_extra_args(false);
  app->add_option("--allocator", options->allocator, "Where the running cluster's allocator is")
      ->envname("PROFFER_ALLOCATOR");
  app->add_option(
      "--at", options->at,
      "As of so long after the first framework came: 90s, 5m (default: the end of the log, or now)");
  app->add_flag("--json", options->json, "As JSON");
  app->footer(
      "Example: proffer sim examples/experiments/a8-several-hadoops.toml --cell 5s --events events.jsonl\n"
      "         proffer why framework hadoop-02 --events events.jsonl --at 5m");
  app->callback([&command, options] { choose(command, options); });
}

/// Adds the command of a live run's tenant; only live runs start it.
void add_tenant(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("tenant", "One framework of a live run")->group("");
  auto options = std::make_shared<TenantOptions>();
  app->add_option("FILE", options->file)->required();
  app->add_option("--cell", options->cell)->required();
  app->add_option("--seed", options->seed)->required();
  app->add_option("--set", options->overrides)->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  app->add_option("--framework", options->framework)->required();
  app->add_option("--allocator", options->allocator)->required();
  app->add_option("--event-log", options->event_log);
  app->callback([&command, options] { choose(command, options); });
}

/// Adds the command by which a live run is on other machines; only live runs start it.
void add_outpost(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("outpost", "The agents of a live run on this machine")->group("");
  app->callback([&command] { choose(command, std::make_shared<OutpostOptions>()); });
}

void add_report(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("report", "Figures of an experiment, in one HTML page")->group("Study");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("DIR", options->dir, "A folder of results")->required();
  app->add_option("-o,--out", options->output, "The page (default: report.html in that folder)");
  app->add_flag("--text", options->text, "The tables on stdout, and no files");
  app->callback([&command, options] { choose(command, options); });
}

}  // namespace

void add_study_commands(CLI::App& root, Command& command) {
  add_sim(root, command);
  add_experiment(root, command);
  add_policy(root, command);
  add_pool(root, command);
  add_framework_commands(root, command);
  add_job_commands(root, command);
  add_plan(root, command);
  add_study(root, command);
  add_why(root, command);
  add_tenant(root, command);
  add_outpost(root, command);
  add_report(root, command);
  add_trace(root, command);
}

void add_agent_commands(CLI::App& agent, Command& command) {
  agent.require_subcommand(0, 1);
  auto [drain, drained] = add_agent_change(
      agent, command, "drain", "No new tasks for an agent, until it is undrained; what it runs goes on");
  drain->add_flag("--wait", drained->wait, "Wait until nothing runs there any more");
  drain->add_option("--timeout", drained->timeout, "The longest time of --wait, e.g. 1h (exit code 4)");
  drain->add_option("--kill-after", drained->kill_after,
                    "Kill what still runs after, e.g. 10m; 0s: at once (default: never)");
  add_agent_change(agent, command, "undrain", "Let an agent that was drained have tasks again");
  auto [gone, lost] =
      add_agent_change(agent, command, "gone",
                       "An agent that is out of reach, or drained, never comes back: its tasks end "
                       "as GONE, and its id is void");
  gone->add_flag("--yes", lost->yes, "Do not ask");
  add_list_verb(agent, command, "agents");
  agent.footer(
      "Drains last over restarts of the allocator and of the agent, until undrain.\n"
      "Example: proffer agent drain n01 --wait --kill-after 10m");
}

}  // namespace proffer::cli
