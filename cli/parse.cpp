// The command line. Only this source and parse_study.cpp know CLI11.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/mistakes.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/parse_parts.hpp"
#include "proffer/pool.hpp"
#include "proffer/preemption.hpp"

namespace proffer::cli {
namespace {

constexpr const char* kAbout =
    "proffer - a two-level, offer-based cluster scheduler\n"
    "Several isolated frameworks share one cluster: a central allocator offers free slots in\n"
    "weighted fair order, and each framework takes or declines them by its own rules.";

constexpr const char* kFirstSteps =
    "Each command has its own help: proffer help COMMAND\n\n"
    "First steps:\n"
    "  proffer dev -- bash                    a cluster on this machine, and a shell beside it\n"
    "  proffer run -n 4 -- hostname           a command on four slots\n"
    "  proffer put /usr/share/common-licenses /texts\n"
    "  proffer mr -input /texts -output /out -mapper \"tr -cs A-Za-z '\\n'\" -reducer 'uniq -c'\n"
    "  proffer cat /out                       what came out\n\n"
    "Settings: a flag wins over the environment (the helps name the variables: Env), which wins over a\n"
    "TOML file: that of --config or, for all but daemons, allocator, catalog and failover_timeout in the\n"
    "[client] section of ./proffer.toml or ~/.config/proffer/proffer.toml.\n"
    "Exit codes: 0 ok, 1 failed, 2 usage, 3 nobody answers, 4 timed out, 5 a check of an experiment or a\n"
    "prediction of `study calibrate` does not hold, 78 a daemon would listen beyond this machine without\n"
    "--insecure.";

/// Shortens the types of CLI11, which writes "INT:INT in [1 - 512]" and "TEXT:a|b".
std::string type_of(const std::string& name) {
  const auto colon = name.find(':');
  const auto type = name.substr(0, colon);
  if (type == "TEXT") return colon == std::string::npos ? type : name.substr(colon + 1);
  return "N";
}

/// Help that says types and bounds in a word or not at all: "--nodes N=4", "--order fair|fifo=fair".
class Helps : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional()) return "";
    std::string text;
    if (!option->get_option_text().empty()) {
      text = " " + option->get_option_text();
    } else if (!option->get_type_name().empty()) {
      text = " " + type_of(option->get_type_name());
      if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    }
    if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
    if (option->get_required()) text += " REQUIRED";
    if (!option->get_envname().empty()) text += " (Env:" + option->get_envname() + ")";
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), 0, kColumns - get_column_width());
  }
};

/// Doubles single dashes: Hadoop Streaming writes -mapper where others write --mapper, and both are taken.
std::vector<std::string> with_double_dashes(std::vector<std::string> words) {
  const bool streaming = !words.empty() && words[0] == "mr";
  for (auto& word : words) {
    if (word == "--") break;
    const bool single = word.size() > 2 && word[0] == '-' && word[1] != '-' && std::isalpha(word[1]) != 0;
    if (streaming && single) word.insert(0, "-");
  }
  return words;
}

void add_where(CLI::App& app, Where& where) {
  app.add_option("--allocator", where.allocator,
                 "Where frameworks reach the allocator (default tcp://127.0.0.1:5150)")
      ->envname("PROFFER_ALLOCATOR");
  app.add_option("--catalog", where.catalog, "Where the catalog is (default: the allocator knows)")
      ->envname("PROFFER_CATALOG");
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
  app.add_option("--priority", framework.priority,
                 "Among frameworks, in pools of order fifo or capacity and where max_running is reached")
      ->check(one_of({kPriorities.begin(), kPriorities.end()}))
      ->capture_default_str();
  app.add_option("--event-log", framework.event_log,
                 "Writes one JSON line a decision; may be the file of others on this machine")
      ->envname("PROFFER_EVENT_LOG");
  app.add_option("--failover-timeout", framework.failover_timeout,
                 "How long its tasks go on when the allocator hears nothing more of it, e.g. after kill -9;\n"
                 "0s: not at all (default 10m, or what [client] of proffer.toml says). ^C ends them at once")
      ->envname("PROFFER_FAILOVER_TIMEOUT");
  app.add_option("--state-dir", framework.state_dir,
                 "Where it keeps what it needs to go on in another process (default: a folder of its own in\n"
                 "$XDG_STATE_HOME/proffer or ~/.local/state/proffer, gone once all has ended)");
  app.add_option_function<std::string>(
         "--resume",
         [&framework](const std::string& folder) {
           framework.resume = true;
           framework.resume_dir = folder;
         },
         "Go on with what a process has left that was killed: its folder, or the only one there is")
      ->expected(0, 1)
      ->option_text("[DIR]");
  app.add_flag("--detach", framework.detach,
               "Have a task of the cluster drive it, which goes on if its agent is lost; prints an id for\n"
               "proffer job attach|kill, and ends");
  add_plugins(app, framework.plugins);
  app.add_flag("--end-with-parent", framework.end_with_parent)->group("");
}

