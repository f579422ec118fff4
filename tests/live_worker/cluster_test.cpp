// Maps and reduces between several agents: reading from afar, shuffling, writing into the store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "live/store/data_server.hpp"
#include "proffer/live/local_mapreduce.hpp"
#include "proffer/live/store_commands.hpp"
#include "tests/live_store/store_cluster.hpp"
#include "tests/live_worker/worker_run.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kTokenize = "tr -s ' ' '\\n' | awk 'NF {print $1 \"\\t1\"}'";
constexpr auto kSum =
    "awk -F'\\t' '$1 != key {if (NR > 1) print key \"\\t\" n; key = $1; n = 0} {n += $2} END {if (NR) print "
    "key \"\\t\" n}'";

class Cluster : public testing::Test {
 protected:
  StoreCluster store;
  std::unique_ptr<CatalogClient> catalog = store.client();
  TempDir dir;

  Place place(std::uint64_t agent) {
    return {StoreCluster::agent_id(agent), store.agent_dir(agent) + "/blocks",
            store.agent_dir(agent) + "/outputs"};
  }
  std::vector<BlockInfo> put(const std::string& path, const std::string& text, std::uint64_t block_bytes,
                             std::uint32_t replication = 1) {
    StoreOptions options;
    options.replication = replication;
    options.block_bytes = block_bytes;
    const auto file = dir.write("put", text);
    EXPECT_TRUE(put_path(store.context(), *catalog, file, path, options).ok());
    const auto listed = catalog->ask(ListFiles{0, path, true});
    const auto& files = std::get<FilesListed>(*listed);
    token = files.token;
    return files.files.at(0).blocks;
  }
  BlockRead read_of(const BlockInfo& block) {
    return {block.block, block.length, block.first_record, token, block.replicas};
  }
  OutputPath output(const std::string& path) { return {path, store.catalog_endpoint(), 2, 1 << 20}; }
  std::string get(const std::string& path) {
    std::string text;
    EXPECT_TRUE(
        cat_path(store.context(), *catalog, path, std::chrono::seconds(10), [&text](std::string_view bytes) {
          text += bytes;
          return Result<>();
        }).ok());
    return text;
  }
  /// As the agent's world does before a map starts.
  void guard_outputs(std::uint64_t agent) {
    const auto folder = place(agent).outputs_dir + "/" + to_hex(kTestFramework.value) + "/1";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/.token") << "job-token";
  }
  WorkerEnd map(std::uint64_t agent, const std::string& task, MapWork work) {
    guard_outputs(agent);
    auto end = run_worker_program(dir, place(agent), task, work);
    EXPECT_EQ(end.code, 0) << end.err;
    return end;
  }
  MapOutput output_of(std::uint64_t agent, const std::string& task, const WorkerEnd& end,
                      std::size_t partition) {
    const auto& span = end.map().partitions.at(partition);
    return {TaskId{task}, StoreCluster::agent_id(agent), store.endpoint(agent), span.offset, span.length,
            span.crc32};
  }
  ReduceWork reduce_of(std::vector<MapOutput> inputs, const std::string& reducer = "cat") {
    ReduceWork work;
    work.job = JobId{1};
    work.job_token = "job-token";
    work.reducer = reducer;
    work.inputs = std::move(inputs);
    work.output = output("/out/part");
    return work;
  }
  WorkerEnd reduce(std::uint64_t agent, const ReduceWork& work, const std::vector<MoreInputs>& fed = {}) {
    return run_worker_program(dir, place(agent), "j1-r-00000-0", work, {}, fed);
  }
  /// What a map of that agent left that put "k TAB agent" out.
  MapOutput output_at(std::uint64_t agent) {
    const auto task = "m" + std::to_string(agent);
    const auto block = put_block(place(agent), 100 + agent, "k\t" + std::to_string(agent) + "\n");
    return output_of(agent, task, map(agent, task, map_of({block}, "cat")), 0);
  }

  std::string token;
};

