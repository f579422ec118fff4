// The event log, byte by byte: digests of runs are taken over these lines.
#include "proffer/formats/event_log.hpp"

#include <gmock/gmock.h>

#include <set>

namespace proffer {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const AgentId kAgent{{1, 2}};
const FrameworkId kFramework{{3, 0xabcdef}};
const Kind kMap{"map"};

struct Golden {
  Trace trace;
  std::string json;  // after "event", without the closing brace
};

const std::string kAgentHex = R"("00000000000000010000000000000002")";
const std::string kFrameworkHex = R"("00000000000000030000000000abcdef")";

std::vector<Golden> allocator_lines() {
  const auto offer = R"("offer":"5-17","framework":)" + kFrameworkHex;
  return {
      {AgentRegistered{kAgent, "a1", "r1", {{kMap, 2}, {Kind("reduce"), 1}}},
       R"("agent_registered","agent":)" + kAgentHex +
           R"(,"name":"a1","rack":"r1","slots":{"map":2,"reduce":1})"},
      {AgentLost{kAgent, "silent"}, R"("agent_lost","agent":)" + kAgentHex + R"(,"why":"silent")"},
      {FrameworkSubscribed{kFramework, "mr", "research.ml"},
       R"("framework_subscribed","framework":)" + kFrameworkHex + R"(,"name":"mr","pool":"research.ml")"},
      {FrameworkLost{kFramework, true, "teardown"},
       R"("framework_lost","framework":)" + kFrameworkHex + R"(,"removed":true,"why":"teardown")"},
      {DemandChanged{kFramework, kMap, -1},
       R"("demand_changed","framework":)" + kFrameworkHex + R"(,"kind":"map","demand":-1)"},
      {OfferMade{{5, 17}, kFramework, kAgent, {{kMap, 1}}},
       R"("offer_made",)" + offer + R"(,"agent":)" + kAgentHex + R"(,"resources":{"map":1})"},
      {OfferAccepted{{5, 17}, kFramework, 2, 1500us},
       R"("offer_accepted",)" + offer + R"(,"tasks":2,"held_us":1500)"},
      {OfferDeclined{{5, 17}, kFramework, kAgent, DeclineReason::no_rack_local, 7us, -1},
       R"("offer_declined",)" + offer + R"(,"agent":)" + kAgentHex +
           R"(,"reason":"no-rack-local","held_us":7,"refuse_for_us":-1)"},
      {OfferRescinded{{5, 17}, kFramework}, R"("offer_rescinded",)" + offer},
      {OfferExpired{{5, 17}, kFramework}, R"("offer_expired",)" + offer},
      {TaskLaunched{kFramework, TaskId{"m-1"}, {5, 18446744073709551615u}, kAgent, {{kMap, 1}}},
       R"("task_launched","framework":)" + kFrameworkHex +
           R"(,"task":"m-1","launch":"5-18446744073709551615","agent":)" + kAgentHex +
           R"(,"resources":{"map":1})"},
      {TaskChanged{kFramework, TaskId{"m-1"}, {}, TaskState::rejected, TaskReason::too_large},
       R"("task_changed","framework":)" + kFrameworkHex +
           R"(,"task":"m-1","agent":"","state":"REJECTED","reason":"too-large")"},
      {PoolStarved{"research.ml", kMap, 2, 5},
       R"("pool_starved","pool":"research.ml","kind":"map","used":2,"target":5)"},
      {SlotsPreempted{kFramework, "research.ml", kMap, 3, true},
       R"("slots_preempted","framework":)" + kFrameworkHex +
           R"(,"pool":"research.ml","kind":"map","slots":3,"enforced":true)"},
      {FrameworkAdded{kFramework, "ann", "high"},
       R"("framework_added","framework":)" + kFrameworkHex + R"(,"user":"ann","priority":"high")"},
      {PoolWarned{"research.ml", "no agent has maps"},
       R"("pool_warned","pool":"research.ml","why":"no agent has maps")"},
      {FrameworkMoved{kFramework, "research.ml"},
       R"("framework_moved","framework":)" + kFrameworkHex + R"(,"pool":"research.ml")"},
      {MessageRefused{"ACCEPT", ErrorCode::unknown_session, "say hello"},
       R"("message_refused","type":"ACCEPT","code":"unknown-session","why":"say hello")"},
  };
}

std::vector<Golden> other_lines() {
  return {
      {JobSubmitted{JobId{2}, "words", 8, 2},
       R"("job_submitted","job":2,"name":"words","maps":8,"reduces":2)"},
      {TaskPlaced{JobId{2}, TaskId{"m-1"}, kAgent, kMap, Locality::rack, true, 2s},
       R"("task_placed","job":2,"task":"m-1","agent":)" + kAgentHex +
           R"(,"kind":"map","locality":"rack","preferred":true,"waited_us":2000000)"},
      {JobFinished{JobId{2}, false, "a map failed"},
       R"("job_finished","job":2,"ok":false,"why":"a map failed")"},
      {JobMoved{JobId{2}, "production"}, R"("job_moved","job":2,"pool":"production")"},
      {GatheredTooFew{JobId{3}, kMap, 24, 13, 5s},
       R"("gathered_too_few","job":3,"kind":"map","wanted":24,"held":13,"pause_us":5000000)"},
      {TaskPreempted{JobId{1}, {"j1-m-00007-0"}, Kind("map"), "production", true},
       R"("task_preempted","job":1,"task":"j1-m-00007-0","kind":"map","pool":"production","enforced":true)"},
      {RunBegan{{5, 1}, TaskId{"m-1"}}, R"("run_began","launch":"5-1","task":"m-1")"},
      {ComputeBegan{{5, 1}, TaskId{"r-1"}}, R"("compute_began","launch":"5-1","task":"r-1")"},
      {RunEnded{{5, 1}, TaskId{"m-1"}, {0, 9}},
       R"("run_ended","launch":"5-1","task":"m-1","exit":{"code":0,"signal":9})"},
      {FileChanged{"/in", "created"}, R"("file_changed","path":"/in","what":"created")"},
      {ReplicaChanged{BlockId{9}, kAgent, false},
       R"("replica_changed","block":9,"agent":)" + kAgentHex + R"(,"present":false)"},
      {CopyDecided{BlockId{9}, 1000, kAgent, kAgent, 900000, 300000, "hot"},
       R"("copy_decided","block":9,"bytes":1000,"from":)" + kAgentHex + R"(,"to":)" + kAgentHex +
           R"(,"factor":900000,"mean":300000,"why":"hot")"},
      {DropDecided{BlockId{9}, 1000, kAgent, 50000, 300000, "cold"},
       R"("drop_decided","block":9,"bytes":1000,"agent":)" + kAgentHex +
           R"(,"factor":50000,"mean":300000,"why":"cold")"},
      {CopyEnded{BlockId{9}, 1000, kAgent, false, "its source is gone"},
       R"("copy_ended","block":9,"bytes":1000,"agent":)" + kAgentHex +
           R"(,"ok":false,"why":"its source is gone")"},
      {StorageCounted{2000, 300}, R"("storage_counted","base":2000,"extra":300)"},
  };
}

std::vector<Golden> notes() {
  return {
      {PoolChanged{"research.ml", false, 1500, {{kMap, 4}}, "fair", 2, 1, {"r1", "r2"}, {}, 25, 20},
       R"("pool_changed","pool":"research.ml","removed":false,"weight_milli":1500,"min_share":{"map":4},)"
       R"("order":"fair","max_running":2,"max_running_per_user":1,"racks":["r1","r2"],"agents":[],)"
       R"("user_limit":25,"private_agents":20)"},
      {LinesLost{7, "No space left on device"}, R"("lines_lost","lines":7,"why":"No space left on device")"},
      {AgentLeased{kAgent, "research.ml", true},
       R"("agent_leased","agent":)" + kAgentHex + R"(,"pool":"research.ml","returned":true)"},
      {AllocatorRules{30s, 3s},
       R"("allocator_rules","offer_timeout_us":30000000,"report_period_us":3000000)"},
      {AgentTrouble{kAgent, "no room"}, R"("agent_trouble","agent":)" + kAgentHex + R"(,"why":"no room")"},
      {ClusterDegraded{"all are silent"}, R"("cluster_degraded","why":"all are silent")"},
      {SessionBegan{kFramework}, R"("session_began","framework":)" + kFrameworkHex},
      {UserLimited{"ann", false, 2}, R"("user_limited","user":"ann","removed":false,"max_running":2)"},
      {FrameworkRules{"wait,node_wait=5s", 3},
       R"("framework_rules","policy":"wait,node_wait=5s","max_running_jobs":3)"},
      {JobQueued{JobId{2}, "words", "ml", "ada", "normal", {JobId{1}}, 5ms},
       R"("job_queued","job":2,"name":"words","pool":"ml","user":"ada","priority":"normal","after":[1],)"
       R"("deadline":5000)"},
      {TaskQueued{JobId{2}, TaskId{"m-1"}, kMap, {kAgent}, TaskId{"m-0"}},
       R"("task_queued","job":2,"task":"m-1","kind":"map","prefers":[)" + kAgentHex +
           R"(],"backs_up":"m-0")"},
  };
}

std::vector<Golden> golden_lines() {
  auto all = allocator_lines();
  for (auto& line : other_lines()) all.push_back(std::move(line));
  for (auto& line : notes()) all.push_back(std::move(line));
  return all;
}

std::string wrong_line(const std::string& line) {
  const auto parsed = parse_trace(line);
  return parsed ? "nothing is wrong" : parsed.error().message;
}

TEST(EventLog, EachEventHasExactlyTheseBytes) {
  for (const auto& [trace, json] : golden_lines()) {
    EXPECT_EQ(format_trace({Time{1234567us}, 42, "allocator", trace}),
              R"({"t_us":1234567,"seq":42,"source":"allocator","event":)" + json + "}");
  }
}

TEST(EventLog, EachEventIsReadBackAsItWasWritten) {
  std::set<std::size_t> seen;
  for (const auto& [trace, json] : golden_lines()) {
    const auto line = format_trace({Time{-5us}, 1, "agent a1", trace});
    const auto parsed = parse_trace(line);
    ASSERT_TRUE(parsed) << line << ": " << parsed.error().message;
    EXPECT_EQ(parsed->trace.index(), trace.index());
    EXPECT_EQ(format_trace(*parsed), line);
    seen.insert(trace.index());
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Trace::variant>);
}

TEST(EventLog, TextsAreEscapedAndComeBack) {
  for (const std::string why :
       {"a \"quoted\" \\ path", "line\nend\ttab\r\b\f", "\x01\x1f\x7f", "\0", "häßlich \xe2\x82\xac"}) {
    const auto line = format_trace({Time{}, 1, "agent a1", AgentLost{kAgent, why}});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(std::get<AgentLost>(parse_trace(line)->trace).why, why);
  }
  EXPECT_THAT(format_trace({Time{}, 1, "s", AgentLost{kAgent, std::string("\"\\\n\0", 4)}}),
              HasSubstr(R"("why":"\"\\\n\u0000")"));
}

TEST(EventLog, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  const auto line = format_trace({Time{}, 1, "catalog", FileChanged{"/\xff\xc0\xafx", "created"}});
  EXPECT_THAT(line, HasSubstr("\xef\xbf\xbd"));
  EXPECT_THAT(std::get<FileChanged>(parse_trace(line)->trace).path, HasSubstr("x"));
}

TEST(EventLog, UnknownFurtherFieldsAreIgnored) {
  const auto parsed = parse_trace(
      R"({"t_us":1,"seq":1,"source":"s","event":"job_finished","job":2,"ok":true,"why":"","new":[1,{}]})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(std::get<JobFinished>(parsed->trace).job, JobId{2});
}

TEST(EventLog, LogsOfEarlierVersionsLackWhatCameLater) {
  const auto parsed = parse_trace(
      R"({"t_us":1,"seq":1,"source":"s","event":"pool_changed","pool":"a","removed":false,"weight_milli":1,)"
      R"("min_share":{},"order":"fair","max_running":0,"max_running_per_user":0,"racks":[],"agents":[],)"
      R"("user_limit":25})");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(std::get<PoolChanged>(parsed->trace).private_agents, 0u);
}

TEST(EventLog, TheLifeOfTheProgramThatWroteALineIsToldWhereItIsKnown) {
  const auto line = format_trace({Time{}, 1, "framework run", JobFinished{}, 77});
  EXPECT_THAT(line, HasSubstr(R"("source":"framework run","life":77,"event")"));
  EXPECT_EQ(parse_trace(line)->life, 77u);
}

TEST(EventLog, WhatIsWrongIsNamed) {
  EXPECT_EQ(wrong_line(""), "an event log's line must be one JSON object");
  EXPECT_EQ(wrong_line("[1]"), "an event log's line must be one JSON object");
  EXPECT_EQ(wrong_line(R"({"t_us":1,"seq":1,"source":"s","event":"job_fin)"),
            "an event log's line must be one JSON object");
  EXPECT_EQ(wrong_line(R"({"seq":1,"source":"s","event":"x"})"), "t_us is missing");
  EXPECT_EQ(wrong_line(R"({"t_us":1.5,"seq":1,"source":"s","event":"x"})"), "t_us has a wrong value");
  EXPECT_EQ(wrong_line(R"({"t_us":1,"seq":-1,"source":"s","event":"x"})"), "seq has a wrong value");
  EXPECT_EQ(wrong_line(R"({"t_us":1,"seq":1,"source":"s"})"), "event is missing");
  EXPECT_EQ(wrong_line(R"({"t_us":1,"seq":1,"source":"s","event":"x"})"), "unknown event x");
}

TEST(EventLog, WrongValuesOfFieldsAreNamed) {
  const auto of = [](const std::string& rest) {
    return wrong_line(R"({"t_us":1,"seq":1,"source":"s","event":)" + rest + "}");
  };
  EXPECT_EQ(of(R"("job_finished","job":2,"ok":1,"why":"")"), "job_finished: ok has a wrong value");
  EXPECT_EQ(of(R"("job_finished","job":4294967296,"ok":true,"why":"")"),
            "job_finished: job has a wrong value");
  EXPECT_EQ(of(R"("run_began","launch":"5","task":"m")"), "run_began: launch has a wrong value");
  EXPECT_EQ(of(R"("run_began","launch":"5-","task":"m")"), "run_began: launch has a wrong value");
  EXPECT_EQ(of(R"("run_ended","launch":"5-1","task":"m","exit":{"code":0})"), "run_ended: signal is missing");
  EXPECT_EQ(of(R"("agent_lost","agent":"0","why":"")"), "agent_lost: agent has a wrong value");
  EXPECT_EQ(of(R"("demand_changed","framework":"","kind":"MAP","demand":1)"),
            "demand_changed: kind has a wrong value");
  EXPECT_EQ(of(R"("agent_registered","agent":"","name":"a","rack":"r","slots":{"map":-1})"),
            "agent_registered: slots has a wrong value");
  EXPECT_EQ(of(R"("task_changed","framework":"","task":"t","agent":"","state":"DONE","reason":"none")"),
            "task_changed: state has a wrong value");
}

}  // namespace
}  // namespace proffer
