// The command line: the only source that knows CLI11.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/options.hpp"

namespace proffer::cli {
namespace {

constexpr const char* kAbout =
    "proffer - a two-level, offer-based cluster scheduler\n"
    "Several isolated frameworks share one cluster: a central allocator offers free slots in\n"
    "weighted fair order, and each framework takes or declines them by its own rules.";

constexpr const char* kFirstSteps =
    "First steps:\n"
    "  proffer dev -- bash                    a cluster on this machine, and a shell beside it\n"
    "  proffer run -n 4 -- hostname           a command on four slots\n"
    "  proffer put /usr/share/common-licenses /texts\n"
    "  proffer mr -input /texts -output /out -mapper \"tr -cs A-Za-z '\\\\n'\" -reducer 'uniq -c'\n"
    "  proffer cat /out                       what came out\n\n"
    "Settings: a flag wins over PROFFER_<FLAG> in the environment (of daemons PROFFER_<DAEMON>_<FLAG>),\n"
    "which wins over a TOML file: that of --config or, for all but daemons, the [client] section of\n"
    "./proffer.toml or ~/.config/proffer/proffer.toml.\n"
    "Exit codes: 0 ok, 1 failed, 2 usage, 3 nobody answers, 4 timed out, 5 a check of an experiment failed.";

/// Hadoop Streaming writes -mapper where others write --mapper: both are taken.
std::vector<std::string> with_double_dashes(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool streaming = !words.empty() && words[0] == "mr";
  for (auto& word : words) {
    if (word == "--") break;
    const bool single = word.size() > 2 && word[0] == '-' && word[1] != '-' && std::isalpha(word[1]) != 0;
    if (streaming && single) word.insert(0, "-");
  }
  return words;
}

template <class Options>
void choose(Command& command, const std::shared_ptr<Options>& options) {
  command = *options;
}

void add_where(CLI::App& app, Where& where) {
  app.add_option("--allocator", where.allocator,
                 "Where frameworks reach the allocator (default tcp://127.0.0.1:5150)")
      ->envname("PROFFER_ALLOCATOR");
  app.add_option("--catalog", where.catalog, "Where the catalog is (default: the allocator knows)")
      ->envname("PROFFER_CATALOG");
}

void add_format(CLI::App& app, Format& format) {
  app.add_option("-o,--output-format", format, "table or json")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Format>{{"table", Format::table}, {"json", Format::json}}, CLI::ignore_case))
      ->option_text("table|json");
}

void add_plugins(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--plugin", files, "A shared object with policies; may be repeated, or a:b")
      ->envname("PROFFER_PLUGIN")
      ->delimiter(':')
      ->allow_extra_args(false);
}

void add_framework(CLI::App& app, FrameworkOptions& framework, const std::string& name) {
  framework.name = name;
  add_where(app, framework.where);
  app.add_option("--name", framework.name, "The framework's name")
      ->envname("PROFFER_NAME")
      ->capture_default_str();
  app.add_option("--pool", framework.pool,
                 "The pool it shares in, e.g. research.ml (default: the allocator's)")
      ->envname("PROFFER_POOL");
  app.add_option("--event-log", framework.event_log,
                 "Writes one JSON line a decision; may be the file of others on this machine")
      ->envname("PROFFER_EVENT_LOG");
  add_plugins(app, framework.plugins);
  app.add_flag("--end-with-parent", framework.end_with_parent)->group("");
}

struct Flag {
  const char* name;  // also the key in the daemon's section
  const char* help;
};