TEST_F(Cluster, AMapElsewhereFetchesItsBlock) {
  const auto blocks = put("/in", "b\na\n", 1 << 20);
  const auto holder = blocks.at(0).replicas.at(0).agent;
  const std::uint64_t elsewhere = holder == StoreCluster::agent_id(1) ? 2 : 1;
  const auto end = map(elsewhere, "m", map_of({read_of(blocks[0])}, "cat"));
  EXPECT_EQ(read_partition(place(elsewhere), "m", end.map().partitions.at(0)), "a\nb\n");
  EXPECT_EQ(end.map().local_bytes, 0u);
  EXPECT_EQ(end.map().remote_bytes, 4u);
}

TEST_F(Cluster, AReplicaThatVanishedIsFetchedFromAnother) {
  const auto blocks = put("/in", "b\na\n", 1 << 20, 3);
  ASSERT_EQ(blocks.at(0).replicas.size(), 3u);
  std::filesystem::remove(place(1).blocks_dir + "/" + std::to_string(blocks[0].block.value));
  const auto end = map(1, "m", map_of({read_of(blocks[0])}, "cat"));
  EXPECT_EQ(end.map().remote_bytes, 4u);
}

TEST_F(Cluster, EveryRecordIsReadExactlyOnceWhereverBlocksEnd) {
  std::string text;
  for (std::size_t i = 0; i < 3000; ++i) {
    text += "record " + std::to_string(i) + std::string(i % 50, 'x') + "\n";
  }
  text += std::string(30'000, 'y') + "\nlast without its end";
  const auto blocks = put("/in", text, 4096);
  ASSERT_GT(blocks.size(), 10u);
  std::uint64_t records = 0;
  std::string all;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].first_record == blocks[i].length) continue;
    std::vector<BlockRead> reads{read_of(blocks[i])};
    for (auto next = i + 1; next < blocks.size() && blocks[next].first_record > 0; ++next) {
      reads.push_back(read_of(blocks[next]));
      if (blocks[next].first_record < blocks[next].length) break;
    }
    const auto task = "m" + std::to_string(i);
    const auto end = map(1, task, map_of(reads, "cat -n"));
    records += end.map().input_records;
    all += read_partition(place(1), task, end.map().partitions.at(0));
  }
  EXPECT_EQ(records, 3002u);
  for (const auto* record : {"record 0\n", "record 2999", "last without its end\n"}) {
    EXPECT_THAT(all, HasSubstr(record));
  }
}

TEST_F(Cluster, AMapWithoutReducesWritesItsPartIntoTheStore) {
  const auto blocks = put("/in", "b\na\n", 1 << 20);
  auto work = map_of({read_of(blocks[0])}, "tr a-z A-Z", 0);
  work.output = output("/out/part-00000");
  const auto end = map(1, "m", work);
  EXPECT_EQ(get("/out/part-00000"), "B\nA\n");
  EXPECT_EQ(end.map().output_records, 2u);
  EXPECT_EQ(end.map().output_bytes, 4u);
  EXPECT_TRUE(end.map().partitions.empty());
}

TEST_F(Cluster, AFailedMapLeavesNothingInTheStore) {
  const auto blocks = put("/in", "b\na\n", 1 << 20);
  auto work = map_of({read_of(blocks[0])}, "cat; exit 1", 0);
  work.output = output("/out/part-00000");
  EXPECT_EQ(run_worker_program(dir, place(1), "m", work).code, 1);
  EXPECT_FALSE(list_path(*catalog, "/out", true).ok());
}

TEST_F(Cluster, AReduceMergesWhatItFetchesAndWhatIsHere) {
  std::vector<MapOutput> inputs;
  for (std::uint64_t agent = 1; agent <= 3; ++agent) {
    const auto task = "m" + std::to_string(agent);
    const auto block = put_block(place(agent), 100 + agent, "k\t" + std::to_string(agent) + "\na\t0\n");
    inputs.push_back(output_of(agent, task, map(agent, task, map_of({block}, "cat")), 0));
  }
  const auto end = reduce(1, reduce_of(inputs));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(get("/out/part"), "a\t0\na\t0\na\t0\nk\t1\nk\t2\nk\t3\n");
  EXPECT_EQ(end.reduce().input_records, 6u);
  EXPECT_EQ(end.reduce().output_records, 6u);
  EXPECT_EQ(end.reduce().local_bytes, 8u);
  EXPECT_EQ(end.reduce().remote_bytes, 16u);
  EXPECT_THAT(end.left, ElementsAre("stderr", "stdout", "work.msgpack"));
}

