// What the words of a question mean: names need not be unique.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proffer/study/why.hpp"
#include "study/why/scene.hpp"

namespace proffer::study::why {

/// "FRAMEWORK/ID" or "ID".
struct Path {
  std::string framework;  // empty: any
  std::string id;
};
Path path_of(const std::string& text);

/// By name, or by the first eight or more digits of its id.
bool is_called(const FrameworkScene& framework, const std::string& text);
/// By name or by number.
bool is_called(const JobScene& job, JobId id, const std::string& text);
/// "" for the root, which has several names.
std::string pool_name(const std::string& text);

template <class Id>
struct Found {
  const FrameworkScene* framework = nullptr;
  Id id;
};
/// Of those so called, the likeliest first: who is there before who is gone, who waits before who does not,
/// the newest before older ones.
std::vector<const FrameworkScene*> find_frameworks(const Scene& scene, const std::string& name);
std::vector<Found<JobId>> find_jobs(const Scene& scene, const Path& path);
std::vector<Found<TaskId>> find_tasks(const Scene& scene, const Path& path);

/// `not_found`, with the nearest that there are.
Error nothing_of(const Scene& scene, const WhySubject& subject);

}  // namespace proffer::study::why