void add_daemon(CLI::App& root, Command& command, const std::string& role, const char* help,
                std::initializer_list<Flag> flags) {
  auto* app = root.add_subcommand(role, help)->group("Daemons");
  auto options = std::make_shared<DaemonOptions>();
  options->role = role;
  app->add_option("-c,--config", options->config, "A TOML file; the flags below override it")
      ->envname("PROFFER_CONFIG");
  for (const auto& flag : flags) {
    std::string spelled = flag.name;
    std::replace(spelled.begin(), spelled.end(), '_', '-');
    const std::string key = flag.name;
    // PROFFER_ALLOCATOR and PROFFER_NAME are those of frameworks.
    auto upper = "PROFFER_" + role + "_" + key;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    app->add_option_function<std::string>(
           "--" + spelled,
           [options, key](const std::string& text) { options->overrides.emplace_back(key, text); }, flag.help)
        ->envname(upper);
  }
  app->add_flag("--print-config", options->print_config, "Print the settings in force as TOML, and end");
  app->add_flag("--end-with-parent", options->end_with_parent)->group("");
  app->callback([&command, options] { choose(command, options); });
}

void add_daemons(CLI::App& root, Command& command) {
  add_daemon(root, command, "allocator", "The central allocator: offers free slots in weighted fair order",
             {{"frameworks_endpoint", "Where frameworks connect (default tcp://127.0.0.1:5150)"},
              {"agents_endpoint", "Where agents connect (default tcp://127.0.0.1:5151)"},
              {"catalog_endpoint", "The catalog that agents and frameworks are told of"},
              {"state_dir", "Keeps the cluster's id and epoch"},
              {"offer_timeout", "How long an offer stands, e.g. 30s"},
              {"event_log", "Writes one JSON line a decision"}});
  add_daemon(root, command, "agent", "Offers this machine's slots and runs tasks",
             {{"name", "Its name, unique in the cluster (default: the host's)"},
              {"rack", "The rack it stands in"},
              {"slots", "What it offers, e.g. map=2,reduce=1"},
              {"max_computing", "Reduces that compute at a time; others copy, or wait (0: all compute)"},
              {"allocator", "Where agents reach the allocator (default tcp://127.0.0.1:5151)"},
              {"data_endpoint", "Where it serves blocks (default: a free loopback port)"},
              {"work_dir", "Blocks, map outputs and sandboxes go below it"},
              {"uplink", "Limits what it serves, e.g. 512KiB/s"},
              {"event_log", "Writes one JSON line a decision"}});
  add_daemon(root, command, "catalog", "Knows which agents hold which blocks of which files",
             {{"endpoint", "Where it listens (default tcp://127.0.0.1:5153)"},
              {"state_dir", "Keeps the names of files"},
              {"event_log", "Writes one JSON line a decision"},
              {"replication", "More replicas of blocks in demand: fixed (none), dsbra or dare"},
              {"replication_variant", "Of dsbra: corrected, literal or accessed"},
              {"replication_extra", "Extra storage at most, as a part: 0.3"}});
}

void add_dev(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("dev", "A whole cluster on this machine, until Ctrl-C")->group("Run");
  auto options = std::make_shared<DevOptions>();
  app->add_option("-n,--nodes", options->nodes, "How many agents")
      ->check(CLI::Range(1, 512))
      ->capture_default_str();
  app->add_option("--racks", options->racks, "In how many racks")
      ->check(CLI::Range(1, 512))
      ->capture_default_str();
  app->add_option("--slots", options->slots, "Slots of each agent")->capture_default_str();
  app->add_option("--uplink", options->uplink, "Limits what each agent serves, e.g. 2MiB/s");
  app->add_option("--dir", options->dir,
                  "Where everything is kept (default: a temporary folder, deleted at the end)");
  app->add_option("--port", options->port, "Where frameworks connect; 0: a free port")->capture_default_str();
  app->add_option("--pools", options->pools, "A TOML file of [[pool]] tables and the allocator's timeouts");
  app->add_option("command", options->command,
                  "After --: run it with PROFFER_ALLOCATOR set, then end the cluster");
  app->footer("Example: proffer dev --nodes 8 --racks 2 -- bash");
  app->callback([&command, options] { choose(command, options); });
}

