#include "frameworks/mapreduce/notes.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "frameworks/mapreduce/note_fields.hpp"
#include "proffer/fnv.hpp"

namespace proffer::mapreduce {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string key(const Job& job, const std::string& what) { return number(job.id.value) + "/" + what; }
std::string made_key(const Job& job, bool map, std::uint32_t index) {
  return key(job, (map ? "map/" : "reduce/") + number(index));
}
std::string tries_key(const Job& job, bool map, std::uint32_t index) {
  return key(job, (map ? "tries/m/" : "tries/r/") + number(index));
}

template <class T>
std::string written(const T& value) {
  frameworks::NoteWriter<NoteFields> writer;
  writer(value);
  return writer.take();
}

template <class T>
std::optional<T> read(const std::string& text) {
  frameworks::NoteReader<NoteFields> reader(text);
  T value;
  reader(value);
  if (!reader.complete()) return {};
  return value;
}

bool is_noted(const Turn& turn, const Job& job) { return turn.driver.keeps() && !job.spec.synthetic; }

/// The parts of a key, from the front.
class Words {
 public:
  explicit Words(std::string_view key) : rest_(key) {}
  std::string_view next() {
    const auto word = rest_.substr(0, rest_.find('/'));
    rest_.remove_prefix(std::min(word.size() + 1, rest_.size()));
    return word;
  }
  std::uint32_t next_number() {
    const auto word = next();
    std::uint32_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

void read_job(JobNotes& job, Words words, const std::string& text) {
  const auto what = words.next();
  auto& former = job.former;
  if (what == "spec") job.spec = read<JobSpec>(text);
  if (what == "end") job.end = read<EndedJob>(text);
  if (what == "plan") former.plan = read<JobPlan>(text);
  if (what == "failing") former.failing = text;
  if (what == "early") former.early[{std::string(words.rest())}] = read<bool>(text).value_or(true);
  if (what == "counters") former.counters = read<JobCounters>(text).value_or(JobCounters{});
  if (what == "tries") {
    const bool map = words.next() == "m";
    former.tries[{map, words.next_number()}] = read<Tries>(text).value_or(Tries{});
  }
  const auto index = words.next_number();
  if (what == "map") {
    if (auto made = read<MadeMap>(text)) former.maps.emplace(index, std::move(*made));
  } else if (what == "reduce") {
    if (auto made = read<MadeReduce>(text)) former.reduces.emplace(index, std::move(*made));
  }
}

}  // namespace

void note_framework(const Turn& turn, FrameworkId framework) {
  if (turn.driver.keeps()) turn.driver.keep("framework", written(framework));
}

void note_agent(const Turn& turn, const AgentInfo& agent) {
  if (!turn.driver.keeps()) return;
  auto& noted = turn.state.noted_agents[agent.id];
  if (noted == agent) return;
  noted = agent;
  turn.driver.keep("agent/" + to_hex(agent.id.value), written(agent));
}

void note_spec(const Turn& turn, const Job& job) {
  if (is_noted(turn, job)) turn.driver.keep(key(job, "spec"), written(job.spec));
}

void note_plan(const Turn& turn, const Job& job) {
  if (is_noted(turn, job)) turn.driver.keep(key(job, "plan"), written(plan_of(job)));
}

void note_failing(const Turn& turn, const Job& job) {
  if (is_noted(turn, job)) turn.driver.keep(key(job, "failing"), job.why);
}

void note_made(const Turn& turn, const Job& job, bool map, std::uint32_t index) {
  if (!is_noted(turn, job)) return;
  const auto& tasks = job.tasks;
  const auto& task = tasks.table(map).current(index);
  turn.driver.keep(made_key(job, map, index),
                   map ? written(MadeMap{task, tasks.outputs.added(), tasks.outputs.at(index)})
                       : written(MadeReduce{task, tasks.reduce_results.at(index)}));
}

void forget_made(const Turn& turn, const Job& job, std::uint32_t map) {
  if (is_noted(turn, job)) turn.driver.forget(made_key(job, true, map));
}

void note_tries(const Turn& turn, const Job& job, bool map, std::uint32_t index) {
  if (!is_noted(turn, job)) return;
  turn.driver.keep(tries_key(job, map, index), written(job.tasks.table(map).tries(index)));
}

void note_early(const Turn& turn, const Job& job, const TaskId& reduce, bool outdated) {
  if (is_noted(turn, job)) turn.driver.keep(key(job, "early/" + reduce.value), written(outdated));
}

void forget_early(const Turn& turn, const Job& job, const TaskId& reduce) {
  if (is_noted(turn, job)) turn.driver.forget(key(job, "early/" + reduce.value));
}

void note_counters(const Turn& turn, const Job& job) {
  if (is_noted(turn, job)) turn.driver.keep(key(job, "counters"), written(job.counters));
}

void note_end(const Turn& turn, const Job& job) {
  if (!is_noted(turn, job)) return;
  const auto report = job.report();
  const EndedJob ended{job.spec.name, job.spec.output, report.ok, report.why, report.counters};
  turn.driver.keep(key(job, "end"), written(ended));
  for (const auto* what : {"spec", "plan", "failing", "counters"}) turn.driver.forget(key(job, what));
  for (const bool map : {true, false}) {
    const auto& table = job.tasks.table(map);
    for (std::uint32_t index = 0; index < table.size(); ++index) {
      if (table.is_done(index)) turn.driver.forget(made_key(job, map, index));
      if (table.tries(index).any()) turn.driver.forget(tries_key(job, map, index));
    }
    for (const auto& [id, attempt] : table.attempts()) forget_early(turn, job, id);
  }
}

JobPlan plan_of(const Job& job) {
  auto hash = kFnvBasis;
  for (const auto& map : job.input.maps) {
    hash = fnv1a(hash, map.path);
    for (const auto& block : map.blocks) hash = fnv1a(hash, "," + number(block.block.value));
  }
  return {job.tasks.maps.size(), job.tasks.reduces.size(), hash};
}

Notes read_notes(const std::map<std::string, std::string>& notes) {
  Notes found;
  for (const auto& [key, text] : notes) {
    Words words(key);
    const auto about = words.next();
    if (about == "framework") {
      found.framework = read<FrameworkId>(text);
    } else if (about == "agent") {
      if (auto agent = read<AgentInfo>(text)) found.agents.push_back(std::move(*agent));
    } else if (const auto job = Words(about).next_number(); job != 0) {
      read_job(found.jobs[JobId{job}], words, text);
    }
  }
  return found;
}

}  // namespace proffer::mapreduce
