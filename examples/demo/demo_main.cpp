// make demo: the same MapReduce jobs of four frameworks on one cluster of sixteen agents, shared in four
// ways.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "examples/demo/demo.hpp"
#include "proffer/live/port.hpp"

namespace proffer::demo {
namespace {
namespace fs = std::filesystem;

struct Failed {
  Error error;
};

template <class T>
T must(Result<T> result) {
  if (!result) throw Failed{result.error()};
  return std::move(result).value();
}

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

/// Runs `proffer WORDS…` to its end; throws what its log says unless it succeeds.
void proffer(const Options& options, std::vector<std::string> words, const std::string& log) {
  words.insert(words.begin(), options.proffer);
  auto child = must(live::Child::start(words, log));
  const auto status = child.wait_exit(std::chrono::minutes(2));
  if (status && *status == 0) return;
  throw Failed{{ErrorCode::io, fmt::format("{} {} failed; {} says why", options.proffer, words[1], log)}};
}

std::vector<AllocatorPool> pools(const Options& options) {
  std::vector<AllocatorPool> pools(1);
  pools[0].share.name = "shared";
  for (int rack = 0; rack < options.racks; ++rack) {
    const auto name = live::LocalCluster::rack_name(rack);
    auto& pool = pools.emplace_back();
    pool.share.name = "static." + name;
    pool.racks = {name};
  }
  return pools;
}

live::LocalClusterConfig cluster_config(const Options& options) {
  live::LocalClusterConfig config;
  config.proffer_path = options.proffer;
  config.dir = fs::absolute(options.out).string() + "/cluster";
  config.agents =
      live::even_agents(options.agents, options.racks,
                        {{Kind("map"), options.map_slots}, {Kind("reduce"), options.reduce_slots}});
  config.uplink = options.uplink_bytes_per_s;
  config.allocator.pools = pools(options);
  return config;
}

/// One mode: run, fetch the results, compare.
Outcome run(const Options& options, const live::LocalCluster& cluster, const Mode& mode) {
  const auto dir = options.out + "/" + mode.name;
  auto outcome = must(run_mode(options, cluster, mode, dir));
  proffer(options, {"get", "--catalog", cluster.catalog_endpoint(), "/out/" + mode.name, dir + "/results"},
          dir + "/get.log");
  outcome.results_equal = same_results(options, dir + "/results", options.out + "/reference");
  say(
      fmt::format("  {:<8} {:5.1f} s   {:5.1f}% of the maps node-local   a map {:.2f} s local, {:.2f} s "
                  "remote   results {}",
                  mode.name, outcome.seconds, 100 * outcome.node_local, outcome.local_map_seconds,
                  outcome.other_map_seconds, outcome.results_equal ? "equal" : "DIFFER"));
  return outcome;
}

FormulaWait print_formula(const Options& options, const Outcome& undelayed) {
  const auto formula = formula_wait(options, undelayed);
  say(fmt::format(
      "  formula: D = -(M/R) ln((1-l)N / (1+(1-l)N)) = {:.1f} slots for M={} nodes, R={}, N={} maps, l={};\n"
      "           at {:.1f} slots/s, as seen without delay, W = D/rate = {:.2f} s (by D*T/S: {:.2f} s)",
      formula.skips, options.agents, options.replication, options.maps_per_job, options.locality,
      formula.slots_per_second, static_cast<double>(to_us(formula.wait)) / 1e6,
      static_cast<double>(to_us(formula.wait_by_task_time)) / 1e6));
  return formula;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Failed{{ErrorCode::io, "cannot write " + path}};
}

int demo(const Options& options) {
  const auto start = live::steady_now();
  const auto mark = options.out + "/made-by-proffer-demo";
  const bool is_ours = fs::exists(mark);
  if (fs::exists(options.out) && !fs::is_empty(options.out) && !is_ours) {
    throw Failed{
        {ErrorCode::exists, options.out + " is not the result of an earlier demo; name another --out"}};
  }
  fs::remove_all(options.out);
  fs::create_directories(options.out);
  write(mark, "What is here is deleted by the next demo with this --out.\n");
  const auto corpus = must(collect(options, options.out + "/input"));
  say(fmt::format("input      {:.1f} MB, {} files below {}", static_cast<double>(corpus.bytes) / 1e6,
                  corpus.files, options.input));
  must(make_references(options, corpus, options.out + "/reference"));
  say(fmt::format("reference  {} jobs without a cluster, to compare with",
                  options.frameworks * options.slices));
  const auto cluster = must(live::LocalCluster::start(cluster_config(options)));
  say(fmt::format(
      "cluster    {} agents in {} racks, {} map and {} reduce slots each; uplinks limited to {:.0f} KiB/s",
      options.agents, options.racks, options.map_slots, options.reduce_slots,
      static_cast<double>(options.uplink_bytes_per_s) / 1024));
  proffer(options,
          {"put", "--catalog", cluster->catalog_endpoint(), "--block-size",
           fmt::format("{}B", options.block_bytes()), "--replication", std::to_string(options.replication),
           corpus.dir, "/input"},
          options.out + "/put.log");
  say(fmt::format("store      {} files of {} blocks of {:.0f} KiB, {} replicas", options.slices,
                  options.maps_per_job, static_cast<double>(options.block_bytes()) / 1024,
                  options.replication));
  say(fmt::format("jobs       {} frameworks x {} jobs x {} maps, each framework a process",
                  options.frameworks, options.slices, options.maps_per_job));

  std::vector<Outcome> outcomes;
  outcomes.push_back(run(options, *cluster, {"static", true}));
  outcomes.push_back(run(options, *cluster, {"none"}));
  const auto formula = print_formula(options, outcomes.back());
  outcomes.push_back(run(options, *cluster, {"short", false, formula.wait / 4}));
  outcomes.push_back(run(options, *cluster, {"formula", false, formula.wait}));

  std::fputs(("\n" + table_text(outcomes)).c_str(), stdout);
  write(options.out + "/summary.json", summary_json(options, corpus, formula, outcomes));
  say(fmt::format(
      "\njobs are {:.1f}x as fast as with a rack each; {}/summary.json has the figures; {:.0f} s in all",
      outcomes.front().job_seconds_mean / outcomes.back().job_seconds_mean, options.out,
      std::chrono::duration<double>(live::steady_now() - start).count()));
  for (const auto& outcome : outcomes) {
    if (!outcome.results_equal) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace proffer::demo

int main(int argc, char** argv) {
  using namespace proffer::demo;
  Options options;
  std::uint64_t megabytes = options.input_bytes >> 20;
  std::uint64_t uplink_kib = 512;
  CLI::App app{"Several isolated MapReduce frameworks share one real cluster, in four ways", "proffer-demo"};
  app.add_option("--input", options.input, "A text file, or a folder of sources")->capture_default_str();
  app.add_option("--megabytes", megabytes, "How much of it (MiB)")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--uplink", uplink_kib, "What an agent may serve, KiB/s")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--running-jobs", options.running_jobs, "Jobs of a framework at a time")
      ->capture_default_str();
  app.add_option("--out", options.out, "Where everything goes; what an earlier demo left there is deleted")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  options.input_bytes = megabytes << 20;
  options.uplink_bytes_per_s = uplink_kib << 10;
  try {
    options.proffer = (fs::canonical("/proc/self/exe").parent_path() / "proffer").string();
    return demo(options);
  } catch (const Failed& failed) {
    std::fprintf(stderr, "proffer-demo: %s\n", failed.error.message.c_str());
    return 1;
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "proffer-demo: %s\n", failed.what());
    return 1;
  }
}