void add_run(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("run", "Run a command on slots of the cluster")->group("Run");
  auto options = std::make_shared<RunOptions>();
  add_framework(*app, options->framework, "run");
  app->add_option("-n,--tasks", options->tasks, "How many times; {} and PROFFER_TASK_INDEX tell which")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app->add_option("--kind", options->kind, "The kind of slot")->capture_default_str();
  app->add_option("--prefer", options->prefer, "Agents or racks to wait for")->delimiter(',');
  app->add_option("--attempts", options->attempts, "Tries of an instance that fails")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app->add_option("--kill-after", options->kill_after, "End everything after, e.g. 5m (exit code 4)");
  app->add_option("--policy", options->policy, "How offers are chosen, e.g. wait,node_wait=5s")
      ->capture_default_str();
  app->add_option("command", options->command, "After --: the command and its arguments")->required();
  app->footer("Example: proffer run -n 8 -- sh -c 'echo task {} on $PROFFER_AGENT'");
  app->callback([&command, options] { choose(command, options); });
}

void add_mr(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("mr", "Run MapReduce jobs, as Hadoop Streaming does")->group("Run");
  auto options = std::make_shared<MrOptions>();
  add_framework(*app, options->framework, "mr");
  app->add_option("--input", options->inputs, "A file or folder of the store; may be repeated");
  app->add_option("--output", options->output, "A folder of the store that does not exist yet");
  app->add_option("--mapper", options->mapper, "A shell command: lines in, lines out");
  app->add_option("--reducer", options->reducer, "A shell command, or NONE (default)");
  app->add_option("--combiner", options->combiner, "A shell command, run over each map's sorted output");
  app->add_option("--numReduceTasks", options->reduces, "How many reduces (default 1; 0 with NONE)");
  app->add_option("--file", options->files, "Ship a small local file to every task; may be repeated");
  app->add_option("--cmdenv", options->env, "NAME=VALUE for every task; may be repeated");
  app->add_option("--jobname", options->job_name, "For displays");
  app->add_option("--jobs", options->job_list, "A TOML file of [[job]] tables instead of one job")
      ->excludes("--input", "--output", "--mapper", "--reducer", "--combiner", "--numReduceTasks", "--file",
                 "--cmdenv", "--jobname");
  app->add_option("--max-running-jobs", options->max_running_jobs, "Further ones wait in order; 0: no limit");
  app->add_option("--slow-start", options->slow_start, "Part of a job's maps before its reduces start")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_option("--replication", options->replication, "Copies of each block of the output (default 3)")
      ->check(CLI::Range(1, 64));
  app->add_option("--policy", options->policy,
                  "How offers are chosen, e.g. wait,node_wait=2s; see proffer policy list")
      ->capture_default_str();
  app->add_option("-r,--runner", options->runner, "cluster, or local: no cluster, local files")
      ->check(CLI::IsMember({"cluster", "local"}))
      ->capture_default_str();
  app->add_option("--summary", options->summary, "Write times and counters to this JSON file");
  app->add_flag("--quiet", options->quiet, "No progress");
  add_format(*app, options->format);
  app->footer(
      "Flags may be written with one dash: -input, -mapper.\n"
      "Example: proffer mr -input /logs -output /errors -mapper 'grep -o \"ERR[0-9]*\"' \\\n"
      "                    -reducer 'uniq -c' -numReduceTasks 2");
  app->callback([&command, options] { choose(command, options); });
}