/// Data ports that all serve what one agent has, as if each were another agent's.
struct ManyAgents {
  Context context;
  std::vector<std::unique_ptr<DataServer>> servers;

  ManyAgents(const Place& like, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      DataServerConfig config;
      config.blocks_dir = like.blocks_dir;
      config.outputs_dir = like.outputs_dir;
      auto server = DataServer::start(context, config);
      EXPECT_TRUE(server.ok()) << (server ? "" : server.error().message);
      if (!server) return;
      servers.push_back(std::move(*server));
    }
  }
};

TEST_F(Cluster, AReduceFetchesFromThreeHundredAgents) {
  rlimit descriptors{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  if (descriptors.rlim_max < 8192) GTEST_SKIP() << "this many agents need 8192 descriptors";
  const auto made = output_at(2);
  const auto folder = place(2).outputs_dir + "/" + to_hex(kTestFramework.value) + "/1/";
  const ManyAgents many(place(2), 300);
  std::vector<MapOutput> inputs;
  for (const std::string map :
       {"n0", "n1", "n2", "n3"}) {  // so that each of a reduce's threads meets most agents
    std::filesystem::copy_file(folder + made.map.value, folder + map);
    for (const auto& server : many.servers) {
      inputs.push_back(made);
      inputs.back().map = TaskId{map};
      inputs.back().endpoint = server->endpoint();
    }
  }
  const auto end = reduce(1, reduce_of(inputs, "wc -l"));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(get("/out/part"), "1200\n");
}

TEST_F(Cluster, AReduceWithoutInputRunsItsReducerOnNothing) {
  ASSERT_EQ(reduce(1, reduce_of({}, "wc -l")).code, 0);
  EXPECT_EQ(get("/out/part"), "0\n");
}

/// A reduce that was started before its job's maps were done.
ReduceWork started_early(ReduceWork work) {
  work.complete = false;
  return work;
}

MoreInputs fed(std::uint32_t from, std::vector<MapOutput> inputs, bool complete) {
  const auto to = from + static_cast<std::uint32_t>(inputs.size());
  return {kTestFramework, TaskId{"j1-r-00000-0"}, from, to, std::move(inputs), {}, complete};
}

TEST_F(Cluster, AReduceThatWasStartedEarlyMergesAllThatItIsToldOf) {
  const auto end = reduce(1, started_early(reduce_of({})),
                          {fed(0, {output_at(3)}, false), fed(1, {output_at(1), output_at(2)}, true)});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(get("/out/part"), "k\t1\nk\t2\nk\t3\n");
  EXPECT_EQ(end.reduce().local_bytes, 4u);
  EXPECT_EQ(end.reduce().remote_bytes, 8u);
  EXPECT_EQ(end.asked, 1);
}

TEST_F(Cluster, AReduceTakesNothingTwiceAndAsksForWhatItMissed) {
  const auto first = output_at(1);
  const auto second = output_at(2);
  const auto third = output_at(3);
  const auto end = reduce(
      1, started_early(reduce_of({})),
      {fed(0, {first}, false), fed(0, {first}, false), fed(2, {third}, true), fed(1, {second, third}, true)});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(get("/out/part"), "k\t1\nk\t2\nk\t3\n");
  EXPECT_THAT(end.said, ElementsAre(TaskSaid{TaskSaid::What::wants, "1"}));
}

TEST_F(Cluster, OutputsThatCannotBeHadAreNamed) {
  const auto here = output_of(1, "m1", map(1, "m1", map_of({put_block(place(1), 101, "a\n")}, "cat")), 0);
  auto broken = output_of(2, "m2", map(2, "m2", map_of({put_block(place(2), 102, "a\n")}, "cat")), 0);
  broken.crc32 ^= 1;
  auto gone = output_of(3, "m3", map(3, "m3", map_of({put_block(place(3), 103, "a\n")}, "cat")), 0);
  store.stop_serving(3);
  auto unknown = here;
  unknown.map = TaskId{"m4"};
  const auto end = reduce(1, reduce_of({here, broken, gone, unknown}));
  EXPECT_EQ(end.code, 75);
  EXPECT_THAT(end.reduce().missing, ElementsAre(TaskId{"m2"}, TaskId{"m3"}, TaskId{"m4"}));
  EXPECT_THAT(end.said.at(0).text, HasSubstr("outputs of 3 maps could not be fetched"));
  EXPECT_FALSE(list_path(*catalog, "/out", true).ok());
}

TEST_F(Cluster, TheWrongTokenGetsNothing) {
  auto work = reduce_of({output_of(2, "m", map(2, "m", map_of({put_block(place(2), 1, "a\n")}, "cat")), 0)});
  work.job_token = "guessed";
  const auto end = reduce(1, work);
  EXPECT_EQ(end.code, 75);
  EXPECT_THAT(end.reduce().missing, ElementsAre(TaskId{"m"}));
}

TEST_F(Cluster, AFailingReducerIsTheTasksFailure) {
  const auto end = reduce(1, reduce_of({}, "echo no >&2; exit 5"));
  EXPECT_EQ(end.code, 5);
  EXPECT_THAT(end.said.at(0).text, HasSubstr("the reducer ended with exit code 5; its last words:\nno"));
  EXPECT_FALSE(list_path(*catalog, "/out", true).ok());
}

/// A map of 4 and 6 bytes: one block here, one elsewhere.
SyntheticWork synthetic_map(std::vector<BlockRead> blocks) {
  SyntheticWork work;
  work.job = JobId{1};
  work.job_token = "job-token";
  work.blocks = std::move(blocks);
  work.output_bytes = 1000;
  return work;
}

TEST_F(Cluster, ASyntheticMapReadsItsBlocksHereAndElsewhere) {
  auto blocks = put("/here", "b\na\n", 1 << 20, 3);
  const auto remote = put("/there", "cc\ndd\n", 1 << 20, 3).at(0);
  std::filesystem::remove(place(1).blocks_dir + "/" + std::to_string(remote.block.value));
  blocks.push_back(remote);
  const auto work = synthetic_map({read_of(blocks[0]), read_of(blocks[1])});
  guard_outputs(1);
  const auto end = run_worker_program(dir, place(1), "m", work);
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.map().local_bytes, 4u);
  EXPECT_EQ(end.map().remote_bytes, 6u);
  EXPECT_EQ(end.map().output_bytes, 1000u);
  EXPECT_EQ(read_partition(place(1), "m", {0, 2000, 0}).size(), 1000u);
}

