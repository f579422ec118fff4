// Drives a MapReduce scheduler by hand: offers, ends of tasks and the catalog's answers, without any session.
//
//   Hand hand;                                  six agents a1..a6 in three racks; policy greedy
//   hand.input("/in", {{"a1"}, {"a2"}});        a file of two blocks, and who holds them
//   hand.submit(word_count());
//   hand.begin();                               subscribes; the catalog answers at once
//   auto tasks = hand.offer_map("a1");          what was launched on it
//   hand.finish(tasks.at(0));                   its part or its map output is there
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/frameworks/task_said.hpp"
#include "tests/mapreduce/store.hpp"

namespace proffer::mapreduce_test {

using namespace std::chrono_literals;

inline AgentId agent_id(const std::string& name) {
  return {{1, static_cast<std::uint64_t>(std::stoull(name.substr(1)))}};
}
inline std::string rack_of(const std::string& agent) {
  return "r" + std::to_string((std::stoull(agent.substr(1)) + 1) / 2);
}
inline AgentInfo agent_info(const std::string& name) {
  return {agent_id(name), name, rack_of(name), "tcp://" + name};
}

/// One map per block, two reduces.
inline JobSpec word_count(const std::string& input = "/in", const std::string& output = "/out") {
  JobSpec spec;
  spec.inputs = {input};
  spec.output = output;
  spec.mapper = "tokenize";
  spec.reducer = "count";
  spec.num_reduces = 2;
  spec.token = "job-token";
  return spec;
}
inline JobSpec grep(const std::string& input = "/in", const std::string& output = "/out") {
  auto spec = word_count(input, output);
  spec.reducer = "NONE";
  return spec;
}

struct Watcher : JobObserver {
  std::vector<JobProgress> steps;
  std::vector<std::string> failures;
  std::vector<JobReport> ended;
  std::vector<std::string> waits;
  void job_waits(const JobProgress& job, const std::string& why, Duration at_most) override {
    waits.push_back(job.name + " " + std::to_string(at_most / 1s) + " s: " + why);
  }
  void job_progressed(const JobProgress& progress) override { steps.push_back(progress); }
  void task_failed(JobId, const TaskId& task, const std::string& why) override {
    failures.push_back(task.value + ": " + why);
  }
  void job_ended(const JobReport& report) override { ended.push_back(report); }
};

inline MapReduceConfig greedy() { return {}; }
inline MapReduceConfig patient(const std::string& wait) {
  MapReduceConfig config;
  config.policy = {"wait", {{"node_wait", wait}, {"rack_wait", wait}}};
  return config;
}

/// What a session keeps for a scheduler, with FrameworkConfig::keeps.
struct KeptByHand {
  bool on = false;
  std::map<std::string, std::string> notes;
  std::vector<ResumedTask> tasks;    ///< launched, with their kept states
  std::vector<TaskId> held;          ///< ends that are not acknowledged at once
  std::vector<TaskId> acknowledged;  ///< and are later
  AgentId offering;                  ///< the agent that offers now
};

class Hand {
 public:
  explicit Hand(MapReduceConfig config = greedy()) {
    auto made = MapReduce::make(std::move(config), &watcher);
    EXPECT_TRUE(made.ok());
    framework = std::move(*made);
  }

  Store store;
  Watcher watcher;
  std::unique_ptr<MapReduce> framework;
  Time now = time_from_us(1'000'000);
  bool catalog_answers = true;
  std::vector<TaskSpec> launched;  ///< ever
  std::vector<Driver::DeclineCall> declined;
  std::vector<Message> asked;    ///< of the catalog, ever
  std::vector<BlocksUsed> told;  ///< to the catalog, of the use of blocks
  std::vector<Kill> kills;
  std::vector<JobId> released;
  std::vector<Kind> revived;
  std::vector<Trace> traces;
  std::vector<MoreInputs> fed;  ///< to reduces, ever
  std::map<Kind, std::int64_t> demand;
  bool stopped = false;
  KeptByHand kept;