void add_store(CLI::App& root, Command& command) {
  const auto verb = [&root, &command](const char* name, const char* help, const char* paths_help, int least,
                                      int most) {
    auto* app = root.add_subcommand(name, help)->group("Store");
    auto options = std::make_shared<StoreOptions>();
    options->verb = name;
    add_where(*app, options->where);
    auto* paths = app->add_option("path", options->paths, paths_help);
    if (least > 0) paths->required();
    paths->expected(least, most);
    if (options->verb == "put") {
      app->add_option("--replication", options->replication, "Copies of each block")
          ->check(CLI::Range(1, 64))
          ->capture_default_str();
      app->add_option("--block-size", options->block_size, "e.g. 1MiB")->capture_default_str();
    }
    if (options->verb == "ls") add_format(*app, options->format);
    app->callback([&command, options] { choose(command, options); });
  };
  verb("put", "Copy a local file or folder into the store", "LOCAL STORE", 2, 2);
  verb("ls", "List files of the store", "A folder (default /)", 0, 1);
  verb("cat", "Print files of the store", "A file, or a folder: all files in it", 1, 1);
  verb("get", "Copy a file or folder out of the store", "STORE LOCAL", 2, 2);
  verb("rm", "Remove a file or folder from the store", "STORE", 1, 1);
}

void add_status(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("status", "Agents, pools and frameworks, as the allocator sees them")
                  ->group("Look");
  auto options = std::make_shared<StatusOptions>();
  add_where(*app, options->where);
  add_format(*app, options->format);
  app->callback([&command, options] { choose(command, options); });
}

