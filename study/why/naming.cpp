#include "study/why/naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "proffer/names.hpp"
#include "proffer/nearest.hpp"
#include "study/why/shortage.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

constexpr std::size_t kNamed = 5;
constexpr std::size_t kDigits = 8;

bool is_within(const FrameworkScene& framework, const Path& path) {
  return path.framework.empty() || is_called(framework, path.framework);
}

/// Ranks a framework by how likely a question is about it: one that is there, wants more, and lacks most.
auto need_of(const Scene& scene, const FrameworkScene& framework) {
  double lacks = 0;
  bool wants = false;
  if (!framework.present()) return std::tuple(false, wants, lacks, framework.number);
  for (const auto kind : scene.kinds) {
    lacks += standing_of(scene, framework, kind).lacks.all;
    wants = wants || scene.wants(framework, kind) > 0;
  }
  return std::tuple(framework.present(), wants, lacks, framework.number);
}

template <class Item, class Rank>
void sort_by(std::vector<Item>& items, const Rank& rank) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return rank(b) < rank(a); });
}

std::vector<std::string> all_of(const Scene& scene, WhyKind kind) {
  std::vector<std::string> names;
  if (kind == WhyKind::pool) {
    for (const auto& pool : scene.tree.pools(Kind("any")))
      names.push_back(pool.name.empty() ? "root" : pool.name);
    return names;
  }
  for (const auto& [number, framework] : scene.frameworks) {
    const auto& name = framework.name;
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

}  // namespace

Path path_of(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

bool is_called(const FrameworkScene& framework, const std::string& text) {
  if (framework.name == text) return true;
  if (text.size() < kDigits || text.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
  return !framework.id.value.is_nil() && to_hex(framework.id.value).starts_with(text);
}

bool is_called(const JobScene& job, JobId id, const std::string& text) {
  return job.name == text || std::to_string(id.value) == text;
}

std::string pool_name(const std::string& text) { return text == "root" || text == "(root)" ? "" : text; }

std::vector<const FrameworkScene*> find_frameworks(const Scene& scene, const std::string& name) {
  std::vector<const FrameworkScene*> found;
  for (const auto& [number, framework] : scene.frameworks) {
    if (is_called(framework, name)) found.push_back(&framework);
  }
  sort_by(found, [&](const auto* framework) { return need_of(scene, *framework); });
  return found;
}

std::vector<Found<JobId>> find_jobs(const Scene& scene, const Path& path) {
  std::vector<Found<JobId>> found;
  for (const auto& [number, framework] : scene.frameworks) {
    if (!is_within(framework, path)) continue;
    for (const auto& [id, job] : framework.jobs) {
      if (is_called(job, id, path.id)) found.push_back({&framework, id});
    }
  }
  sort_by(found, [](const Found<JobId>& at) {
    const auto& job = at.framework->jobs.at(at.id);
    const bool waits = !job.finished && (!job.waiting.empty() || !job.begun);
    return std::tuple(!job.finished && at.framework->present(), waits, job.queued);
  });
  return found;
}

std::vector<Found<TaskId>> find_tasks(const Scene& scene, const Path& path) {
  std::vector<Found<TaskId>> found;
  for (const auto& [number, framework] : scene.frameworks) {
    if (!is_within(framework, path)) continue;
    const auto at = framework.tasks.find(TaskId{path.id});
    if (at != framework.tasks.end()) found.push_back({&framework, at->first});
  }
  sort_by(found, [](const Found<TaskId>& at) {
    const auto& task = at.framework->tasks.at(at.id);
    return std::tuple(at.framework->present(), task.waits(), task.queued);
  });
  return found;
}

Error nothing_of(const Scene& scene, const WhySubject& subject) {
  const auto what = enum_name(kWhyKinds, subject.kind);
  auto names = all_of(scene, subject.kind);
  if (names.empty()) {
    return {ErrorCode::not_found,
            fmt::format("this event log knows no {}s: it needs the lines of their frameworks", what)};
  }
  const auto distance = [&](const std::string& name) {
    const bool whole = subject.id.find('/') != std::string::npos;
    const auto at = whole ? std::string::npos : name.find('/');
    return edit_distance(subject.id, at == std::string::npos ? name : name.substr(at + 1));
  };
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (auto& name : names) ranked.emplace_back(distance(name), std::move(name));
  const auto most = std::min(ranked.size(), kNamed);
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most), ranked.end());
  std::string nearest;
  for (std::size_t i = 0; i < most; ++i) nearest += (i == 0 ? "" : ", ") + ranked[i].second;
  return {ErrorCode::not_found,
          fmt::format("there is no {} {}; the nearest of {}{}: {}", what, subject.id, ranked.size(),
                      subject.kind == WhyKind::task ? ", as FRAMEWORK/TASK" : "", nearest)};
}

}  // namespace proffer::study::why
