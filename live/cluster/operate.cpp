#include "proffer/live/operate.hpp"

#include <optional>
#include <utility>

#include "live/cluster/ask.hpp"
#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"

namespace proffer::live {
namespace {

/// Messages by which operators change something.
using OfOperators = Types<ChangePool, ReloadPools, MoveFramework, KillJob, MoveJob, ChangeAgent, SubmitJob>;

}  // namespace

Result<AdminDone> operate(Context& context, const std::string& allocator_endpoint, Message change,
                          Duration timeout) {
  PROFFER_CHECK(holds_one_of(OfOperators{}, change), "operate() takes what operators say");
  set_request(change, kRequest);
  std::optional<AdminDone> done;
  const auto take = [&](Message& answer) {
    auto* mine = std::get_if<AdminDone>(&answer);
    if (mine != nullptr && mine->request == kRequest) done = std::move(*mine);
    return done.has_value();
  };
  auto asked = ask_allocator(context, allocator_endpoint, std::move(change), timeout, take, [] {});
  if (!asked) return asked.error();
  if (done->error) return *done->error;
  return std::move(*done);
}

Result<std::vector<DetachedJob>> detached_jobs(Context& context, const std::string& allocator_endpoint,
                                               const std::string& id, Duration timeout) {
  std::optional<Error> refused;
  std::vector<DetachedJob> jobs;
  const auto take = [&](Message& answer) {
    if (request_of(answer) != kRequest) return false;
    if (const auto* done = std::get_if<AdminDone>(&answer)) refused = done->error;
    auto* found = std::get_if<DetachedJobs>(&answer);
    if (found != nullptr) jobs = std::move(found->jobs);
    return found != nullptr || refused.has_value();
  };
  auto asked = ask_allocator(context, allocator_endpoint, DescribeJobs{kRequest, id}, timeout, take, [] {});
  if (!asked) return asked.error();
  if (refused) return *refused;
  return jobs;
}

}  // namespace proffer::live