void add_trace_verb(CLI::App& trace, Command& command, const std::string& verb, const char* help) {
  auto* app = trace.add_subcommand(verb, help);
  auto options = std::make_shared<TraceOptions>();
  options->verb = verb;
  if (verb != "synth") {
    app->add_option("trace", options->source, "swim:FILE, rumen:FILE, sls:FILE or csv:FILE")->required();
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
  app->add_option("--seed", options->seed, "Of all that is drawn")->capture_default_str();
  if (verb == "stats") {
    app->add_option("--map-slots", options->map_slots, "Tell the load on so many");
    app->add_option("--reduce-slots", options->reduce_slots, "Tell the load on so many");
    app->add_flag("--json", options->json, "As JSON");
  } else {
    app->add_option("--out", options->out, "Write to this file (default: stdout)");
    app->add_option("--as", options->as, "csv or swim")
        ->check(CLI::IsMember({"csv", "swim"}))
        ->capture_default_str();
  }
  if (verb == "cut") {
    app->add_option("--from", options->from, "Submitted from, e.g. 1h")->capture_default_str();
    app->add_option("--to", options->to, "Submitted before, e.g. 2h");
    app->add_option("--jobs", options->jobs, "At most so many");
  }
  if (verb == "synth") {
    app->add_option("--bins", options->bins, "MAPS[+REDUCES]xJOBS,..., e.g. 1x38,10+2x14")->required();
    app->add_option("--arrivals", options->arrivals, "poisson(14s), fixed(14s) or at-once")
        ->capture_default_str();
    app->add_option("--name", options->name, "Jobs are NAME-001, ...")->capture_default_str();
  }
  app->callback([&command, options] { choose(command, options); });
}

void add_trace(CLI::App& root, Command& command) {
  auto* trace = root.add_subcommand("trace", "Traces of real clusters as workloads")->group("Study");
  trace->require_subcommand(1);
  add_trace_verb(*trace, command, "stats", "What a trace amounts to");
  add_trace_verb(*trace, command, "convert", "Write a trace as CSV or SWIM");
  add_trace_verb(*trace, command, "cut", "A time window, or the first jobs");
  add_trace_verb(*trace, command, "synth", "Make a workload of bins, as CSV or SWIM");
}

void add_world(CLI::App& app, WorldOptions& world) {
  app.add_flag("--live", world.live, "Run it by real processes on this machine");
  app.add_option("--scale-time", world.time_scale, "Live: real seconds for one of the experiment, e.g. 0.1");
}

void add_sim(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("sim", "One run of an experiment, simulated or live")->group("Study");
  auto options = std::make_shared<SimOptions>();
  app->add_option("file", options->file, "The experiment, a TOML file")->required();
  app->add_option("--seed", options->seed, "Of all that is drawn")->capture_default_str();
  app->add_option("--cell", options->cell, "Which cell, e.g. node_wait=5s; needed when there are several");
  app->add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
      ->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  add_world(*app, options->world);
  app->add_option("--events", options->events, "Write the event log there, a JSON line a decision");
  app->add_flag("--codec", options->codec, "Send every message through the bytes of the wire (same digest)");
  app->add_option("--check-every", options->check_every, "Check all invariants every so many events");
  app->add_flag("--json", options->json, "The measures as JSON");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer("Example: proffer sim examples/experiments/a8-several-hadoops.toml --cell 5s --seed 1");
  app->callback([&command, options] { choose(command, options); });
}

void add_experiment_verb(CLI::App& experiment, Command& command, const std::string& verb, const char* help) {
  auto* app = experiment.add_subcommand(verb, help);
  auto options = std::make_shared<ExperimentOptions>();
  options->verb = verb;
  if (verb == "collect") {
    app->add_option("dirs", options->folders, "Folders of results")->required();
    app->add_option("--out", options->dir, "The file to write: JSON, or Markdown where it ends in .md")
        ->required();
  } else {
    const char* what = verb == "verify" ? "A folder of results" : "The experiment, a TOML file";
    app->add_option("target", options->target, what)->required();
    add_plugins(*app, options->plugins);
  }
  if (verb == "run" || verb == "resume" || verb == "verify") {
    app->add_option("-j,--jobs", options->jobs, "Runs at a time (default: one a processor)");
  }
  if (verb == "run" || verb == "resume" || verb == "list") {
    app->add_option("--seeds", options->seeds, "How many, instead of the file's");
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
  add_experiment_verb(*app, command, "verify", "Run everything again and compare digests");
  add_experiment_verb(*app, command, "collect", "Papers' figures beside ours, of many results, in one file");
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
      ->check(CLI::IsMember({"table", "json"}))
      ->option_text("table|json");
}

void add_policy_bench(CLI::App& app, Command& command) {
  auto options = add_policy_verb(app, command, "bench");
  app.add_option("policies", options->names, "Policies, e.g. wait,node_wait=5s")->required();
  app.add_option("--on", options->on, "The experiment, a TOML file")->required();
  app.add_option("--seeds", options->seeds, "How many, instead of the file's");
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
  show->add_option("name", shown->names, "The policy")->required()->expected(1);
  add_policy_json(*show, shown);
  auto* fresh =
      app->add_subcommand("new", "A folder with a new policy: source, build file, test, experiment");
  auto made = add_policy_verb(*fresh, command, "new");
  fresh->add_option("name", made->names, "Its name: a-z 0-9 and -")->required()->expected(1);
  fresh->add_option("--dir", made->dir, "The folder to make (default: NAME)");
  auto* bench = app->add_subcommand("bench", "An experiment under each of some policies, in one table");
  add_policy_bench(*bench, command);
  app->footer(
      "Example: proffer policy bench greedy wait,node_wait=5s skip,node_skips=20 \\\n"
      "                             --on examples/experiments/a8-several-hadoops.toml --seeds 3");
}

/// A verb about pools of a running cluster.
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

void add_pool(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("pool", "Pools of a running cluster, and other schedulers' as ours")
                  ->group("Change");
  app->require_subcommand(1);
  auto [list, listed] = add_pool_verb(*app, command, "list", "The pools, how they are set, and their shares");
  list->add_flag("--json", listed->json, "As JSON");
  for (const auto* verb : {"create", "set"}) {
    auto [change, changed] = add_pool_verb(
        *app, command, verb, *verb == 'c' ? "A new pool" : "Other settings for a pool, at once");
    change->add_option("pool", changed->pool, "Its dotted name; root for the root")->required();
    change->add_option("settings", changed->settings,
                       "weight=2 min_map=10 min_reduce=2 order=fair|fifo|capacity max_running=5\n"
                       "max_running_per_user=1 min_share_timeout=20s");
  }
  auto [rm, removed] = add_pool_verb(*app, command, "rm", "A pool that no framework is in goes");
  rm->add_option("pool", removed->pool, "Its dotted name")->required();
  add_pool_verb(
      *app, command, "reload",
      "Read the allocator's configuration file again; as SIGHUP to it. A mistake in it changes nothing");
  auto* import = app->add_subcommand(
      "import", "Hadoop's fair-scheduler.xml as TOML for --config; what has no counterpart is named");
  auto options = std::make_shared<PoolOptions>();
  options->verb = "import";
  import->add_option("file", options->file, "With pools (Hadoop 1) or queues (YARN)")->required();
  import->callback([&command, options] { choose(command, options); });
  app->footer(
      "Changes last over restarts (pools.toml in the allocator's state_dir) until the next reload.\n"
      "Examples: proffer pool set research weight=2 min_map=10\n"
      "          proffer pool import fair-scheduler.xml > pools.toml");
}

void add_framework_commands(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("framework", "Frameworks of a running cluster")->group("Change");
  app->require_subcommand(1);
  auto [move, options] = add_pool_verb(*app, command, "move", "Into another pool, with all it runs");
  options->verb = "move-framework";
  move->add_option("framework", options->framework, "Its name")->required();
  move->add_option("pool", options->pool, "The pool's dotted name; root for the root")->required();
}

void add_plan(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("plan", "How long to wait for a locality, or what a wait gives, by formula")
                  ->group("Study");
  auto options = std::make_shared<PlanOptions>();
  const auto least_one = CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000});
  app->add_option("--nodes", options->nodes, "M, with slots of the kind")->check(least_one);
  app->add_option("--slots", options->slots, "L, of each node")->check(least_one);
  app->add_option("--allocator", options->allocator, "Ask a running cluster for nodes and slots")
      ->envname("PROFFER_ALLOCATOR");
  app->add_option("--kind", options->kind, "Which of its slots")->capture_default_str();
  app->add_option("--replicas", options->replicas, "R, of each block")
      ->check(least_one)
      ->capture_default_str();
  app->add_option("--tasks", options->tasks, "N, of the job, one block each")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{10'000'000}))
      ->capture_default_str();
  app->add_option("--task-time", options->task_time, "T, the mean")->capture_default_str();
  app->add_option("--locality", options->locality,
                  "l, the wanted part of node-local tasks (default 0.95); or")
      ->option_text("PART");
  app->add_option("--wait", options->wait, "what this wait gives; or")->option_text("TIME");
  app->add_option("--skips", options->skips, "what letting D slots pass gives")
      ->check(CLI::NonNegativeNumber)
      ->option_text("D");
  app->add_flag("--json", options->json, "As JSON");
  app->footer(
      "Example: proffer plan --nodes 100 --slots 4 --tasks 20 --task-time 10s --locality 0.95\n"
      "The model: blocks lie at random, slots come free at random, a job waits afresh for each task\n"
      "(Zaharia et al., Delay Scheduling, EuroSys 2010, section 3).");
  app->callback([&command, options] { choose(command, options); });
}

