// Why a job waits.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

constexpr std::size_t kPlacesNamed = 3;

struct JobOf {
  const FrameworkScene& framework;
  JobId id;
  const JobScene& job;
  Kind kind;  // of which most of its tasks wait
};

Kind kind_of(const Scene& scene, const FrameworkScene& framework, const JobScene& job) {
  auto pressing = scene.kinds.empty() ? Kind("map") : scene.kinds.front();
  for (const auto kind : scene.kinds) {
    if (waiting_of(framework, job, kind) > waiting_of(framework, job, pressing)) pressing = kind;
  }
  return pressing;
}

void state_tasks(Account& account, const JobOf& of) {
  const auto& job = of.job;
  const auto now = account.scene().now;
  auto text = fmt::format("{} of its tasks wait, {} run, {} are done", job.waiting.size(), job.running.size(),
                          job.done);
  if (job.maps + job.reduces > 0) text += fmt::format("; {} maps, {} reduces", job.maps, job.reduces);
  if (job.queued) text += fmt::format("; it came {} ago", span(now - *job.queued));
  if (job.last_placed) text += fmt::format(", its last launch was {} ago", span(now - *job.last_placed));
  account.part("tasks", std::move(text));
  account.fact("tasks.waiting", job.waiting.size());
  account.fact("tasks.running", job.running.size());
  account.fact("tasks.done", static_cast<std::int64_t>(job.done));
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
  if (of.job.last_placed && of.job.last_waited > Duration::zero()) {
    text +=
        fmt::format("{}its last launch had waited {}", text.empty() ? "" : "; ", span(of.job.last_waited));
  }
  if (placed[0] + placed[1] + placed[2] > 0) {
    text += fmt::format("{}launched so far: {} on a node with their data, {} in its rack, {} elsewhere",
                        text.empty() ? "" : "; ", placed[0], placed[1], placed[2]);
  }
  if (!text.empty()) account.part("policy", std::move(text));
}

void answer_not_begun(Account& account, const JobOf& of) {
  const auto most = of.framework.rules ? of.framework.rules->max_running_jobs : 0;
  std::size_t running = 0;
  std::size_t before = 0;
  for (const auto& [id, job] : of.framework.jobs) {
    running += job.begun && !job.finished ? 1 : 0;
    before += !job.begun && !job.finished && id < of.id ? 1 : 0;
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

void answer_no_tasks(Account& account, const JobOf& of) {
  const auto& job = of.job;
  if (job.done < job.maps && job.reduces > 0 && !job.running.empty()) {
    account.answer("maps-first", fmt::format("All its maps that are left run; its {} until they are done.",
                                             job.reduces == 1 ? std::string("reduce waits")
                                                              : fmt::format("{} reduces wait", job.reduces)));
  } else if (!job.running.empty()) {
    account.answer("runs", fmt::format("It does not wait: all {} that it has left run.",
                                       count(std::ssize(job.running), "task")));
  } else {
    account.answer("runs", "None of its tasks wait; it is about to publish its output or to end.");
  }
}

void answer_waiting(Account& account, const JobOf& of, const JobPlaces& places) {
  if (std::find(places.held.begin(), places.held.end(), of.id) != places.held.end()) {
    const auto limit = limit_of(of.framework.pools, of.job.pool, "jobs");
    return account.answer("limit", fmt::format("It waits for a place within {}: {}.", of.framework.name,
                                               limit.empty() ? "a limit holds it" : limit));
  }
  const auto at = std::find(places.order.begin(), places.order.end(), of.id);
  const auto ahead = at - places.order.begin();
  auto obstacle = obstacle_of(account.scene(), of.framework, of.kind, of.framework.name);
  if (ahead > 0 && at != places.order.end() && obstacle.cause != "own-choice") {
    const auto jobs = ahead == 1 ? std::string("Another job") : fmt::format("{} other jobs", ahead);
    obstacle.sentence +=
        fmt::format(" {} of {} {} before it.", jobs, of.framework.name, ahead == 1 ? "comes" : "come");
  }
  account.answer(obstacle.cause, std::move(obstacle.sentence));
}

}  // namespace

Explanation explain_job(Account account, const FrameworkScene& framework, JobId id) {
  const auto& scene = account.scene();
  const auto& job = framework.jobs.at(id);
  const JobOf of{framework, id, job, kind_of(scene, framework, job)};
  account.about(fmt::format("job {} of {}", job.name, framework.name));
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
  const auto places = job_places(framework, of.kind);
  answer_waiting(account, of, places);
  state_order(account, of, places);
  account.state_share(framework, of.kind);
  account.state_offers(framework);
  state_policy(account, of);
  state_data(account, of);
  account.state_hidden(framework, of.kind);
  account.state_deficit(of.kind);
  return account.take();
}

}  // namespace proffer::study::why
