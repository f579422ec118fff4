// The face of the explanations: finds what is asked about, and explains it.
#include "proffer/study/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "study/why/explain.hpp"
#include "study/why/naming.hpp"
#include "study/why/words.hpp"

namespace proffer::study {
namespace {

using why::FrameworkScene;
using why::Scene;

/// "the first 5000 lines of the allocator"; "" where none is missing.
std::string missing_text(const why::LogHole& hole, const std::string& whose) {
  if (hole.lines() == 0) return "";
  const auto lines = hole.lines() == 1 ? std::string("line") : fmt::format("{} lines", hole.lines());
  return fmt::format("the {}{} of {}", hole.later == 0 ? "first " : "", lines, whose);
}

/// Returns words for what the log lacks that an explanation rests upon; empty: nothing.
std::string lacks_text(const Scene& scene, const FrameworkScene* framework) {
  auto text = missing_text(scene.holes.of("allocator"), "the allocator");
  if (framework == nullptr) return text;
  const auto own = missing_text(scene.holes.of("framework " + framework->name), framework->name);
  if (!text.empty() && !own.empty()) text += " and ";
  return text + own;
}

void warn(Explanation& explained, const Scene& scene, const FrameworkScene* framework) {
  const auto lacks = lacks_text(scene, framework);
  if (lacks.empty()) return;
  explained.answer = fmt::format("The event log lacks {}, so this may be wrong: {}", lacks, explained.answer);
  const auto own = framework == nullptr ? why::LogHole{} : scene.holes.of("framework " + framework->name);
  explained.facts.emplace_back("log.missing",
                               static_cast<std::int64_t>(scene.holes.of("allocator").lines() + own.lines()));
}

/// Others that were meant as likely, since they are there as well.
void tell_others(Explanation& explained, const Scene& scene,
                 const std::vector<const FrameworkScene*>& found) {
  const auto there = std::count_if(found.begin(), found.end(), [](const auto* f) { return f->present(); });
  const auto& name = found[0]->name;
  const auto gone = static_cast<std::ptrdiff_t>(found.size()) - there;
  if (there == 0 && gone > 1) {
    explained.answer += fmt::format(" {} frameworks were called {}; this was the last of them.", gone, name);
  } else if (there == 1 && gone > 0) {
    explained.answer += fmt::format(" Before it {} called {}, and ended.",
                                    gone == 1 ? "another was" : fmt::format("{} others were", gone), name);
  }
  if (there < 2) return;
  explained.answer += fmt::format(" {} frameworks are called {}; of the others see below.", there, name);
  explained.facts.emplace_back("alike", there);
  for (const auto* framework : found) {
    if (framework != found.front() && framework->present()) {
      explained.parts.push_back({"another", why::introduce(scene, *framework)});
    }
  }
}

}  // namespace

struct Why::Impl {
  WhySubject subject;
  Scene scene;
  why::Shortage shortage;
  std::map<FrameworkId, Time> came;

  /// The framework in question is watched; of several, that of the last so called.
  void watch() {
    const auto path = why::path_of(subject.id);
    if (subject.kind == WhyKind::pool) return shortage.watch(why::pool_name(subject.id), true);
    if (subject.kind == WhyKind::framework) return shortage.watch(subject.id, false);
    if (!path.framework.empty()) return shortage.watch(path.framework, false);
  }
  void watch(const std::string& source, const Trace& trace) {
    if (!source.starts_with("framework ") || !why::path_of(subject.id).framework.empty()) return;
    const auto* job = std::get_if<JobQueued>(&trace);
    const auto* task = std::get_if<TaskQueued>(&trace);
    const bool is_its = (subject.kind == WhyKind::job && job != nullptr &&
                         (job->name == subject.id || std::to_string(job->job.value) == subject.id)) ||
                        (subject.kind == WhyKind::task && task != nullptr && task->task.value == subject.id);
    if (is_its) shortage.watch(source.substr(source.find(' ') + 1), false);
  }

  Result<Explanation> explain() const {
    if (subject.kind == WhyKind::pool) return explain_pool();
    if (subject.kind == WhyKind::framework) return explain_framework();
    if (subject.kind == WhyKind::job) return explain_job();
    return explain_task();
  }

 private:
  why::Account account() const { return {scene, shortage}; }

  Result<Explanation> nothing() const {
    auto error = why::nothing_of(scene, subject);
    const auto lacks = lacks_text(scene, nullptr);
    if (!lacks.empty()) error.message += fmt::format("; the event log lacks {}", lacks);
    return error;
  }

  Result<Explanation> explain_pool() const {
    const auto pool = why::pool_name(subject.id);
    if (!scene.tree.has_pool(pool)) return nothing();
    auto explained = why::explain_pool(account(), pool);
    warn(explained, scene, nullptr);
    return explained;
  }

  Result<Explanation> explain_framework() const {
    const auto found = why::find_frameworks(scene, subject.id);
    if (found.empty()) return nothing();
    auto explained = why::explain_framework(account(), *found.front());
    tell_others(explained, scene, found);
    warn(explained, scene, found.front());
    return explained;
  }

  Result<Explanation> explain_job() const {
    const auto found = why::find_jobs(scene, why::path_of(subject.id));
    if (found.empty()) return nothing();
    const auto& [framework, id] = found.front();
    auto explained = why::explain_job(account(), *framework, id);
    for (const auto& [other, its] : found) {
      const auto& job = other->jobs.at(its);
      if (&job == &framework->jobs.at(id) || job.finished || !other->present()) continue;
      explained.parts.push_back(
          {"another", fmt::format("job {} of {}: {} of its tasks wait, {} run", job.name,
                                  why::called(scene, *other), job.waiting.size(), job.running.size())});
    }
    warn(explained, scene, framework);
    return explained;
  }

  Result<Explanation> explain_task() const {
    const auto found = why::find_tasks(scene, why::path_of(subject.id));
    if (found.empty()) return nothing();
    auto explained = why::explain_task(account(), *found.front().framework, found.front().id);
    warn(explained, scene, found.front().framework);
    return explained;
  }
};

Why::Why(WhySubject subject) : impl_(std::make_unique<Impl>()) {
  impl_->subject = std::move(subject);
  impl_->watch();
}
Why::~Why() = default;

void Why::line(const TraceLine& line) {
  if (const auto* trace = std::get_if<FrameworkSubscribed>(&line.trace)) {
    impl_->came.try_emplace(trace->framework, line.time);
  }
  // The shortage is counted before the line changes the scene: until the line's time things were as they are.
  impl_->watch(line.source, line.trace);
  impl_->shortage.until(impl_->scene, line.time);
  impl_->scene.line(line);
}

std::optional<Why::Heard> Why::heard(FrameworkId framework) const {
  const auto at = impl_->came.find(framework);
  if (at == impl_->came.end()) return {};
  const auto& all = impl_->scene.frameworks;
  return Heard{at->second, std::any_of(all.begin(), all.end(), [&](const auto& known) {
                 return known.second.id == framework && (known.second.rules || !known.second.jobs.empty());
               })};
}

Result<Explanation> Why::explain(Time now) {
  impl_->shortage.until(impl_->scene, now);
  impl_->scene.now = std::max(impl_->scene.now, now);
  return impl_->explain();
}

}  // namespace proffer::study
