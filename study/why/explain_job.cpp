// The explanation of why a job waits.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

constexpr std::size_t kPlacesNamed = 3;
const Kind kMap{"map"};
const Kind kReduce{"reduce"};

struct JobOf {
  const FrameworkScene& framework;
  JobId id;
  const JobScene& job;
  Kind kind;  // of which most of its tasks wait
};

Kind kind_of(const Scene& scene, const FrameworkScene& framework, const JobScene& job) {
  return kind_of_most(scene, [&](Kind kind) { return waiting_of(framework, job, kind); });
}

void state_preempted(Account& account, const JobScene& job) {
  std::int64_t all = 0;
  std::string pools;
  for (const auto& [pool, tasks] : job.preempted) {
    all += tasks;
    pools += fmt::format("{}{} for {}", pools.empty() ? "" : ", ", tasks, pool);
  }
  if (all == 0) return;
  account.part("preempted", fmt::format("its framework ended {} for starved pools of its own ({})",
                                        count(all, "task"), pools));
  account.fact("tasks.preempted", all);
}

void state_tasks(Account& account, const JobOf& of) {
  const auto& job = of.job;
  const auto& scene = account.scene();
  std::string text;
  for (const auto kind : scene.kinds) {
    const auto waiting = waiting_of(of.framework, job, kind);
    const auto running = running_of(of.framework, job, kind);
    const auto done = done_of(job, kind);
    if (waiting + running + done == 0) continue;
    text += fmt::format("{}{}: {} wait, {} run, {} done", text.empty() ? "" : "; ", kind.name(), waiting,
                        running, done);
    const auto prefix = fmt::format("tasks.{}.", kind.name());
    account.fact(prefix + "waiting", waiting);
    account.fact(prefix + "running", running);
    account.fact(prefix + "done", done);
  }
  if (job.maps + job.reduces > 0) {
    text += fmt::format("{}of {} and {}", text.empty() ? "" : "; ", count(job.maps, "map"),
                        count(job.reduces, "reduce"));
  }
  if (job.queued) {
    text += fmt::format("{}it came {} ago", text.empty() ? "" : "; ", span(scene.now - *job.queued));
  }
  if (job.last_launch.at)
    text += fmt::format(", its last launch was {} ago", span(scene.now - *job.last_launch.at));
  account.part("tasks", std::move(text));
  account.fact("tasks.waiting", job.waiting.size());
  account.fact("tasks.running", job.running.size());
  state_preempted(account, job);
}

void state_order(Account& account, const JobOf& of, const JobPlaces& places) {
  const auto at = std::find(places.order.begin(), places.order.end(), of.id);
  if (at == places.order.end()) return;
  const auto place = static_cast<std::size_t>(at - places.order.begin()) + 1;
  auto text = fmt::format("{} of {} jobs of {} that want {} slots", ordinal(place), places.order.size(),
                          of.framework.name, of.kind.name());
  if (place > 1) {
    const auto& first = of.framework.jobs.at(places.order.front());
    text += fmt::format("; the next is {}", first.name);
  }
  account.part("order", std::move(text));
  account.fact("order.job", place);
  account.fact("order.jobs", places.order.size());
}

std::string place_text(const Scene& scene, const AgentPlace& place) {
  const auto name = scene.agent_name(place.id);
  if (place.free > 0)
    return fmt::format("{} ({} free{})", name, place.free, place.refused ? ", refused" : "");
  if (place.offered > 0) return fmt::format("{} (on offer)", name);
  if (!place.next) return fmt::format("{} ({} busy)", name, place.running);
  return fmt::format("{} ({} busy, {})", name, place.running, next_free(*place.next));
}

void state_data(Account& account, const JobOf& of) {
  const auto places = preferred_places(account.scene(), of.framework, of.job, of.kind);
  if (places.empty()) {
    if (!of.job.waiting.empty()) account.part("data", "its waiting tasks prefer no agent");
    return;
  }
  const auto with_free =
      std::count_if(places.begin(), places.end(), [](const auto& p) { return p.free > 0; });
  auto text = fmt::format("near {}, {} with a free {} slot:", count(std::ssize(places), "agent"), with_free,
                          of.kind.name());
  for (std::size_t i = 0; i < std::min(places.size(), kPlacesNamed); ++i) {
    text += fmt::format("{} {}", i == 0 ? "" : ",", place_text(account.scene(), places[i]));
  }
  if (places.size() > kPlacesNamed) text += fmt::format(", and {} more", places.size() - kPlacesNamed);
  account.part("data", std::move(text));
  account.fact("data.agents", places.size());
  account.fact("data.agents_with_free", static_cast<std::int64_t>(with_free));
  if (places.front().free == 0 && places.front().next) {
    account.fact("data.next_free_s", std::chrono::duration<double>(*places.front().next).count());
  }
}

