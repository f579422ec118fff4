#include "tests/formats/samples.hpp"

#include <algorithm>

#include "proffer/formats/codec.hpp"

namespace proffer::formats {
namespace {

using namespace std::chrono_literals;

template <class SomeId>
SomeId id(std::uint64_t n) {
  return SomeId{{0x0102030405060708, n}};
}

const Kind kMap{"map"};
const Kind kReduce{"reduce"};

AgentInfo agent(std::uint64_t n) {
  return {id<AgentId>(n), "a" + std::to_string(n), "r1", "tcp://127.0.0.1:4000" + std::to_string(n)};
}

Demand demand() { return {{{kMap, 12}, {kReduce, 0}}}; }

Replica replica(std::uint64_t n) { return {agent(n).id, agent(n).data_endpoint, n == 1 ? "r1" : ""}; }

Environment environment() { return {{"LANG", "C"}, {"X", ""}}; }

OutputPath output() { return {"/out/_temporary/m0", "tcp://127.0.0.1:5153", 3, 64 << 20}; }

WorkPtr command() {
  return std::make_shared<Work>(
      CommandWork{{"sh", "-c", "exit 3"}, environment(), "t0ken", {{"words.txt", "the", false}}});
}

WorkPtr map_work() {
  MapWork work;
  work.job = JobId{2};
  work.index = 7;
  work.job_token = "t0ken";
  work.mapper = "tr A-Z a-z | cut -f1";
  work.combiner = "uniq -c";
  work.blocks = {{BlockId{9}, 1000, 3, "st0re", {replica(1), replica(2)}},
                 {BlockId{10}, 1 << 20, 0, "st0re", {}}};
  work.input_path = "/in/words";
  work.partitions = 4;
  work.output = output();
  work.env = environment();
  work.files = {{"stop words.txt", std::string("a\0b", 3), true}};
  work.cached = {
      {"model", {{BlockId{11}, 500, 0, "st0re", {replica(1)}}, {BlockId{12}, 20, 20, "st0re", {}}}}};
  return std::make_shared<Work>(std::move(work));
}

WorkPtr reduce_work() {
  ReduceWork work;
  work.job = JobId{2};
  work.index = 1;
  work.job_token = "t0ken";
  work.reducer = "uniq -c";
  work.inputs = {{TaskId{"m-0"}, agent(1).id, agent(1).data_endpoint, 100, 20, 0xfedcba98}};
  work.output = output();
  work.env = environment();
  work.files = {{"r.sh", "exit 0", false}};
  return std::make_shared<Work>(std::move(work));
}

WorkPtr synthetic_work() {
  SyntheticWork work{JobId{2}, 3, false, "t0ken", {{BlockId{9}, 1000, 0, "st0re", {replica(1)}}}, {}, {}, 0};
  work.inputs = {{TaskId{"m-0"}, agent(1).id, agent(1).data_endpoint, 100, 250}};
  work.compute = std::chrono::milliseconds(1500);
  work.output_bytes = 1 << 20;
  work.cached = {{"model", {{BlockId{11}, 500, 0, "st0re", {replica(2)}}}}};
  work.output = output();
  return std::make_shared<Work>(std::move(work));
}

TaskSpec task(std::string name, WorkPtr work) {
  return {TaskId{std::move(name)}, {{kMap, 1}}, JobId{2}, std::move(work)};
}

std::vector<Counter> counters() { return {{"words", "bad lines", -5}, {"words", "lines", 1ll << 40}}; }

ResultPtr map_result() {
  MapResult result{{{0, 10, 1}, {10, 20, 0xffffffff}}, 1, 2, 3, 4, 5, counters()};
  return std::make_shared<TaskResult>(std::move(result));
}

ResultPtr reduce_result() {
  ReduceResult result{{TaskId{"m-3"}}, 1, 2, 3, 4, 5, counters()};
  return std::make_shared<TaskResult>(std::move(result));
}

TaskStatus status(TaskState state, TaskReason reason, ResultPtr result) {
  TaskStatus status;
  status.framework = id<FrameworkId>(7);
  status.task = TaskId{"m-1"};
  status.seq = 3;
  status.state = state;
  status.reason = reason;
  status.exit = {1, 9};
  status.message = "it said \"no\"\n";
  status.agent = agent(1).id;
  status.run_time = 1234567us;
  status.result = std::move(result);
  return status;
}

AgentState agent_state() {
  return {agent(1).id, "a1",
          "r1",        agent(1).data_endpoint,
          false,       {{kMap, 2}, {kReduce, 1}},
          {{kMap, 1}}, {{kReduce, 1}},
          "no room",   "draining",
          3,           "silent"};
}

FrameworkState framework_state() {
  FrameworkState state;
  state.id = id<FrameworkId>(7);
  state.name = "mr";
  state.pool = "research.ml";
  state.user = "somebody";
  state.connected = false;
  state.used = {{kMap, 1}};
  state.offered = {{kReduce, 1}};
  state.demand = demand().kinds;
  state.fair = {{kMap, 8}};
  state.offers_sent = 10;
  state.offers_accepted = 4;
  state.offers_rescinded = 1;
  state.offers_expired = 2;
  state.offers_declined = {1, 2, 3, 4, 5, 6};
  state.tasks_launched = 9;
  state.tasks_finished = 7;
  state.tasks_failed = 1;
  state.offers_held = 1500us;
  state.given_up_in = 90s;
  return state;
}

PoolState pool_state() {
  return {
      "research.ml", 2500,         {{kMap, 4}}, {{kMap, 1}}, {{kMap, 12}}, {{kMap, 8}}, 2, "fifo", 5, 3, 1,
      {"r1"},        {"a1", "a2"}, 2,           25,          20s,          2min};
}

FileInfo file() { return {"/in/words", 1000, 3, true, {{BlockId{9}, 1000, 3, {replica(1), replica(2)}}}}; }

std::vector<Sample> framework_samples() {
  const Offer offer{{5, 1}, agent(1), {{kMap, 1}}, true};
  return {
      {"SUBSCRIBE", {{}, {}, {}, 0, Subscribe{{}, "mr", "research.ml", "somebody", 10min, demand(), "high"}}},
      {"SUBSCRIBE again",
       {{}, {}, {}, 0, Subscribe{id<FrameworkId>(7), "mr", "", "", 0s, {}, "", id<Secret>(70), 81, 2, true}}},
      {"SUBSCRIBED",
       {{}, {}, {}, 0, Subscribed{id<FrameworkId>(7), 2, 1s, "tcp://127.0.0.1:5153", id<Secret>(70), 82}}},
      {"OFFERS", {{}, {}, {}, 0, Offers{{offer}, {{kMap, 3, 8, true, true, true}}}}},
      {"OFFERS of none", {{}, {}, {}, 0, Offers{}}},
      {"ACCEPT",
       {{},
        {},
        {},
        0,
        Accept{4,
               {{5, 1}, {5, 2}},
               {task("m-1", command()), task("m-2", map_work()), task("r-1", reduce_work())},
               DeclineReason::policy,
               5s,
               demand()}}},
      {"ACCEPT and wait for REVIVE",
       {{}, {}, {}, 0, Accept{5, {{5, 3}}, {task("nothing", nullptr)}, DeclineReason::too_small, {}, {}}}},
      {"ACCEPTED",
       {{},
        {},
        {},
        0,
        Accepted{4,
                 {{TaskId{"m-1"}, true, TaskState::starting, TaskReason::none},
                  {TaskId{"m-2"}, false, TaskState::dropped, TaskReason::offer_gone}}}}},
      {"DECLINE", {{}, {}, {}, 0, Decline{{{5, 1}}, DeclineReason::no_node_local, 0s, demand()}}},
      {"DECLINE until REVIVE",
       {{}, {}, {}, 0, Decline{{{5, 1}, {5, 2}}, DeclineReason::no_rack_local, {}, demand()}}},
      {"RESCIND", {{}, {}, {}, 0, Rescind{{{5, 1}, {5, 18446744073709551615u}}}}},
      {"REVIVE", {{}, {}, {}, 0, Revive{{kMap}, demand()}}},
      {"SUPPRESS", {{}, {}, {}, 0, Suppress{{kMap, kReduce}}}},
      {"PREEMPT", {{}, {}, {}, 0, Preempt{{{kMap, 3}, {kReduce, 1}}, 5s}}},
      {"UPDATE", {{}, {}, {}, 0, Update{status(TaskState::finished, TaskReason::exit, map_result())}}},
      {"UPDATE of a reduce",
       {{}, {}, {}, 0, Update{status(TaskState::failed, TaskReason::exit, reduce_result())}}},
      {"ACKNOWLEDGE", {{}, {}, {}, 0, Acknowledge{id<FrameworkId>(7), TaskId{"m-1"}, 3}}},
      {"KILL", {{}, {}, {}, 0, Kill{id<FrameworkId>(7), TaskId{"m-1"}, 2s}}},
      {"MESSAGE", {{}, {}, {}, 0, TaskMessage{id<FrameworkId>(7), TaskId{"m-1"}, std::string("\0\xff", 2)}}},
      {"MORE_INPUTS",
       {{},
        {},
        {},
        0,
        MoreInputs{id<FrameworkId>(7),
                   TaskId{"r-1"},
                   2,
                   4,
                   {{TaskId{"m-1"}, id<AgentId>(3), "tcp://h:1", 10, 20, 30}},
                   {{TaskId{"m-2"}, id<AgentId>(3), "tcp://h:1", 100, 50}},
                   true}}},
      {"RELEASE", {{}, {}, {}, 0, Release{id<FrameworkId>(7), JobId{2}}}},
      {"TEARDOWN", {{}, {}, {}, 0, Teardown{}}},
      {"HEARTBEAT", {{}, {}, {}, 0, Heartbeat{77, demand(), TaskDigest{2, 99}, 3, {kMap}, true}}},
      {"HEARTBEAT of an agent", {{}, {}, {}, 0, Heartbeat{78, {}}}},
      {"ERROR", {{}, {}, {}, 0, ErrorMessage{{ErrorCode::unknown_session, "say hello again"}, 12}}},
  };
}

std::vector<Sample> reconciling_samples() {
  return {
      {"RECONCILE", {{}, {}, {}, 0, Reconcile{4, {{TaskId{"m-1"}, id<AgentId>(3)}}}}},
      {"RECONCILED",
       {{},
        {},
        {},
        0,
        Reconciled{
            4,
            {{TaskId{"m-1"}, id<AgentId>(3), Known::awaited, TaskState::running, {{kMap, 1}}, JobId{2}}},
            false,
            false}}},
      {"BYE", {{}, {}, {}, 0, Bye{"the allocator is stopped"}}},
  };
}

std::vector<Sample> agent_samples() {
  const AgentTask known{id<FrameworkId>(7), TaskId{"m-1"}, {5, 8}, TaskState::killing, 3,
                        {{kMap, 1}},        JobId{2}};
  return {
      {"REGISTER",
       {{},
        {},
        {},
        0,
        Register{agent(1).id,
                 2,
                 "a1",
                 "r1",
                 agent(1).data_endpoint,
                 {{kMap, 2}, {kReduce, 1}},
                 {known},
                 "no room",
                 id<Secret>(71),
                 "5f3c"}}},
      {"REGISTERED",
       {{},
        {},
        {},
        0,
        Registered{agent(1).id, 1s, "tcp://127.0.0.1:5153", {{5, 8}}, id<Secret>(71), 82, 3s}}},
      {"LAUNCH", {{}, {}, {}, 0, Launch{{5, 8}, id<FrameworkId>(7), "mr", task("m-2", map_work())}}},
      {"LAUNCH of a command",
       {{}, {}, {}, 0, Launch{{5, 9}, id<FrameworkId>(8), "run", task("0", command())}}},
      {"LAUNCH of synthetic work",
       {{}, {}, {}, 0, Launch{{5, 10}, id<FrameworkId>(7), "mr", task("r-2", synthetic_work())}}},
      {"LAUNCH_ACK", {{}, {}, {}, 0, LaunchAck{{5, 8}}}},
      {"AGENT_HEALTH", {{}, {}, {}, 0, AgentHealth{"cannot make a folder: No space left on device"}}},
      {"SLOT_REPORT", {{}, {}, {}, 0, SlotReport{}}},
      {"STATUS", {{}, {}, {}, 0, Status{{5, 8}, status(TaskState::killed, TaskReason::signal, {})}}},
      {"STATUS of no result",
       {{},
        {},
        {},
        0,
        Status{{5, 8}, status(TaskState::finished, TaskReason::exit, std::make_shared<TaskResult>())}}},
  };
}

std::vector<Sample> catalog_samples() {
  return {
      {"CREATE_FILE", {{}, {}, {}, 0, CreateFile{1, "/in/words", 3}}},
      {"ADD_BLOCK", {{}, {}, {}, 0, AddBlock{2, "/in/words", agent(1).id}}},
      {"BLOCK_ALLOCATED", {{}, {}, {}, 0, BlockAllocated{2, BlockId{9}, "st0re", {replica(1), replica(2)}}}},
      {"SEAL_BLOCK", {{}, {}, {}, 0, SealBlock{3, "/in/words", BlockId{9}, 1000, 3}}},
      {"COMPLETE_FILE", {{}, {}, {}, 0, CompleteFile{4, "/in/words"}}},
      {"LIST_FILES", {{}, {}, {}, 0, ListFiles{5, "/in", true}}},
      {"FILES_LISTED", {{}, {}, {}, 0, FilesListed{5, {file()}, "st0re", true, {60s, 2s, true, false}}}},
      {"RENAME_FILES", {{}, {}, {}, 0, RenameFiles{6, {{"/out/_temporary/m0", "/out/part-00000"}}}}},
      {"REMOVE_FILES", {{}, {}, {}, 0, RemoveFiles{7, "/out/_temporary"}}},
      {"CATALOG_DONE", {{}, {}, {}, 0, CatalogDone{7, {}}}},
      {"CATALOG_DONE with an error",
       {{}, {}, {}, 0, CatalogDone{7, Error{ErrorCode::exists, "/out exists"}}}},
      {"BLOCK_REPORT",
       {{},
        {},
        {},
        0,
        BlockReport{
            agent(1).id, "a1", "r1", agent(1).data_endpoint, 1, true, {{BlockId{9}, 1000}}, id<Secret>(72)}}},
      {"CATALOG_WELCOME", {{}, {}, {}, 0, CatalogWelcome{"st0re", 1s, id<Secret>(72)}}},
      {"BLOCKS_CHANGED", {{}, {}, {}, 0, BlocksChanged{3, {{BlockId{10}, 5}}, {BlockId{9}}}}},
      {"SEND_BLOCK_REPORT", {{}, {}, {}, 0, SendBlockReport{}}},
      {"DELETE_BLOCKS", {{}, {}, {}, 0, DeleteBlocks{{BlockId{9}, BlockId{10}}}}},
      {"BLOCKS_USED", {{}, {}, {}, 0, BlocksUsed{{{BlockId{9}, 4, 2, 1500ms}}, {{BlockId{9}, agent(1).id}}}}},
      {"REPLICAS_CHANGED", {{}, {}, {}, 0, ReplicasChanged{{{BlockId{9}, {replica(1), replica(2)}}}}}},
      {"COPY_BLOCK", {{}, {}, {}, 0, CopyBlock{BlockId{9}, 64 << 20, {replica(1), replica(2)}, "st0re"}}},
      {"COPY_FAILED", {{}, {}, {}, 0, CopyFailed{BlockId{9}, {ErrorCode::not_found, "no source"}}}},
      {"CATALOG_HELLO", {{}, {}, {}, 0, CatalogHello{}}},
      {"CATALOG_SESSION", {{}, {}, {}, 0, CatalogSession{}}},
  };
}

std::vector<Sample> data_samples() {
  const MapOutputFile map_output{id<FrameworkId>(7), JobId{2}, TaskId{"m-1"}};
  const CommandOutput command_output{id<FrameworkId>(8), JobId{1}, TaskId{"run-00000_0"}, true};
  return {
      {"FETCH", {{}, {}, {}, 0, Fetch{1, "st0re", BlockId{9}, 65536, 262144}}},
      {"FETCH of a map output", {{}, {}, {}, 0, Fetch{2, "t0ken", map_output, 100, 20}}},
      {"FETCH of what a command writes", {{}, {}, {}, 0, Fetch{4, "t0ken", command_output, 0, 262144}}},
      {"CHUNK", {{}, {}, {}, 0, Chunk{1, std::string("\0line\n", 6), 65542}}},
      {"STORE", {{}, {}, {}, 0, Store{3, "st0re", BlockId{9}, 5, "bytes", true, 0xcbf43926}}},
      {"STORED", {{}, {}, {}, 0, Stored{3}}},
      {"DATA_FAILED", {{}, {}, {}, 0, DataFailed{2, {ErrorCode::not_found, "no such map output here"}}}},
  };
}

std::vector<Sample> people_samples() {
  return {
      {"DESCRIBE", {{}, {}, {}, 0, Describe{1, 100}}},
      {"CLUSTER_STATE",
       {{},
        {},
        {},
        0,
        ClusterState{1,
                     "tcp://127.0.0.1:5153",
                     {agent_state()},
                     {framework_state()},
                     {pool_state()},
                     true,
                     "/var/lib/proffer/events.jsonl",
                     "on",
                     60s,
                     750,
                     5s,
                     10,
                     7,
                     6s,
                     "most agents are silent",
                     "127.0.0.1:5152",
                     {{id<AgentId>(1), id<FrameworkId>(7), TaskId{"m-1"}, JobId{2}, TaskState::running,
                       Resources{{Kind("map"), 1}}}},
                     3}}},
      {"CHANGE_POOL",
       {{},
        {},
        {},
        0,
        ChangePool{2,
                   "set",
                   "research.ml",
                   2500,
                   {{kMap, 10}, {kReduce, 0}},
                   "fifo",
                   5,
                   {},
                   20s,
                   std::vector<std::string>{"r1", "r2"},
                   std::vector<std::string>{},
                   3,
                   60s,
                   25}}},
      {"RELOAD_POOLS", {{}, {}, {}, 0, ReloadPools{3}}},
      {"MOVE_FRAMEWORK", {{}, {}, {}, 0, MoveFramework{4, "hadoop-2", "research.ml"}}},
      {"ADMIN_DONE", {{}, {}, {}, 0, AdminDone{2, {}, "pool research.ml is set", {"no agent has maps"}}}},
      {"ADMIN_DONE with an error",
       {{}, {}, {}, 0, AdminDone{2, Error{ErrorCode::unknown_pool, "there is no pool 'x'"}, ""}}},
      {"KILL_JOB", {{}, {}, {}, 0, KillJob{5, "hadoop-2", "sort", "ada", "its input is wrong"}}},
      {"MOVE_JOB", {{}, {}, {}, 0, MoveJob{6, "", "14", "production"}}},
      {"CHANGE_AGENT", {{}, {}, {}, 0, ChangeAgent{7, "a1", "drain", 60s}}},
  };
}

std::vector<Sample> detached_samples() {
  return {
      {"SUBMIT_JOB",
       {{},
        {},
        {},
        0,
        SubmitJob{8, "d-1f0c", "mr", "ada", "mr -input /in", id<FrameworkId>(8), id<Secret>(80),
                  std::get<CommandWork>(*command())}}},
      {"DESCRIBE_JOBS", {{}, {}, {}, 0, DescribeJobs{9, "d-1f"}}},
      {"DETACHED_JOBS",
       {{},
        {},
        {},
        0,
        DetachedJobs{9,
                     {{"d-1f0c",
                       "mr",
                       "ada",
                       "mr -input /in",
                       "ended",
                       "it was killed by ada",
                       2,
                       {1, 9},
                       id<FrameworkId>(7),
                       {3},
                       "d-1f0c_2",
                       "t0ken",
                       "a1",
                       "tcp://127.0.0.1:40001"}}}}},
  };
}

std::vector<Sample> make_samples() {
  std::vector<Sample> all;
  const auto add = [&](std::string_view conversation, std::vector<Sample> part) {
    for (auto& sample : part) {
      sample.conversation = conversation;
      all.push_back(std::move(sample));
    }
  };
  add("framework", framework_samples());
  add("framework", reconciling_samples());
  add("agent", agent_samples());
  add("catalog", catalog_samples());
  add("data", data_samples());
  add("people", people_samples());
  add("people", detached_samples());
  for (auto& [name, envelope, conversation] : all) {
    if (name == "SUBSCRIBE") continue;  // the first message of all: it knows no cluster, epoch or session
    envelope.cluster = id<ClusterId>(1);
    envelope.epoch = Epoch{5};
    envelope.session = SessionId{0xf0e0d0c0b0a09080};
    envelope.seq = 9;
  }
  return all;
}

}  // namespace

const std::vector<Sample>& samples() {
  static const auto all = make_samples();
  return all;
}

const Envelope& sample(std::string_view name) {
  const auto found =
      std::find_if(samples().begin(), samples().end(), [&](const Sample& s) { return s.name == name; });
  PROFFER_CHECK(found != samples().end(), name);
  return found->envelope;
}

std::string encoded(const Envelope& envelope) {
  std::string out;
  encode(envelope, out);
  return out;
}

}  // namespace proffer::formats
