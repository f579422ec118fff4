// Finds what is asked about, and explains it.
#include "proffer/study/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "proffer/formats/nearest.hpp"
#include "study/why/explain.hpp"

namespace proffer::study {
namespace {

using why::FrameworkScene;
using why::Scene;

constexpr std::size_t kNamed = 5;

/// "FRAMEWORK/ID" or "ID".
struct Path {
  std::string framework;  // empty: any
  std::string id;
};
Path path_of(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

template <class Id>
struct Found {
  const FrameworkScene* framework = nullptr;
  Id id;
};

/// Jobs are asked for by name or by number.
bool is_called(const std::string& text, JobId id, const std::string& name) {
  return name == text || std::to_string(id.value) == text;
}

std::optional<Found<JobId>> find_job(const Scene& scene, const Path& path) {
  std::optional<Found<JobId>> newest;
  std::optional<Time> came;
  for (const auto& [name, framework] : scene.frameworks) {
    if (!path.framework.empty() && name != path.framework) continue;
    for (const auto& [id, job] : framework.jobs) {
      if (!is_called(path.id, id, job.name) || (came && job.queued < came)) continue;
      newest = Found<JobId>{&framework, id};
      came = job.queued;
    }
  }
  return newest;
}

std::optional<Found<TaskId>> find_task(const Scene& scene, const Path& path) {
  std::optional<Found<TaskId>> newest;
  for (const auto& [name, framework] : scene.frameworks) {
    if (!path.framework.empty() && name != path.framework) continue;
    const auto at = framework.tasks.find(TaskId{path.id});
    if (at == framework.tasks.end()) continue;
    const auto begun = [](const Found<TaskId>& found) { return found.framework->tasks.at(found.id).queued; };
    const Found<TaskId> found{&framework, at->first};
    if (!newest || begun(*newest) < begun(found)) newest = found;
  }
  return newest;
}

std::string pool_name(const std::string& id) { return id == "root" || id == "(root)" ? "" : id; }

std::vector<std::string> all_of(const Scene& scene, WhyKind kind) {
  std::vector<std::string> names;
  if (kind == WhyKind::pool) {
    for (const auto& pool : scene.tree.pools(Kind("any")))
      names.push_back(pool.name.empty() ? "root" : pool.name);
    return names;
  }
  for (const auto& [name, framework] : scene.frameworks) {
    if (kind == WhyKind::framework) names.push_back(name);
    if (kind == WhyKind::job) {
      for (const auto& [id, job] : framework.jobs) names.push_back(name + "/" + job.name);
    }
    if (kind == WhyKind::task) {
      for (const auto& [id, task] : framework.tasks) names.push_back(name + "/" + id.value);
    }
  }
  return names;
}

/// The nearest few, the likeliest first.
Error nothing_of(const Scene& scene, const WhySubject& subject) {
  const auto what = kWhyKinds.at(static_cast<std::size_t>(subject.kind));
  auto names = all_of(scene, subject.kind);
  if (names.empty()) {
    return {ErrorCode::not_found,
            fmt::format("this event log knows no {}s: it needs the lines of their frameworks", what)};
  }
  const auto distance = [&](const std::string& name) {
    const bool whole = subject.id.find('/') != std::string::npos;
    const auto at = whole ? std::string::npos : name.find('/');
    return formats::edit_distance(subject.id, at == std::string::npos ? name : name.substr(at + 1));
  };
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (auto& name : names) ranked.emplace_back(distance(name), std::move(name));
  const auto most = std::min(ranked.size(), kNamed);
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most), ranked.end());
  std::string nearest;
  for (std::size_t i = 0; i < most; ++i) nearest += (i == 0 ? "" : ", ") + ranked[i].second;
  return {ErrorCode::not_found,
          fmt::format("there is no {} {}; the nearest of {}: {}", what, subject.id, ranked.size(), nearest)};
}

}  // namespace

struct Why::Impl {
  WhySubject subject;
  Scene scene;
  why::Shortage shortage;

  /// The framework in question is watched; of several, that of the last so called.
  void watch() {
    const auto path = path_of(subject.id);
    if (subject.kind == WhyKind::pool) return shortage.watch(pool_name(subject.id), true);
    if (subject.kind == WhyKind::framework) return shortage.watch(subject.id, false);
    if (!path.framework.empty()) return shortage.watch(path.framework, false);
  }
  void watch(const std::string& source, const Trace& trace) {
    if (!source.starts_with("framework ") || !path_of(subject.id).framework.empty()) return;
    const auto* job = std::get_if<JobQueued>(&trace);
    const auto* task = std::get_if<TaskQueued>(&trace);
    const bool is_its =
        (subject.kind == WhyKind::job && job != nullptr && is_called(subject.id, job->job, job->name)) ||
        (subject.kind == WhyKind::task && task != nullptr && task->task.value == subject.id);
    if (is_its) shortage.watch(source.substr(source.find(' ') + 1), false);
  }
};

Why::Why(WhySubject subject) : impl_(std::make_unique<Impl>()) {
  impl_->subject = std::move(subject);
  impl_->watch();
}
Why::~Why() = default;

void Why::line(const TraceLine& line) {
  impl_->watch(line.source, line.trace);
  impl_->shortage.until(impl_->scene, line.time);
  impl_->scene.line(line);
}

Result<Explanation> Why::explain(Time now) {
  auto& [subject, scene, shortage] = *impl_;
  shortage.until(scene, now);
  scene.now = std::max(scene.now, now);
  why::Account account(scene, shortage);
  if (subject.kind == WhyKind::pool) {
    const auto pool = pool_name(subject.id);
    if (scene.tree.has_pool(pool)) return why::explain_pool(std::move(account), pool);
  } else if (subject.kind == WhyKind::framework) {
    const auto at = scene.frameworks.find(subject.id);
    if (at != scene.frameworks.end()) return why::explain_framework(std::move(account), at->second);
  } else if (subject.kind == WhyKind::job) {
    const auto found = find_job(scene, path_of(subject.id));
    if (found) return why::explain_job(std::move(account), *found->framework, found->id);
  } else if (const auto found = find_task(scene, path_of(subject.id))) {
    return why::explain_task(std::move(account), *found->framework, found->id);
  }
  return nothing_of(scene, subject);
}

}  // namespace proffer::study