void state_policy(Account& account, const JobOf& of) {
  const auto& placed = of.job.placed;
  std::string text;
  if (of.framework.rules) text = of.framework.rules->policy;
  if (of.job.last_launch.at && of.job.last_launch.waited > Duration::zero()) {
    text += fmt::format("{}its last launch had waited {}", text.empty() ? "" : "; ",
                        span(of.job.last_launch.waited));
  }
  if (placed[0] + placed[1] + placed[2] > 0) {
    text += fmt::format("{}launched so far: {} on a node with their data, {} in its rack, {} elsewhere",
                        text.empty() ? "" : "; ", placed[0], placed[1], placed[2]);
  }
  if (!text.empty()) account.part("policy", std::move(text));
}

/// Returns the jobs that have to end before this one begins.
std::vector<JobId> awaited(const FrameworkScene& framework, JobId id) {
  std::vector<JobId> jobs;
  const auto formers = framework.formers.find(id);
  if (formers == framework.formers.end()) return jobs;
  for (const auto former : formers->second) {
    const auto job = framework.jobs.find(former);
    if (job != framework.jobs.end() && !job->second.finished) jobs.push_back(former);
  }
  return jobs;
}

void answer_after(Account& account, const JobOf& of, const std::vector<JobId>& jobs) {
  std::string names;
  for (std::size_t i = 0; i < std::min(jobs.size(), kPlacesNamed); ++i) {
    const auto& job = of.framework.jobs.at(jobs[i]);
    const auto done = done_of(job, kMap) + done_of(job, kReduce);
    names += fmt::format(
        "{}{} ({})", i == 0 ? "" : ", ", job.name,
        job.begun ? fmt::format("{} of {} done", done, count(job.maps + job.reduces, "task")) : "not begun");
  }
  if (jobs.size() > kPlacesNamed) names += fmt::format(" and {} more", jobs.size() - kPlacesNamed);
  account.answer("jobs-first", fmt::format("It comes after {}, which {} not ended.", names,
                                           jobs.size() == 1 ? "has" : "have"));
  account.fact("jobs_first", jobs.size());
}

void answer_not_begun(Account& account, const JobOf& of) {
  if (const auto jobs = awaited(of.framework, of.id); !jobs.empty()) return answer_after(account, of, jobs);
  const auto most = of.framework.rules ? of.framework.rules->max_running_jobs : 0;
  std::size_t running = 0;
  std::size_t before = 0;
  for (const auto& [id, job] : of.framework.jobs) {
    running += job.begun && !job.finished ? 1 : 0;
    const bool is_ahead = std::pair(priority_of(job), id) < std::pair(priority_of(of.job), of.id);
    before += !job.begun && !job.finished && is_ahead && awaited(of.framework, id).empty() ? 1 : 0;
  }
  if (most > 0 && running >= most) {
    account.answer("limit", fmt::format("{} runs {} at a time (max_running_jobs); {} of them run, and {} "
                                        "queued before this one.",
                                        of.framework.name, count(most, "job"), running,
                                        before == 1 ? "1 is" : fmt::format("{} are", before)));
    account.fact("limit.running", running);
    account.fact("limit.before", before);
  } else {
    account.answer("not-begun", "It has not begun: its framework asks the catalog about input and output.");
  }
}

/// Reduces that are not in line yet, since they begin only when enough of the maps are done.
std::int64_t reduces_to_come(const JobOf& of) {
  const auto begun = waiting_of(of.framework, of.job, kReduce) + running_of(of.framework, of.job, kReduce);
  return std::max<std::int64_t>(0, of.job.reduces - begun - done_of(of.job, kReduce));
}

void answer_no_tasks(Account& account, const JobOf& of) {
  const auto reduces = running_of(of.framework, of.job, kReduce);
  const auto maps = std::ssize(of.job.running) - reduces;
  const auto to_come = reduces_to_come(of);
  if (of.job.running.empty()) {
    return account.answer("runs", "None of its tasks wait; it is about to publish its output or to end.");
  }
  if (maps == 0 || to_come + reduces == 0) {
    const auto left = count(std::ssize(of.job.running), "task");
    const bool one = of.job.running.size() == 1;
    return account.answer("runs", fmt::format("It does not wait: {} {} that it has left {}.",
                                              one ? "the" : "all", left, one ? "runs" : "run"));
  }
  auto text = maps == 1 ? std::string("Its 1 map that is left runs")
                        : fmt::format("All its {} maps that are left run", maps);
  if (reduces > 0) {
    text += fmt::format("; {} of its reduces {} already, but cannot end before {} done", reduces,
                        reduces == 1 ? "runs" : "run", maps == 1 ? "that map is" : "these are");
  }
  if (to_come > 0) {
    text += fmt::format("; {} {} for {}",
                        reduces > 0 ? fmt::format("{} more", to_come) : count(to_come, "reduce"),
                        to_come == 1 ? "waits" : "wait", maps == 1 ? "it" : "them");
  }
  account.answer(to_come > 0 ? "maps-first" : "runs", text + ".");
}

