// A tiny experiment for live runs, and the folder in which a run works.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/live_cluster/cluster.hpp"

namespace proffer::testing {

inline constexpr int kJobs = 4;
inline constexpr int kTasks = kJobs * 5;

/// Two tenants whose jobs follow one another, from one tenant to the other.
inline constexpr const char* kTiny = R"(
name = "tiny"
[cluster]
racks = 3
nodes_per_rack = 1
slots = { map = 2, reduce = 1 }
[cost]
start_up = "0s"
[store]
replication = 1
block_size = "1MB"
[[framework]]
name = "mr"
count = 2
policy = "wait,node_wait=150ms,rack_wait=0s"
[[workload]]
bins = [{ maps = 4, reduces = 1, jobs = 4 }]
map_time = "200ms"
reduce_time = "100ms"
map_output = 0.1
arrivals = { process = "serial", chains = 1, gap = "50ms" }
)";

class LiveExperiment : public ::testing::Test {
 protected:
  LiveExperiment() {
    // So that what a run leaves behind there would be seen.
    std::filesystem::create_directory(folder_.path() + "/tmp");
    ::setenv("TMPDIR", temporary().c_str(), 1);
  }
  ~LiveExperiment() override { ::unsetenv("TMPDIR"); }

  std::string temporary() const { return folder_.path() + "/tmp"; }
  std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(temporary())) names.push_back(entry.path());
    return names;
  }
  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{"experiment", "run", file_, "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string run_of(const std::string& results) const {
    return folder_.path() + "/" + results + "/all/seed-1/";
  }
  std::string refusal(const std::string& override) const {
    const auto ran = proffer({"sim", file_, "--live", "--set", override});
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    return ran.err;
  }

  Folder folder_;
  std::string file_ = folder_.file("tiny.toml", kTiny);
};

}  // namespace proffer::testing