struct Flag {
  const char* name;  // also the key in the daemon's section
  const char* help;
};

std::string spelled(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

/// Returns the name of the variable that stands for a flag. PROFFER_ALLOCATOR and PROFFER_NAME are those of
/// frameworks.
std::string variable_of(const std::string& role, const std::string& key) {
  auto upper = "PROFFER_" + role + "_" + key;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper;
}

constexpr Flag kInsecure{"insecure", "Listen beyond this machine; whoever comes can run commands"};

CLI::App* add_daemon(CLI::App& root, Command& command, const std::string& role, const char* help,
                     std::initializer_list<Flag> flags, std::initializer_list<Flag> switches = {kInsecure}) {
  auto* app = root.add_subcommand(role, help)->group("Daemons");
  auto options = std::make_shared<DaemonOptions>();
  options->role = role;
  app->add_option("-c,--config", options->config, "A TOML file; the flags below override it")
      ->envname("PROFFER_CONFIG");
  for (const auto& flag : flags) {
    const std::string key = flag.name;
    app->add_option_function<std::string>(
           spelled(key),
           [options, key](const std::string& text) { options->overrides.emplace_back(key, text); }, flag.help)
        ->envname(variable_of(role, key));
  }
  for (const auto& flag : switches) {
    const std::string key = flag.name;
    app->add_flag_function(
           spelled(key),
           [options, key](std::int64_t count) {
             options->overrides.emplace_back(key, count > 0 ? "true" : "false");
           },
           flag.help)
        ->envname(variable_of(role, key));
  }
  app->add_flag("--print-config", options->print_config, "Print the settings in force as TOML, and end");
  app->add_flag("--end-with-parent", options->end_with_parent)->group("");
  // A command below it has chosen before, and stands.
  app->callback([app, &command, options] {
    if (app->get_subcommands().empty()) choose(command, options);
  });
  return app;
}

void add_daemons(CLI::App& root, Command& command) {
  add_daemon(
      root, command, "allocator", "The central allocator: offers free slots in weighted fair order",
      {{"frameworks_endpoint", "Where frameworks connect (default tcp://127.0.0.1:5150)"},
       {"agents_endpoint", "Where agents connect (default tcp://127.0.0.1:5151)"},
       {"catalog_endpoint", "The catalog that agents and frameworks are told of"},
       {"state_dir", "Keeps the cluster's id and epoch, and pools that operators changed"},
       {"offer_timeout", "How long an offer stands, e.g. 30s"},
       {"event_log", "Writes one JSON line a decision"},
       {"http", "Serves a dashboard, JSON and metrics there, e.g. 127.0.0.1:5152 (default: not at all)"}},
      {kInsecure, {"drivers", "Take detached jobs (default; --drivers=false: refuse them)"}});
  auto* agent = add_daemon(
      root, command, "agent", "Offers this machine's slots and runs tasks; below it: operate those that run",
      {{"name", "Its name, unique in the cluster (default: the host's)"},
       {"rack", "The rack it stands in"},
       {"slots", "What it offers, e.g. map=2,reduce=1"},
       {"max_computing", "Reduces that compute at a time; others copy, or wait (0: all compute)"},
       {"allocator", "Where agents reach the allocator (default tcp://127.0.0.1:5151)"},
       {"data_endpoint", "Where it serves blocks (default: a free loopback port)"},
       {"advertise", "Where others find that, if it listens at tcp://*:PORT"},
       {"work_dir", "Blocks, map outputs and sandboxes go below it"},
       {"uplink", "The most that it sends to others, e.g. 512KiB/s"},
       {"cache", "Keeps so much of cached files for later tasks (default 10GiB)"},
       {"event_log", "Writes one JSON line a decision"}},
      {kInsecure,
       {"kill_tasks", "When it is stopped its tasks end; else they run on"},
       {"adopt", "Change over to another cluster than before; its tasks there end"}});
  add_agent_commands(*agent, command);
  add_daemon(
      root, command, "catalog", "Knows which agents hold which blocks of which files",
      {{"endpoint", "Where it listens (default tcp://127.0.0.1:5153)"},
       {"state_dir", "Keeps the names of files"},
       {"event_log", "Writes one JSON line a decision"},
       {"replication_restore_after", "Blocks that lost replicas get others then (default 10m; 0: never)"},
       {"replication",
        "More replicas of blocks in demand: fixed (none; what is too many goes), dsbra or dare"},
       {"replication_variant", "Of dsbra: corrected, literal or accessed"},
       {"replication_interval", "How often dsbra and dare decide (default 1m)"},
       {"replication_alpha", "The weight of dsbra's newest interval (default 0.5)"},
       {"replication_threshold", "Of dsbra: a task that waited longer counts as this (default 3s)"},
       {"replication_extra", "Extra storage at most, as a part (default 0.3)"},
       {"replication_copy_timeout", "A copy that takes longer has failed (default 2m)"},
       {"agent_silent_after", "Replicas of an agent that is silent for so long do not count (default 10s)"}});
}

void add_dev(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("dev", "A whole cluster on this machine, until Ctrl-C")->group("Run");
  auto options = std::make_shared<DevOptions>();
  app->add_option("-n,--nodes", options->nodes, "How many agents")
      ->check(whole(1, 512))
      ->capture_default_str();
  app->add_option("--racks", options->racks, "In how many racks")
      ->check(whole(1, 512))
      ->capture_default_str();
  app->add_option("--slots", options->slots, "Of each agent; also cpus=8, memory=32GiB, gpus=1")
      ->capture_default_str();
  app->add_option("--uplink", options->uplink, "The most that each agent sends to others, e.g. 2MiB/s");
  app->add_option("--dir", options->dir,
                  "Where everything is kept (default: a temporary folder, deleted at the end)");
  app->add_option("--port", options->port, "Where frameworks connect; 0: a free port")
      ->check(whole(0, 65535))
      ->envname("PROFFER_PORT")
      ->capture_default_str();
  app->add_option("--http", options->http, "Where the dashboard is, e.g. 127.0.0.1:5152; off: nowhere")
      ->capture_default_str();
  app->add_option("--pools", options->pools,
                  "A TOML file of [allocator], [[pool]] and [[user]] tables, as it is now");
  app->add_option("--max-computing", options->max_computing,
                  "Reduces of an agent that compute at a time; others copy, or wait (0: all compute)")
      ->check(whole(0, 1024));
  app->add_option("--replication", options->replication,
                  "More replicas of blocks in demand: fixed (none), dsbra or dare");
  app->add_option("--replication-variant", options->replication_variant,
                  "Of dsbra: corrected (default), literal or accessed");
  app->add_option("--replication-interval", options->replication_interval,
                  "How often it decides, e.g. 2s (default 1m)");
  app->add_option("COMMAND", options->command,
                  "After --: run it with PROFFER_ALLOCATOR and PROFFER_EVENT_LOG set, then end the cluster");
  app->footer("Example: proffer dev --nodes 8 --racks 2 -- bash");
  app->callback([&command, options] { choose(command, options); });
}

void add_run(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("run", "Run a command on slots of the cluster")->group("Run");
  auto options = std::make_shared<RunOptions>();
  add_framework(*app, options->framework, "run");
  app->add_option("-n,--tasks", options->tasks, "How many times; {} and PROFFER_TASK_INDEX tell which")
      ->check(whole(1, 1000000))
      ->capture_default_str();
  auto* kind = app->add_option("--kind", options->kind, "The kind of slot")->capture_default_str();
  app->add_option("--need", options->need, "Of each task instead of a slot, e.g. cpus=2,memory=1GiB")
      ->excludes(kind);
  app->add_option("--prefer", options->prefer, "Agents or racks to wait for")->delimiter(',');
  app->add_option("--attempts", options->attempts, "Tries of an instance that fails")
      ->check(whole(1, 100))
      ->capture_default_str();
  app->add_flag("--rigid", options->rigid, "All start at once or none does, and if one ends badly all end");
  app->add_option("--kill-after", options->kill_after, "End everything after, e.g. 5m (exit code 4)");
  app->add_option("--policy", options->policy, "How offers are chosen, e.g. wait,node_wait=5s")
      ->capture_default_str();
  app->add_option("COMMAND", options->command, "After --: the command and its arguments");
  app->footer(
      "What the tasks write goes to stdout and stderr byte for byte: of one task as it writes, of several "
      "one after\n"
      "another as they end, up to 64 MiB a stream. What cannot be had is named on stderr (exit code 1).\n"
      "Example: proffer run -n 8 -- sh -c 'echo task {} on $PROFFER_AGENT'");
  app->callback([&command, options] { choose(command, options); });
}

void add_speculation(CLI::App& app, MrSpeculationOptions& options) {
  app.add_flag("--speculative", options.on,
               "Give maps that run for long a second attempt elsewhere; the first to be done counts");
  app.add_option("--speculative-cap", options.cap, "Such attempts at once, as a part of the running maps")
      ->check(a_part())
      ->capture_default_str();
  app.add_option("--speculative-slowness", options.slowness,
                 "Times the median of its job that a map takes which is slow; above 1")
      ->check(CLI::Range(1.001, 1000.0))
      ->capture_default_str();
  app.add_option("--speculative-after", options.after, "No map has a second attempt before, e.g. 20s")
      ->capture_default_str();
}

void add_mr(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("mr", "Run MapReduce jobs, as Hadoop Streaming does")->group("Run");
  auto options = std::make_shared<MrOptions>();
  add_framework(*app, options->framework, "mr");
  app->add_option("--input", options->job.inputs, "A file or folder of the store; may be repeated");
  app->add_option("--output", options->job.output, "A folder of the store that does not exist yet");
  app->add_option("--mapper", options->job.mapper, "A shell command: lines in, lines out");
  app->add_option("--reducer", options->job.reducer, "A shell command, or NONE (default)");
  app->add_option("--combiner", options->job.combiner, "A shell command, run over each map's sorted output");
  app->add_option("--numReduceTasks", options->job.reduces, "How many reduces (default 1; 0 with NONE)");
  app->add_option("--file", options->job.files, "Ship a small local file to every task; may be repeated");
  app->add_option("--cacheFile", options->job.cached,
                  "PATH[#NAME]: a file of the store, found as NAME by every task; agents keep it");
  app->add_option("--cmdenv", options->job.env, "NAME=VALUE for every task; may be repeated");
  app->add_option("--jobname", options->job.name, "For displays");
  app->add_option(
         "--jobs", options->job_list,
         "A TOML file of [[job]] tables, which may come after one another, and [[pool]]s that they share in, "
         "instead of one job")
      ->excludes("--input", "--output", "--mapper", "--reducer", "--combiner", "--numReduceTasks", "--file",
                 "--cacheFile", "--cmdenv", "--jobname");
  app->add_option("--max-running-jobs", options->sharing.max_running_jobs,
                  "Further ones wait, by priority and in order; 0: no limit");
  app->add_option(
         "--share-by", options->sharing.share_by,
         "Whose turn it is goes by the slots of each kind by themselves (kind), or by the largest part\n"
         "of the framework's slots of any kind (dominant)")
      ->check(one_of({kSharesBy.begin(), kSharesBy.end()}))
      ->capture_default_str();
  app->add_option(
         "--preemption", options->sharing.preemption,
         "End tasks of jobs above their share for pools of --jobs that starve: off, log (only say so) or on")
      ->check(one_of({kPreemptionModes.begin(), kPreemptionModes.end()}))
      ->capture_default_str();
  app->add_option("--fair-share-timeout", options->sharing.fair_share_timeout,
                  "A pool starves that was so long below a part of its fair share, e.g. 60s; default: never");
  app->add_option("--fair-share-threshold", options->sharing.fair_share_threshold,
                  "The part of its fair share below which a pool may starve")
      ->check(a_part())
      ->capture_default_str();
  app->add_option("--slow-start", options->slow_start, "Part of a job's maps before its reduces start")
      ->check(a_part())
      ->capture_default_str();
  app->add_option("--max-copying", options->max_copying,
                  "Reduces of a job on one agent while its maps run; best as many as agents\n"
                  "let compute (--max-computing of agents); 0: no limit");
  app->add_flag("--balance-long-tasks", options->balance_long_tasks,
                "Spread the tasks of long jobs, and of jobs that share a cached file");
  add_speculation(*app, options->speculation);
  app->add_option("--order", options->sharing.order,
                  "Who comes first of the jobs, and of their uppermost pools")
      ->check(one_of({kPoolOrders.begin(), kPoolOrders.end()}))
      ->capture_default_str();
  app->add_option("--replication", options->replication, "Copies of each block of the output (default 3)")
      ->check(whole(1, 64));
  app->add_option("--policy", options->policy,
                  "How offers are chosen, e.g. wait,node_wait=2s; see proffer policy list")
      ->capture_default_str();
  app->add_option("-r,--runner", options->runner, "cluster, or local: no cluster, local files")
      ->check(one_of({"cluster", "local"}))
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
  using Paths = std::vector<std::pair<std::string, const char*>>;
  const auto verb = [&root, &command](const char* name, const char* help, const Paths& paths) {
    auto* app = root.add_subcommand(name, help)->group("Store");
    auto options = std::make_shared<StoreOptions>();
    options->verb = name;
    add_where(*app, options->where);
    for (const auto& [path, what] : paths) {
      app->add_option_function<std::string>(
             path, [options](const std::string& text) { options->paths.push_back(text); }, what)
          ->required(options->verb != "ls");
    }
    if (options->verb == "put") {
      app->add_option("--replication", options->replication, "Copies of each block")
          ->check(whole(1, 64))
          ->capture_default_str();
      app->add_option("--block-size", options->block_size, "e.g. 1MiB")->capture_default_str();
    }
    if (options->verb == "ls") add_format(*app, options->format);
    app->callback([&command, options] { choose(command, options); });
  };
  verb("put", "Copy a local file or folder into the store",
       {{"LOCAL", "A file or folder of this machine"}, {"STORE", "Where it goes; nothing may be there"}});
  verb("ls", "List files of the store", {{"STORE", "A folder (default /)"}});
  verb("cat", "Print files of the store", {{"STORE", "A file, or a folder: all files in it"}});
  verb("get", "Copy a file or folder out of the store",
       {{"STORE", "A file or folder of the store"}, {"LOCAL", "Where it goes; nothing may be there"}});
  verb("rm", "Remove a file or folder from the store", {{"STORE", "A folder goes with all that is in it"}});
}

void add_ui(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("ui", "The address of the dashboard, for a browser")->group("Look");
  auto options = std::make_shared<UiOptions>();
  add_where(*app, options->where);
  app->add_flag("--open", options->open, "Open it, with xdg-open");
  app->callback([&command, options] { choose(command, options); });
}

void add_completion(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("completion", "What makes a shell complete proffer's words")->group("Look");
  auto options = std::make_shared<CompletionOptions>();
  app->add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  app->footer(
      "Put it into your shell's own file of settings:\n"
      "  bash   eval \"$(proffer completion bash)\"     in ~/.bashrc\n"
      "  zsh    eval \"$(proffer completion zsh)\"      in ~/.zshrc, after compinit\n"
      "  fish   proffer completion fish | source       in ~/.config/fish/config.fish\n"
      "Names of agents, frameworks and pools, and paths of the store, are those of the running cluster.");
  app->callback([&command, options] { choose(command, options); });
}

/// Takes the words behind "--", which CLI11 would read as the end of options; they belong to the command
/// unchanged.
std::vector<std::string> command_after_dashes(std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end()) return {};
  std::vector<std::string> rest(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return rest;
}

}  // namespace

