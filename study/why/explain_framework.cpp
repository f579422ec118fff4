// Why a framework has no more than it has.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

void state_jobs(Account& account, const FrameworkScene& framework) {
  if (framework.jobs.empty()) {
    account.part("jobs", "this log has no lines of the framework itself, so its jobs are not known");
    return;
  }
  std::int64_t queued = 0, running = 0, ended = 0;
  for (const auto& [id, job] : framework.jobs) {
    (job.finished ? ended : job.begun ? running : queued) += 1;
  }
  account.part("jobs", fmt::format("{} queued, {} begun, {} ended", queued, running, ended));
  account.fact("jobs.queued", queued);
  account.fact("jobs.begun", running);
  account.fact("jobs.ended", ended);
}

}  // namespace

Explanation explain_framework(Account account, const FrameworkScene& framework) {
  const auto& scene = account.scene();
  const auto pressing = pressing_kind(scene, framework);
  account.about(fmt::format("framework {}", framework.name));
  account.fact("pool", framework.pool);
  account.fact("kind", std::string(pressing.name()));
  auto obstacle = obstacle_of(scene, framework, pressing, "it");
  obstacle.sentence.front() = static_cast<char>(std::toupper(obstacle.sentence.front()));
  account.answer(obstacle.cause, std::move(obstacle.sentence));
  for (const auto kind : scene.kinds) {
    const bool counts = framework.wants(kind) > 0 || framework.has(kind).running > 0;
    if (counts && kind != pressing) account.state_share(framework, kind);
  }
  account.state_share(framework, pressing);
  state_jobs(account, framework);
  account.state_offers(framework);
  if (framework.rules) account.part("policy", framework.rules->policy);
  account.state_hidden(framework, pressing);
  account.state_free(framework, pressing);
  account.state_deficit(pressing);
  if (framework.preempted > 0) {
    account.part("preempted", fmt::format("it was told to give back {} for starved pools so far",
                                          count(framework.preempted, "slot")));
  }
  return account.take();
}

}  // namespace proffer::study::why
