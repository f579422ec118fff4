#include "tests/formats/record_samples.hpp"

#include "tests/formats/samples.hpp"

namespace proffer::formats {
namespace {

using namespace std::chrono_literals;

template <class SomeId>
SomeId record_id(std::uint64_t n) {
  return SomeId{{0x0102030405060708, n}};
}

const Resources kOneMap{{Kind("map"), 1}};

TaskStatus running() {
  TaskStatus status;
  status.framework = record_id<FrameworkId>(7);
  status.task = TaskId{"m-1"};
  status.seq = 1;
  status.state = TaskState::running;
  status.agent = record_id<AgentId>(1);
  return status;
}

KeptLaunch launch() {
  const auto& ended = std::get<Update>(sample("UPDATE").message).status;  // with a result
  return {{5, 8}, record_id<FrameworkId>(7), TaskId{"m-1"},         JobId{2}, kOneMap,
          3,      {running(), ended},        TaskReason::preempted, true,     4};
}

std::vector<RecordSample> make_record_samples() {
  const AgentInfo agent{record_id<AgentId>(1), "a1", "r1", "tcp://127.0.0.1:40001"};
  return {
      {"framework", KeptFramework{record_id<FrameworkId>(7), record_id<Secret>(70), "mr", "somebody", "high",
                                  "research.ml", "research", 10min, 2, 81}},
      {"agent", KeptAgent{agent, record_id<Secret>(71), 3, AgentWish::drain, true}},
      {"retired agent", RetiredAgent{record_id<AgentId>(2), "a2"}},
      {"launch", launch()},
      {"launch that waits", KeptLaunch{{5, 9}, record_id<FrameworkId>(7), TaskId{"m-2"}, {}, kOneMap, 0, {}}},
      {"server", KeptServer{ServerRole::catalog, record_id<ClusterId>(1), Epoch{5}, 0x8000000000000003}},
      {"boot", KeptBoot{"5f3c"}},
      {"identity", KeptIdentity{record_id<FrameworkId>(7), record_id<Secret>(70), 2}},
      {"task",
       KeptTask{TaskId{"m-1"}, record_id<AgentId>(1), kOneMap, 12, TaskState::running, (7ull << 32) + 1}},
      {"note", KeptNote{"job/1", std::string("any bytes: \0\xff", 13)}},
  };
}

}  // namespace

const std::vector<RecordSample>& record_samples() {
  static const auto all = make_record_samples();
  return all;
}

}  // namespace proffer::formats