void add_format(CLI::App& app, Format& format) {
  app.add_option_function<std::string>(
         "-o,--output-format",
         [&format](const std::string& text) { format = text == "json" ? Format::json : Format::table; },
         "table or json")
      ->check(one_of({"table", "json"}));
}

void add_plugins(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--plugin", files, "A shared object with policies; may be repeated, or a:b")
      ->envname("PROFFER_PLUGIN")
      ->delimiter(':')
      ->allow_extra_args(false);
}

namespace {

/// Returns the words of "TEXT:a|b".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto colon = type.find(':');
  if (colon == std::string::npos || type.find('|') == std::string::npos) return {};
  return CLI::detail::split(type.substr(colon + 1), '|');
}

CommandWords::Option words_of(const CLI::Option& option) {
  CommandWords::Option words{{}, option.get_items_expected_min() > 0};
  for (const auto& name : option.get_lnames()) words.names.push_back("--" + name);
  for (const auto& name : option.get_snames()) words.names.push_back("-" + name);
  const auto& text = option.get_option_text();
  if (words.has_value) words.value = text.empty() ? type_of(option.get_type_name()) : text;
  words.choices = choices_of(option);
  words.usual = option.get_default_str();
  words.variable = option.get_envname();
  words.help = option.get_description();
  return words;
}

