// The explanation of why a task waits, or of what became of it.
#include <fmt/format.h>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

std::string agent_text(const Scene& scene, const FrameworkScene& framework, const AgentPlace& place,
                       Kind kind) {
  auto text = fmt::format("{}: {} free, {} on offer, {} busy", scene.agent_name(place.id), place.free,
                          place.offered, place.running);
  if (place.free == 0 && place.next) text += ", " + next_free(*place.next);
  if (!place.admitted) text += fmt::format("; pool {} may not have it", framework.pool);
  if (place.refused) {
    const auto& refusal = framework.answers.refusals.at({place.id, kind});
    text += fmt::format("; {} declined it {} ago ({})", framework.name, span(scene.now - refusal.at),
                        to_string(refusal.reason));
  }
  return text;
}

void state_ended_or_running(Account& account, const TaskScene& task, bool away) {
  const auto& scene = account.scene();
  const auto where = scene.agent_name(task.agent);
  const auto locality = task.prefers.empty() ? std::string("without a preference")
                                             : fmt::format("level {}", to_string(task.locality));
  if (task.ended) {
    const bool ok = task.state == TaskState::finished;
    account.answer(
        ok ? "finished" : "failed",
        fmt::format("It ended {} ago as {}{}.", span(scene.now - *task.ended), to_string(task.state),
                    ok ? "" : fmt::format(" ({})", to_string(task.reason))));
  } else if (away) {
    account.answer(
        "runs", fmt::format("It was launched on {} {} ago. That agent is silent, so whether it still runs is "
                            "known once the agent is back.",
                            where, span(scene.now - task.launched.value_or(scene.now))));
  } else {
    const auto since = task.launched ? *task.launched : task.placed.value_or(scene.now);
    account.answer("runs", fmt::format("It has been on {} for {}, {}.", where, span(scene.now - since),
                                       to_string(task.state)));
  }
  if (task.placed) {
    auto text = fmt::format("on {}, {}", where, locality);
    if (task.queued) text += fmt::format(", after {} in line", span(*task.placed - *task.queued));
    if (task.waited > Duration::zero()) text += fmt::format("; its job had waited {}", span(task.waited));
    account.part("placed", std::move(text));
  }
}

void state_places(Account& account, const FrameworkScene& framework, const TaskScene& task) {
  const auto& scene = account.scene();
  if (task.prefers.empty()) account.part("data", "it prefers no agent");
  for (const auto agent : task.prefers) {
    const auto place = place_of(scene, framework, agent, task.kind);
    account.part("data", agent_text(scene, framework, place, task.kind));
  }
}

}  // namespace

Explanation explain_task(Account account, const FrameworkScene& framework, const TaskId& id) {
  const auto& scene = account.scene();
  const auto& task = framework.tasks.at(id);
  account.about(fmt::format("task {} of {}", id.value, called(scene, framework)));
  account.fact("framework", framework.name);
  if (const auto job = framework.jobs.find(task.job); job != framework.jobs.end()) {
    account.fact("job", job->second.name);
  }
  if (!task.backs_up.value.empty()) {
    account.part("backup",
                 fmt::format("of {}, which runs for long: the first to be done counts", task.backs_up.value));
  }
  if (!task.waits()) {
    const auto* held = scene.held(framework, id);
    state_ended_or_running(account, task, held != nullptr && held->away);
    return account.take();
  }
  account.fact("waits_s", std::chrono::duration<double>(scene.now - *task.queued).count());
  auto obstacle = obstacle_of(scene, framework, task.kind, called(scene, framework));
  account.answer(obstacle.cause, fmt::format("It has waited for a {} slot for {}. {}", task.kind.name(),
                                             span(scene.now - *task.queued), obstacle.sentence));
  state_places(account, framework, task);
  if (const auto job = framework.jobs.find(task.job); job != framework.jobs.end()) {
    account.part("job", fmt::format("{}, of which {} wait and {} run; proffer why job {}/{} tells more",
                                    job->second.name, count(std::ssize(job->second.waiting), "task"),
                                    job->second.running.size(), framework.name, job->second.name));
  }
  account.state_share(framework, task.kind);
  account.state_offers(framework, task.kind);
  return account.take();
}

}  // namespace proffer::study::why
