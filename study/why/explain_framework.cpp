// The explanation of why a framework has no more than it has.
#include <fmt/format.h>

#include <algorithm>

#include "proffer/names.hpp"
#include "study/why/explain.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

void state_jobs(Account& account, const FrameworkScene& framework) {
  if (account.scene().shares_lines(framework)) {
    account.part("jobs",
                 fmt::format("several frameworks are called {}, and this log does not tell whose jobs are "
                             "whose",
                             framework.name));
    return;
  }
  if (framework.jobs.empty()) {
    account.part("jobs", framework.rules
                             ? "none so far"
                             : "this log has no lines of the framework itself, so its jobs are not "
                               "known; it writes them if PROFFER_EVENT_LOG or --event-log names "
                               "this log when it is started");
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

std::string upper(std::string sentence) {
  sentence.front() = static_cast<char>(std::toupper(sentence.front()));
  return sentence;
}

}  // namespace

std::string introduce(const Scene& scene, const FrameworkScene& framework) {
  const auto kind = pressing_kind(scene, framework);
  const auto has = scene.has(framework, kind);
  return fmt::format("{} of pool {}{}: runs {}, wants {} more. {}", called(scene, framework),
                     framework.pool.empty() ? "root" : framework.pool,
                     framework.user.empty() ? "" : " and user " + framework.user,
                     count(has.running, fmt::format("{} slot", kind.name())),
                     demand_text(scene.wants(framework, kind)),
                     upper(obstacle_of(scene, framework, kind, "it").sentence));
}

Explanation explain_framework(Account account, const FrameworkScene& framework) {
  const auto& scene = account.scene();
  const auto pressing = pressing_kind(scene, framework);
  account.about(fmt::format("framework {}", called(scene, framework)));
  account.fact("pool", framework.pool);
  if (!framework.id.value.is_nil()) account.fact("id", to_hex(framework.id.value));
  if (!framework.user.empty()) account.fact("user", framework.user);
  account.fact("priority", std::string(enum_name(kPriorities, framework.priority)));
  account.fact("kind", std::string(pressing.name()));
  auto obstacle = obstacle_of(scene, framework, pressing, "it");
  account.answer(obstacle.cause, upper(std::move(obstacle.sentence)));
  for (const auto kind : scene.kinds) {
    const bool counts = scene.wants(framework, kind) > 0 || scene.has(framework, kind).running > 0;
    if (counts && kind != pressing) account.mention_share(framework, kind);
  }
  account.state_share(framework, pressing);
  state_jobs(account, framework);
  account.state_offers(framework, pressing);
  if (framework.rules) account.part("policy", framework.rules->policy);
  account.state_hidden(framework, pressing);
  account.state_free(framework, pressing);
  account.state_deficit(account.shortage().of(framework.number, pressing), pressing);
  if (framework.preempted > 0) {
    account.part("preempted", fmt::format("it was told to give back {} for starved pools so far",
                                          count(framework.preempted, "slot")));
  }
  return account.take();
}

}  // namespace proffer::study::why