CommandWords words_of(const CLI::App& app) {
  CommandWords words{app.get_name(), {}, {}, false, app.get_require_subcommand_min() == 0};
  words.help = app.get_description();
  words.footer = app.get_footer();
  for (const auto* option : app.get_options([](const CLI::Option*) { return true; })) {
    if (option->nonpositional()) {
      words.options.push_back(words_of(*option));
    } else {
      words.arguments.push_back({option->get_name(), option->get_description(), option->get_required(),
                                 option->get_items_expected_max() > 1});
    }
  }
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.commands.push_back(words_of(*command));
    words.commands.back().hidden = command->get_group().empty();
  }
  return words;
}

/// Turns CLI11's sentence into ours. `command`: the command whose options are meant.
std::string sentence_of(const CLI::ParseError& error, const std::string& command) {
  const std::string text = error.what();
  const auto cut = [&text](std::string_view around) { return text.substr(0, text.find(around)); };
  const auto see = "; see proffer " + command + " --help";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return command + " needs " + cut(" is required") + see;
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return command + " does not take " + text.substr(text.rfind(' ') + 1) + see;  // the first of them
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return cut(":") + " wants a value" + see;
  constexpr std::string_view kNoNumber = "Could not convert: ";
  if (text.starts_with(kNoNumber)) return text.substr(kNoNumber.size()) + " is wrong: write a number";
  return text;
}

