// The policy `process`: what it is asked is a line of JSON to a program, and so is the answer.
#include "proffer/live/process_policy.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "live/policies/line_process.hpp"
#include "proffer/frameworks/policy_failed.hpp"

namespace proffer::live {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr Duration kAnswerWithin = std::chrono::seconds(30);
constexpr double kLongest = 365.0 * 24 * 3600;  // seconds; a longer time is a mistake
constexpr std::size_t kLongestQuote = 100;

double in_seconds(Time time) { return static_cast<double>(to_us(time)) / 1e6; }

std::optional<Duration> duration_of(const Json& seconds) {
  if (!seconds.is_number()) return {};
  const auto value = seconds.get<double>();
  if (!(value >= 0 && value <= kLongest)) return {};
  return Duration{std::llround(value * 1e6)};
}

/// The talk with one program, which is started when there is something to say.
class Talk {
 public:
  explicit Talk(std::string command) : command_(std::move(command)) {}

  /// Says something before the next question.
  void tell(const Json& message) { told_ += message.dump() + "\n"; }

  Json ask(const Json& question) {
    start();
    tell(question);
    check(process_->write(std::exchange(told_, {}), kAnswerWithin));
    return answer();
  }

  /// Returns whether the program wants to be told, or asked, that.
  bool wants(const std::string& what) {
    start();
    return wants_.contains(what);
  }
  Duration hold() {
    start();
    return hold_;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw PolicyFailed("the policy '" + command_ + "' has failed: " + why);
  }
  [[noreturn]] void fail(const std::string& why, const Json& answer) const {
    fail(why + ": " + answer.dump().substr(0, kLongestQuote));
  }

 private:
  template <class T>
  void check(const Result<T>& result) const {
    if (!result) fail(result.error().message);
  }

  void start() {
    if (process_) return;
    auto started = LineProcess::start(command_);
    check(started);
    process_ = std::move(*started);
    check(process_->write(Json{{"hello", kVersion}}.dump() + "\n", kAnswerWithin));
    const auto hello = answer();
    if (hello.value("version", Json()) != kVersion) fail("it does not begin with \"version\":1", hello);
    const auto hold = duration_of(hello.value("hold_s", Json(1)));
    if (!hold) fail("hold_s is no number of seconds", hello);
    hold_ = *hold;
    for (const auto& want : hello.value("wants", Json::array())) {
      if (want.is_string()) wants_.insert(want.get<std::string>());
    }
  }

  Json answer() {
    const auto line = process_->read(kAnswerWithin);
    check(line);
    auto json = Json::parse(*line, nullptr, false);
    if (!json.is_object())
      fail("it did not answer with an object of JSON: " + line->substr(0, kLongestQuote));
    return json;
  }

  std::string command_;
  std::unique_ptr<LineProcess> process_;
  std::string told_;
  std::set<std::string> wants_;
  Duration hold_{};
};

/// The reason of that name; none for a name that no reason has.
std::optional<DeclineReason> reason_of(const Json& name) {
  for (int n = 0; n < kDeclineReasons; ++n) {
    const auto reason = static_cast<DeclineReason>(n);
    if (name == to_string(reason)) return reason;
  }
  return {};
}

class ProcessPolicy final : public Policy {
 public:
  explicit ProcessPolicy(Settings& settings)
      : talk_(std::make_unique<Talk>(settings.text("command", "a command such as python3 my_policy.py"))) {}

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind kind, const Candidates& jobs, Time now) const override;
  void opportunity(std::span<const Standing> standings, const Candidates& jobs, Time now) override;
  void job_ended(JobId job) override {
    if (talk_->wants("job_ended")) talk_->tell({{"job_ended", job.value}});
  }

 private:
  Json view(JobId job, Kind kind, const Candidates& jobs, Locality nearest) const;

  std::unique_ptr<Talk> talk_;
  std::map<Kind, std::int64_t> fair_;
};

Json ProcessPolicy::view(JobId job, Kind kind, const Candidates& jobs, Locality nearest) const {
  Json view{{"job", job.value},
            {"nearest", to_string(nearest)},
            {"has_preferences", jobs.has_preferences(job, kind)},
            {"unlaunched", jobs.unlaunched(job, kind)},
            {"running", jobs.running(job, kind)},
            {"preferred_agents", jobs.preferred_agents(job, kind)},
            {"starved", jobs.starved(job, kind)}};
  if (const auto fair = fair_.find(kind); fair != fair_.end()) {
    view["fair_share"] = jobs.fair_share(job, kind, fair->second);
  }
  return view;
}

Choice ProcessPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  auto views = Json::array();
  std::map<std::uint64_t, Locality> nearest_of;
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    nearest_of[job.value] = *nearest;
    views.push_back(view(job, slot.kind, jobs, *nearest));
  }
  if (views.empty()) return Pass{DeclineReason::no_pending_task};
  const auto answer =
      talk_->ask({{"consider",
                   {{"now_s", in_seconds(now)},
                    {"kind", slot.kind.name()},
                    {"agent", slot.agent.name},
                    {"rack", slot.agent.rack},
                    {"offer", std::to_string(slot.offer.epoch) + "." + std::to_string(slot.offer.n)},
                    {"idle", slot.idle},
                    {"jobs", std::move(views)}}}});
  if (const auto take = answer.find("take"); take != answer.end()) {
    const auto job =
        take->is_number_unsigned() ? nearest_of.find(take->get<std::uint64_t>()) : nearest_of.end();
    if (job == nearest_of.end()) talk_->fail("it took a job that was not among those it was shown", answer);
    const auto waited = duration_of(answer.value("waited_s", Json(0)));
    if (!waited) talk_->fail("waited_s is no number of seconds", answer);
    return Take{JobId{static_cast<std::uint32_t>(job->first)}, job->second, *waited};
  }
  const auto reason = reason_of(answer.value("pass", Json()));
  if (!reason) talk_->fail("its answer about a slot neither takes a job nor passes with a reason", answer);
  return Pass{*reason};
}

std::optional<Time> ProcessPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  if (!talk_->wants("next_level_change")) return now + talk_->hold();
  auto ids = Json::array();
  for (const auto job : jobs.in_order(kind)) ids.push_back(job.value);
  const auto answer = talk_->ask(
      {{"next_level_change", {{"now_s", in_seconds(now)}, {"kind", kind.name()}, {"jobs", std::move(ids)}}}});
  const auto in = answer.find("in_s");
  if (in != answer.end() && in->is_null()) return {};
  const auto hidden = in == answer.end() ? std::nullopt : duration_of(*in);
  if (!hidden) talk_->fail("it did not say in_s, a number of seconds or null", answer);
  return now + *hidden;
}

void ProcessPolicy::opportunity(std::span<const Standing> standings, const Candidates&, Time now) {
  for (const auto& standing : standings) fair_[standing.kind] = standing.fair;
  if (!talk_->wants("opportunity")) return;
  auto told = Json::array();
  for (const auto& standing : standings) {
    told.push_back({{"kind", standing.kind.name()},
                    {"used", standing.used},
                    {"fair", standing.fair},
                    {"starved", standing.starved},
                    {"contended", standing.contended},
                    {"complete", standing.complete}});
  }
  talk_->tell({{"opportunity", {{"now_s", in_seconds(now)}, {"standings", std::move(told)}}}});
}

}  // namespace

void add_process_policy(PolicyRegistry& registry) {
  registry.add<ProcessPolicy>("process",
                              "asks a program of yours about each slot: process,python3 my_policy.py");
}

}  // namespace proffer::live