TEST_F(Cluster, ASyntheticTaskWritesItsOutputIntoTheStoreInBlocksOfWhichEachBeginsARecord) {
  auto work = synthetic_map({});
  work.output = {"/out/part", store.catalog_endpoint(), 1, 300};
  const auto end = run_worker_program(dir, place(1), "m", work);
  ASSERT_EQ(end.code, 0) << end.err;
  const auto listed = catalog->ask(ListFiles{0, "/out/part", true});
  ASSERT_TRUE(listed.ok());
  const auto& blocks = std::get<FilesListed>(*listed).files.at(0).blocks;
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks.back().length, 100u);
  EXPECT_EQ(blocks.back().first_record, 0u);
  EXPECT_EQ(blocks.front().replicas.at(0).agent, StoreCluster::agent_id(1)) << "the writer's own";
}

TEST_F(Cluster, ASyntheticReduceReadsTheOutputsOfMapsAsOftenAsItTakes) {
  std::vector<SyntheticInput> inputs;
  for (std::uint64_t agent = 1; agent <= 2; ++agent) {
    const auto task = "m" + std::to_string(agent);
    guard_outputs(agent);
    ASSERT_EQ(run_worker_program(dir, place(agent), task, synthetic_map({})).code, 0);
    inputs.push_back({TaskId{task}, StoreCluster::agent_id(agent), store.endpoint(agent), 1000, 2500});
  }
  auto work = synthetic_map({});
  work.map = false;
  work.inputs = inputs;
  const auto end = run_worker_program(dir, place(1), "r", work);
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.reduce().local_bytes, 2500u);
  EXPECT_EQ(end.reduce().remote_bytes, 2500u);
  EXPECT_EQ(end.reduce().output_bytes, 1000u);
}