  /// Goes on where another one was killed: with its notes and tasks, and the same store.
  void take_over(const Hand& former) {
    store = former.store;
    kept = {true, former.kept.notes, former.kept.tasks, {}, {}, {}};
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.resumed(driver, kept.tasks, kept.notes); });
  }

  void input(const std::string& path, const std::vector<std::vector<std::string>>& holders) {
    std::vector<BlockInfo> blocks;
    for (const auto& agents : holders) {
      BlockInfo block{BlockId{++numbers_.block}, 1000, 0, {}};
      for (const auto& agent : agents) {
        block.replicas.push_back({agent_id(agent), "tcp://" + agent, rack_of(agent)});
      }
      blocks.push_back(std::move(block));
    }
    store.add(path, std::move(blocks));
  }
  JobId submit(JobSpec spec) {
    const auto id = framework->submit(std::move(spec));
    EXPECT_TRUE(id.ok());
    return *id;
  }
  void begin(std::uint64_t framework_number = 7) {
    start();
    subscribe(framework_number);
  }
  void start() {
    call([](Driver& driver, MapReduce& scheduler) { scheduler.started(driver); });
  }
  void subscribe(std::uint64_t framework_number = 7) {
    const Subscribed subscribed{FrameworkId{{0, framework_number}}, 1, 1s, "tcp://catalog"};
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.subscribed(driver, subscribed); });
  }

  std::vector<TaskSpec> offer(const std::string& agent, const std::string& kind, std::int64_t slots = 1) {
    const auto before = launched.size();
    kept.offering = agent_id(agent);
    const Offers offers{{{OfferId{1, ++numbers_.offer}, agent_info(agent), Resources{{Kind(kind), slots}}}},
                        {}};
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.resource_offers(driver, offers); });
    return {launched.begin() + static_cast<std::ptrdiff_t>(before), launched.end()};
  }
  std::vector<TaskSpec> offer_map(const std::string& agent, std::int64_t slots = 1) {
    return offer(agent, "map", slots);
  }
  std::vector<TaskSpec> offer_reduce(const std::string& agent, std::int64_t slots = 1) {
    return offer(agent, "reduce", slots);
  }

  /// Ends a map of a synthetic job, which has no output, with exit code 0.
  void finish_synthetic(const TaskSpec& map) {
    auto status = status_of(map, TaskState::finished);
    status.run_time = 1s;
    status.result = std::make_shared<TaskResult>(MapResult{});
    update(status);
  }
  /// Ends a task with exit code 0 and all the output that it was to write.
  void finish(const TaskSpec& task, Duration run_time = 1s) {
    const auto* map = std::get_if<MapWork>(task.work.get());
    const auto& output = map ? map->output : std::get<ReduceWork>(*task.work).output;
    TaskStatus status = status_of(task, TaskState::finished);
    status.run_time = run_time;
    if (map) {
      status.result = std::make_shared<TaskResult>(map_result(map->partitions));
      if (map->partitions == 0) store.add(output.path);
    } else {
      ReduceResult result;
      result.input_records = 10;
      result.output_records = 4;
      result.remote_bytes = 50;
      status.result = std::make_shared<TaskResult>(result);
      store.add(output.path);
    }
    update(status);
  }
  void fail(const TaskSpec& task, std::int32_t code = 1) {
    auto status = status_of(task, TaskState::failed);
    status.reason = TaskReason::exit;
    status.exit = {code, 0};
    update(status);
  }
  void fail_for_want_of(const TaskSpec& reduce, const std::vector<TaskSpec>& maps) {
    ReduceResult result;
    for (const auto& map : maps) result.missing.push_back(map.id);
    auto status = status_of(reduce, TaskState::failed);
    status.reason = TaskReason::exit;
    status.exit = {75, 0};
    status.result = std::make_shared<TaskResult>(result);
    update(status);
  }
  void end(const TaskSpec& task, TaskState state, TaskReason reason = TaskReason::none) {
    auto status = status_of(task, state);
    status.reason = reason;
    update(status);
  }
  void runs(const TaskSpec& task) { update(status_of(task, TaskState::running)); }
  void wants(const TaskSpec& reduce, std::uint32_t from) {
    const auto payload = format_said({TaskSaid::What::wants, std::to_string(from)});
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.task_said(driver, reduce.id, payload); });
  }
  void say_failure(const TaskSpec& task, const std::string& text) {
    say(task, TaskSaid::What::failure, text);
  }
  void say(const TaskSpec& task, TaskSaid::What what, const std::string& text = "") {
    const auto payload = format_said({what, text});
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.task_said(driver, task.id, payload); });
  }
  /// Runs all maps of pending jobs on one agent, one after the other.
  std::vector<TaskSpec> run_maps(const std::string& agent = "a1") { return run(agent, "map"); }
  std::vector<TaskSpec> run_reduces(const std::string& agent = "a1") { return run(agent, "reduce"); }

  void pass(Duration time) {
    const auto end = now + time;
    for (auto next = framework->next_deadline(); next && *next <= end; next = framework->next_deadline()) {
      now = std::max(now, *next);
      call([](Driver& driver, MapReduce& scheduler) { scheduler.deadline(driver); });
    }
    now = end;
  }
  /// The catalog tells that a block is there now, and nowhere else.
  void replicas(BlockId block, const std::vector<std::string>& holders) {
    BlockPlaces places{block, {}};
    for (const auto& agent : holders) {
      places.replicas.push_back({agent_id(agent), "tcp://" + agent, rack_of(agent)});
    }
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.replicas_changed(driver, {{places}}); });
  }
  /// The catalog is lost: all that was asked and not answered fails.
  void lose_catalog() {
    const auto lost = std::exchange(unanswered_, {});
    for (const auto& request : lost)
      give(CatalogDone{request_of(request).value(), Error{ErrorCode::unreachable, "lost"}});
  }
  /// The catalog carries out what it was asked, but its answers are lost.
  void lose_answers() {
    for (const auto& request : unanswered_) store.answer(request);
    lose_catalog();
  }
  void answer_catalog() {
    while (!unanswered_.empty()) answer_one();
  }
  void answer_one() {
    const auto request = unanswered_.front();
    unanswered_.pop_front();
    give(store.answer(request));
  }
  template <class Answer>
  void answer_one_with(Answer&& answer) {
    const auto request = unanswered_.front();
    unanswered_.pop_front();
    give(answer(request_of(request).value()));
  }
  /// Returns what the framework answers an operator, also when it refuses.
  std::string kill_job(const std::string& job, const std::string& why = "") {
    return operate([&](Driver& driver, MapReduce& scheduler) {
      return scheduler.kill_job(driver, {1, "mr", job, "ada", why});
    });
  }
  std::string move_job(const std::string& job, const std::string& pool) {
    return operate([&](Driver& driver, MapReduce& scheduler) {
      return scheduler.move_job(driver, {1, "mr", job, pool});
    });
  }
  void refuse(const Error& error) {
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.failed(driver, error); });
  }

  JobReport report(JobId job = JobId{1}) const { return framework->reports().at(job.value - 1); }
  JobPhase phase(JobId job = JobId{1}) const { return report(job).progress.phase; }
  const Driver::DeclineCall& last_decline() const { return declined.back(); }

 private:
  static MapResult map_result(std::uint32_t partitions) {
    MapResult result;
    for (std::uint32_t i = 0; i < partitions; ++i) result.partitions.push_back({i * 100ull, 100, 1});
    result.input_records = 5;
    result.output_records = 7;
    result.output_bytes = 70;
    result.local_bytes = 1000;
    result.counters = {{"g", "c", 2}};
    return result;
  }
  TaskStatus status_of(const TaskSpec& task, TaskState state) {
    TaskStatus status;
    status.task = task.id;
    status.seq = 2;
    status.state = state;
    return status;
  }
  void update(const TaskStatus& status) {
    const auto holding = kept.held.size();
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.status_update(driver, status); });
    for (auto& task : kept.tasks) {
      if (task.task == status.task && kept.held.size() == holding) task.state = status.state;
    }
  }
  void give(const Message& answer) {
    call([&](Driver& driver, MapReduce& scheduler) { scheduler.catalog_answered(driver, answer); });
  }
  std::vector<TaskSpec> run(const std::string& agent, const std::string& kind) {
    std::vector<TaskSpec> all;
    for (auto tasks = offer(agent, kind); !tasks.empty(); tasks = offer(agent, kind)) {
      finish(tasks.at(0));
      all.push_back(tasks.at(0));
    }
    return all;
  }

  template <class Change>
  std::string operate(Change&& change) {
    std::string said;
    call([&](Driver& driver, MapReduce& scheduler) {
      const auto done = change(driver, scheduler);
      said = done ? *done : done.error().message;
    });
    return said;
  }

  template <class Callback>
  void call(Callback&& callback) {
    Driver driver(now, random_, numbers_.next_request, kept.on);
    callback(driver, *framework);
    for (auto& made : driver.take_calls()) std::visit([this](auto& one) { this->on(one); }, made);
    framework->check_invariants();
    if (catalog_answers) answer_catalog();
  }
  void on(Driver::TaskSizeCall&) {}
  void on(Driver::AcceptCall& call) {
    EXPECT_EQ(call.offers.size(), 1u);
    launched.insert(launched.end(), call.tasks.begin(), call.tasks.end());
    for (const auto& task : call.tasks) kept.tasks.push_back({task.id, kept.offering, task.resources});
  }
  void on(Driver::DeclineCall& call) { declined.push_back(call); }
  void on(Driver::DemandCall& call) { demand[call.kind] = call.units; }
  void on(Driver::CatalogCall& call) {
    asked.push_back(call.request);
    unanswered_.push_back(call.request);
  }
  void on(Driver::TellCatalogCall& call) { told.push_back(call.used); }
  void on(Driver::StopCall&) { stopped = true; }
  void on(Driver::HoldCall& call) { kept.held.push_back(call.task); }
  void on(Driver::AcknowledgeCall& call) {
    kept.acknowledged.push_back(call.task);
    for (auto& task : kept.tasks) {
      if (task.task == call.task) task.state = TaskState::finished;
    }
  }
  void on(Driver::KeepCall& call) { kept.notes[call.key] = call.value; }
  void on(Driver::ForgetCall& call) { kept.notes.erase(call.key); }
  void on(Revive& call) { revived.insert(revived.end(), call.kinds.begin(), call.kinds.end()); }
  void on(Suppress&) { ADD_FAILURE() << "it never suppresses"; }
  void on(MoreInputs& call) { fed.push_back(call); }
  void on(TaskMessage&) { ADD_FAILURE() << "it never talks to its tasks"; }
  void on(Kill& call) { kills.push_back(call); }
  void on(Release& call) { released.push_back(call.job); }
  void on(Trace& call) { traces.push_back(call); }

  Random random_{1};
  /// Numbers that were given out last, but for the request's, which is the next.
  struct Numbers {
    std::uint64_t next_request = 1;
    std::uint64_t offer = 0;
    std::uint64_t block = 0;
  };
  Numbers numbers_;
  std::deque<Message> unanswered_;
};

template <class T>
std::vector<T> all_of(const std::vector<Trace>& traces) {
  std::vector<T> found;
  for (const auto& trace : traces) {
    if (const auto* one = std::get_if<T>(&trace)) found.push_back(*one);
  }
  return found;
}

inline const MapWork& map_of(const TaskSpec& task) { return std::get<MapWork>(*task.work); }
inline const ReduceWork& reduce_of(const TaskSpec& task) { return std::get<ReduceWork>(*task.work); }

}  // namespace proffer::mapreduce_test
