#include "cli/claims.hpp"

#include <algorithm>
#include <string>

namespace proffer::cli {
namespace {

Result<> found(live::CatalogClient& catalog, const std::string& path) {
  const auto answer = catalog.ask(ListFiles{0, path, false});
  return answer ? Result<>() : answer.error();
}

bool is_output(const std::vector<JobSpec>& jobs, const std::string& path) {
  return std::any_of(jobs.begin(), jobs.end(), [&](const JobSpec& job) {
    return path == job.output || path.starts_with(job.output + "/");
  });
}

Result<> claim(live::CatalogClient& catalog, const JobSpec& job) {
  const auto there = found(catalog, job.output);
  if (there) return Error{ErrorCode::exists, "the output " + job.output + " exists"};
  if (there.error().code != ErrorCode::not_found) return there.error();
  const auto path = output_claim(job.output);
  const auto made = catalog.ask(CreateFile{0, path, job.replication});
  if (!made && made.error().code == ErrorCode::exists) {
    return Error{ErrorCode::exists,
                 "the output " + job.output + " exists, or another job is about to write it"};
  }
  if (!made) return made.error();
  const auto settled = catalog.ask(CompleteFile{0, path});
  if (settled) return {};
  release_outputs(catalog, {&job, 1});
  return settled.error();
}

}  // namespace

Result<> check_inputs(live::CatalogClient& catalog, const std::vector<JobSpec>& jobs) {
  for (const auto& job : jobs) {
    auto wanted = job.inputs;
    for (const auto& file : job.cached) wanted.push_back(file.path);
    for (const auto& path : wanted) {
      if (is_output(jobs, path)) continue;
      const auto there = found(catalog, path);
      if (there) continue;
      return Error{there.error().code, "the input " + path + " cannot be read: " + there.error().message};
    }
  }
  return {};
}

Result<> claim_outputs(live::CatalogClient& catalog, const std::vector<JobSpec>& jobs) {
  const std::span<const JobSpec> all(jobs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto claimed = claim(catalog, all[i]);
    if (claimed) continue;
    release_outputs(catalog, all.first(i));
    return claimed;
  }
  return {};
}

void release_outputs(live::CatalogClient& catalog, std::span<const JobSpec> jobs) {
  for (const auto& job : jobs) {
    static_cast<void>(catalog.ask(RemoveFiles{0, output_workshop(job.output)}));  // nothing there is as good
  }
}

}  // namespace proffer::cli