void add_study(CLI::App& root, Command& command) {
  auto* study = root.add_subcommand("study", "The simulator beside a live run")->group("Study");
  study->require_subcommand(1);
  auto* app = study->add_subcommand(
      "calibrate", "Run an experiment live, fit the simulator to it, and compare what it predicts");
  auto options = std::make_shared<CalibrateOptions>();
  app->add_option("file", options->file, "The experiment, a TOML file")->required();
  app->add_option("--scale-time", options->time_scale, "Real seconds for one of the experiment, e.g. 0.1");
  app->add_option("--seeds", options->seeds, "How many, instead of the file's")->check(CLI::PositiveNumber);
  app->add_option("--set", options->overrides, "KEY=VALUE over the file's; may be repeated")
      ->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  app->add_flag("--json", options->json, "As JSON");
  app->add_flag("--quiet", options->quiet, "No progress");
  app->footer(
      "Exit code 5 where locality is off by more than 3 points, or a time by more than 10%.\n"
      "Example: proffer study calibrate examples/calibration.toml");
  app->callback([&command, options] { choose(command, options); });
}

void add_why(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("why", "Why something waits, from event logs")->group("Look");
  auto options = std::make_shared<WhyOptions>();
  app->add_option("kind", options->kind, "job, task, framework or pool")
      ->required()
      ->check(CLI::IsMember({"job", "task", "framework", "pool"}));
  app->add_option("id", options->id, "Its name; of jobs and tasks also FRAMEWORK/NAME")->required();
  app->add_option("--events", options->events,
                  "An event log; may be repeated (default: those of the running cluster)")
      ->allow_extra_args(false);
  app->add_option("--allocator", options->allocator, "Where the running cluster's allocator is")
      ->envname("PROFFER_ALLOCATOR");
  app->add_option("--at", options->at, "A moment after the first framework came, e.g. 90s (default: now)");
  app->add_flag("--json", options->json, "As JSON");
  app->footer(
      "Example: proffer sim examples/experiments/a8-several-hadoops.toml --cell 5s --events events.jsonl\n"
      "         proffer why framework hadoop-2 --events events.jsonl --at 5m");
  app->callback([&command, options] { choose(command, options); });
}