/// Returns a sentence on the jobs that hold reduce slots while their own maps have yet to run or to end;
/// empty: there are none.
std::string held_early(const Scene& scene) {
  std::vector<std::pair<std::int64_t, std::string>> holders;
  std::int64_t all = 0;
  for (const auto& [number, framework] : scene.frameworks) {
    for (const auto& [id, job] : framework.jobs) {
      const auto reduces = running_of(framework, job, kReduce);
      if (job.finished || reduces == 0 || done_of(job, kMap) + done_of(job, kCpus) >= job.maps) continue;
      holders.emplace_back(-reduces, job.name);
      all += reduces;
    }
  }
  if (all == 0) return "";
  std::sort(holders.begin(), holders.end());
  std::string names;
  for (std::size_t i = 0; i < std::min(holders.size(), kPlacesNamed); ++i) {
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", holders[i].second, -holders[i].first);
  }
  return fmt::format(" {} held by reduces of jobs whose maps are not done yet ({}{}).",
                     all == 1 ? "1 reduce slot is" : fmt::format("{} reduce slots are", all), names,
                     holders.size() > kPlacesNamed ? ", ..." : "");
}

void answer_rigid(Account& account, const JobOf& of) {
  const auto& [ended, slots] = *of.job.gathered;
  account.answer("rigid",
                 fmt::format("It is rigid and needs {} {} slots at once: {} came together, and were let go "
                             "{} ago. It pauses for {} after that, and tries again.",
                             slots.wanted, slots.kind.name(), slots.held, span(account.scene().now - ended),
                             span(slots.pause)));
  account.fact("rigid.wanted", slots.wanted);
  account.fact("rigid.held", slots.held);
}

void answer_waiting(Account& account, const JobOf& of, const JobPlaces& places) {
  if (std::find(places.held.begin(), places.held.end(), of.id) != places.held.end()) {
    const auto limit = limit_of({of.framework.job_pools.pools, of.framework.job_pools.users}, of.job.pool,
                                of.job.user, "jobs");
    return account.answer("limit", fmt::format("It waits for a place within {}: {}.", of.framework.name,
                                               limit.empty() ? "a limit holds it" : limit));
  }
  if (of.job.gathered) return answer_rigid(account, of);
  const auto at = std::find(places.order.begin(), places.order.end(), of.id);
  const auto ahead = at - places.order.begin();
  auto obstacle = obstacle_of(account.scene(), of.framework, of.kind, called(account.scene(), of.framework));
  const bool taken = obstacle.cause == "at-share" || obstacle.cause == "behind-others";
  if (taken && of.kind == kReduce) obstacle.sentence += held_early(account.scene());
  if (ahead > 0 && at != places.order.end() && obstacle.cause != "own-choice") {
    const auto jobs = ahead == 1 ? std::string("Another job") : fmt::format("{} other jobs", ahead);
    obstacle.sentence +=
        fmt::format(" {} of {} {} before it.", jobs, of.framework.name, ahead == 1 ? "comes" : "come");
    account.fact("order.ahead", ahead);
  }
  account.answer(obstacle.cause, std::move(obstacle.sentence));
}

}  // namespace

Explanation explain_job(Account account, const FrameworkScene& framework, JobId id) {
  const auto& scene = account.scene();
  const auto& job = framework.jobs.at(id);
  const JobOf of{framework, id, job, kind_of(scene, framework, job)};
  account.about(fmt::format("job {} of {}", job.name, called(scene, framework)));
  account.fact("job", static_cast<std::int64_t>(id.value));
  account.fact("framework", framework.name);
  if (job.finished) {
    account.answer(job.ok ? "finished" : "failed",
                   fmt::format("It {} {} ago{}.", job.ok ? "finished" : "failed",
                               span(scene.now - *job.finished), job.why.empty() ? "" : ": " + job.why));
    state_tasks(account, of);
    return account.take();
  }
  if (!job.begun) {
    answer_not_begun(account, of);
    state_tasks(account, of);
    return account.take();
  }
  state_tasks(account, of);
  if (job.waiting.empty()) {
    answer_no_tasks(account, of);
    return account.take();
  }
  const auto places = job_places(framework, of.kind, standing_of(scene, framework, of.kind).fair);
  answer_waiting(account, of, places);
  state_order(account, of, places);
  account.state_share(framework, of.kind);
  account.state_offers(framework, of.kind);
  state_policy(account, of);
  state_data(account, of);
  account.state_hidden(framework, of.kind);
  account.state_deficit(account.shortage().of(framework.number, of.kind), of.kind);
  return account.take();
}

}  // namespace proffer::study::why