TEST_F(Cluster, ASyntheticReduceThatWasStartedEarlyReadsWhatItIsToldOf) {
  guard_outputs(2);
  ASSERT_EQ(run_worker_program(dir, place(2), "m2", synthetic_map({})).code, 0);
  auto work = synthetic_map({});
  work.map = false;
  work.complete = false;
  const SyntheticInput input{TaskId{"m2"}, StoreCluster::agent_id(2), store.endpoint(2), 1000, 700};
  const auto end = run_worker_program(dir, place(1), "r", work, {},
                                      {{kTestFramework, TaskId{"r"}, 0, 1, {}, {input}, true}});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.reduce().remote_bytes, 700u);
  EXPECT_EQ(end.asked, 1);
}

TEST_F(Cluster, ASyntheticReduceNamesTheOutputsThatAreGone) {
  auto work = synthetic_map({});
  work.map = false;
  work.inputs = {{TaskId{"here"}, StoreCluster::agent_id(1), store.endpoint(1), 1000, 1000},
                 {TaskId{"there"}, StoreCluster::agent_id(2), store.endpoint(2), 1000, 1000}};
  const auto end = run_worker_program(dir, place(1), "r", work);
  EXPECT_EQ(end.code, 75);
  EXPECT_THAT(end.reduce().missing, ElementsAre(TaskId{"here"}, TaskId{"there"}));
}

TEST_F(Cluster, ASyntheticReduceOfAnEmptyOutputFails) {
  auto work = synthetic_map({});
  work.map = false;
  work.inputs = {{TaskId{"m"}, StoreCluster::agent_id(2), store.endpoint(2), 0, 1000}};
  const auto end = run_worker_program(dir, place(1), "r", work);
  EXPECT_EQ(end.code, 74);
  EXPECT_THAT(end.said.at(0).text, HasSubstr("bytes of m are wanted, whose output is empty"));
}

/// Of all children that have ended so far.
Duration processor_time() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto sum = [](const timeval& a, const timeval& b) {
    return std::chrono::seconds(a.tv_sec + b.tv_sec) + std::chrono::microseconds(a.tv_usec + b.tv_usec);
  };
  return sum(used.ru_utime, used.ru_stime);
}

TEST_F(Cluster, SyntheticWorkTakesItsProcessorTime) {
  auto work = synthetic_map({});
  work.output_bytes = 0;
  work.compute = std::chrono::milliseconds(300);
  const auto before = processor_time();
  ASSERT_EQ(run_worker_program(dir, place(1), "m", work).code, 0);
  EXPECT_GE(processor_time() - before, std::chrono::milliseconds(290));
  EXPECT_LT(processor_time() - before, std::chrono::seconds(3));
}

TEST_F(Cluster, AWholeJobEqualsTheSameJobWithoutACluster) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += "w" + std::to_string(i * i % 997) + " the\tw" + std::to_string(i % 13) + "\n";
  }
  constexpr std::uint32_t kReduces = 3;
  const auto blocks = put("/in", text, 100'000);
  std::vector<std::vector<MapOutput>> inputs(kReduces);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_TRUE(i + 1 == blocks.size() || blocks[i + 1].first_record == 0);
    const auto agent = 1 + i % 3;
    const auto task = "m" + std::to_string(i);
    auto work = map_of({read_of(blocks[i])}, kTokenize, kReduces);
    work.combiner = i % 2 == 0 ? kSum : "";
    const auto end = map(agent, task, work);
    for (std::uint32_t r = 0; r < kReduces; ++r) inputs[r].push_back(output_of(agent, task, end, r));
  }
  LocalJob local;
  local.inputs = {dir.write("text", text)};
  local.output = dir / "local";
  local.mapper = kTokenize;
  local.reducer = kSum;
  local.num_reduces = kReduces;
  ASSERT_TRUE(run_local_mapreduce(local).ok());
  for (std::uint32_t r = 0; r < kReduces; ++r) {
    auto work = reduce_of(inputs[r], kSum);
    const auto part = "part-0000" + std::to_string(r);
    work.output = output("/out/" + part);
    ASSERT_EQ(reduce(2, work).code, 0);
    EXPECT_TRUE(get("/out/" + part) == TempDir::read(local.output + "/" + part)) << part;
  }
}

}  // namespace
}  // namespace proffer::live