/// Only live runs start it.
void add_tenant(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("tenant", "One framework of a live run")->group("");
  auto options = std::make_shared<TenantOptions>();
  app->add_option("file", options->file)->required();
  app->add_option("--cell", options->cell)->required();
  app->add_option("--seed", options->seed)->required();
  app->add_option("--set", options->overrides)->allow_extra_args(false);
  add_plugins(*app, options->plugins);
  app->add_option("--framework", options->framework)->required();
  app->add_option("--allocator", options->allocator)->required();
  app->add_option("--event-log", options->event_log);
  app->callback([&command, options] { choose(command, options); });
}

void add_report(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("report", "Figures of an experiment, in one HTML page")->group("Study");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("dir", options->dir, "A folder of results")->required();
  app->add_option("-o,--out", options->output, "The page (default: report.html in that folder)");
  app->add_flag("--text", options->text, "The tables on stdout, and no files");
  app->callback([&command, options] { choose(command, options); });
}

/// "--" reaches CLI11 as the end of options; what follows belongs to the command as it is.
std::vector<std::string> command_after_dashes(std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end()) return {};
  std::vector<std::string> rest(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return rest;
}

}  // namespace

Command parse(int argc, char** argv) {
  CLI::App root{kAbout, "proffer"};
  root.set_version_flag("--version", std::string("proffer ") + PROFFER_VERSION);
  root.require_subcommand(1);
  root.footer(kFirstSteps);
  root.get_formatter()->column_width(34);
  Command command = Done{kUsage};
  add_dev(root, command);
  add_run(root, command);
  add_mr(root, command);
  add_store(root, command);
  add_status(root, command);
  add_sim(root, command);
  add_experiment(root, command);
  add_policy(root, command);
  add_pool(root, command);
  add_framework_commands(root, command);
  add_plan(root, command);
  add_study(root, command);
  add_why(root, command);
  add_tenant(root, command);
  add_report(root, command);
  add_trace(root, command);
  add_daemons(root, command);

  auto words = with_double_dashes(argc, argv);
  auto rest = command_after_dashes(words);
  const bool takes_command = !words.empty() && (words[0] == "run" || words[0] == "dev");
  if (takes_command) words.insert(words.end(), rest.empty() ? 0 : 1, "--");
  if (takes_command) words.insert(words.end(), rest.begin(), rest.end());
  std::reverse(words.begin(), words.end());
  try {
    root.parse(words);
  } catch (const CLI::ParseError& error) {
    const int code = root.exit(error);
    return Done{code == 0 ? kOk : kUsage};
  }
  return command;
}

}  // namespace proffer::cli
