// The meaning of the words of a question: names need not be unique.
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

/// Returns whether a text is the name of a framework, or begins its id with eight or more digits.
bool is_called(const FrameworkScene& framework, const std::string& text);
/// Returns whether a text is the name or the number of a job.
bool is_called(const JobScene& job, JobId id, const std::string& text);
/// Returns the name of a pool; "" for the root, which has several names.
std::string pool_name(const std::string& text);

template <class Id>
struct Found {
  const FrameworkScene* framework = nullptr;
  Id id;
};
/// Each finds those that a name fits, the likeliest first: who is there before who is gone, who waits before
/// who does not, the newest before older ones.
std::vector<const FrameworkScene*> find_frameworks(const Scene& scene, const std::string& name);
std::vector<Found<JobId>> find_jobs(const Scene& scene, const Path& path);
std::vector<Found<TaskId>> find_tasks(const Scene& scene, const Path& path);

/// `not_found`, with the nearest that there are.
Error nothing_of(const Scene& scene, const WhySubject& subject);

}  // namespace proffer::study::why