/// Rewrites "help run" and "version" as "run --help" and "--version".
void without_help(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words[0] == "version" && words.size() == 1) words[0] = "--version";
  if (words[0] != "help") return;
  words.erase(words.begin());
  words.emplace_back("--help");
}

/// Returns the command for words that only shells and `make install` say: "__complete WORDS" and "__man DIR".
std::optional<Command> asked_by_programs(const CLI::App& root, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == "__complete") return CompleteOptions{words_of(root), rest};
  if (words[0] == "__man" && rest.size() == 1) return ManOptions{words_of(root), rest[0]};
  return {};
}

}  // namespace

Command parse(const std::vector<std::string>& words_typed) {
  CLI::App root{kAbout, "proffer"};
  root.set_version_flag("--version", std::string("proffer ") + PROFFER_VERSION);
  root.require_subcommand(1);
  root.formatter(std::make_shared<Helps>());
  root.get_formatter()->column_width(34);
  Command command = Done{kUsage};
  add_dev(root, command);
  add_run(root, command);
  add_mr(root, command);
  add_store(root, command);
  add_status(root, command);
  add_lists(root, command);
  add_ui(root, command);
  add_study_commands(root, command);
  add_completion(root, command);
  add_daemons(root, command);
  for (auto* group : root.get_subcommands([](const CLI::App*) { return true; })) {
    for (auto* below : group->get_subcommands([](const CLI::App*) { return true; })) below->group("Commands");
  }
  root.footer(kFirstSteps);  // after the commands: they would take it over

  if (auto asked = asked_by_programs(root, words_typed)) return *asked;
  auto typed = words_typed;
  without_help(typed);
  auto words = with_double_dashes(typed);
  auto rest = command_after_dashes(words);
  const bool takes_command = !words.empty() && (words[0] == "run" || words[0] == "dev");
  if (takes_command) words.insert(words.end(), rest.empty() ? 0 : 1, "--");
  if (takes_command) words.insert(words.end(), rest.begin(), rest.end());
  const auto read = read_words(words_of(root), words, typed);
  if (!read.mistake.empty()) return Done{usage_error(read.mistake)};
  const bool lacks_command = !read.whole && (words.empty() || !words.back().starts_with("-"));
  if (lacks_command) words.emplace_back("--help");
  std::reverse(words.begin(), words.end());
  try {
    root.parse(words);
  } catch (const CLI::Success& asked) {
    root.exit(asked);
    return Done{lacks_command ? kUsage : kOk};
  } catch (const CLI::ParseError& error) {
    return Done{usage_error(sentence_of(error, read.line()))};
  }
  if (auto* mr = std::get_if<MrOptions>(&command)) mr->framework.words = typed;
  if (auto* run = std::get_if<RunOptions>(&command)) run->framework.words = typed;
  return command;
}

}  // namespace proffer::cli
