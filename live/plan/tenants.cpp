#include "live/plan/tenants.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "live/cluster/child_end.hpp"
#include "live/cluster/last_line.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

constexpr Duration kPlanReadTimeout = std::chrono::seconds(60);
constexpr Duration kDismissTimeout = std::chrono::seconds(10);

/// "ended 17" or "failed 17 WHY"; none for anything else.
std::optional<JobEnd> parse_end(std::string_view line) {
  const bool failed = line.starts_with("failed ");
  if (!failed && !line.starts_with("ended ")) return {};
  line.remove_prefix(line.find(' ') + 1);
  JobEnd end;
  const auto number = std::from_chars(line.data(), line.data() + line.size(), end.job);
  if (number.ec != std::errc{}) return {};
  if (failed) end.why = std::string(number.ptr, line.data() + line.size());
  return end;
}

}  // namespace

Result<Tenants> Tenants::start(const study::Plan& plan, const PlanCluster& cluster,
                               const LiveOptions& options) {
  Tenants tenants(plan);
  for (const auto& framework : plan.frameworks) {
    if (auto added = tenants.add(framework, cluster, options); !added) return added.error();
  }
  for (auto& tenant : tenants.tenants_) {
    if (!tenant.child.read_line(kPlanReadTimeout)) return tenants.gone(tenant);
  }
  return tenants;
}

Result<> Tenants::add(const study::PlanFramework& framework, const PlanCluster& cluster,
                      const LiveOptions& options) {
  // Folders are named by number: a framework's name need not be one of a file.
  const auto folder = fmt::format("{}/tenants/{}", options.dir, tenants_.size());
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorCode::io, fmt::format("cannot make {}: {}", folder, failed.message())};
  auto command = options.tenant;
  command.insert(command.end(), {"--framework", framework.name, "--allocator", cluster.allocator_endpoint(),
                                 "--event-log", folder + "/events.jsonl"});
  auto child = Child::start(command, folder + "/log", Child::Input::lines);
  if (!child) return child.error();
  by_name_[framework.name] = tenants_.size();
  tenants_.push_back({framework.name, folder, std::move(*child)});
  return {};
}

Result<> Tenants::submit(std::uint32_t job) {
  auto& tenant = tenants_[by_name_.at(plan_->workload.jobs.at(job).framework)];
  if (!tenant.child.write_line(fmt::format("submit {}", job))) return gone(tenant);
  return {};
}

void Tenants::wait(const Stop& stop, Duration at_most) const {
  std::vector<Poller::Wanted> wanted{{nullptr, stop.fd()}};
  for (const auto& tenant : tenants_) wanted.push_back({nullptr, tenant.child.output_fd()});
  Poller().wait(wanted, at_most);
}

Result<std::vector<JobEnd>> Tenants::take_ends() {
  std::vector<JobEnd> ends;
  for (auto& tenant : tenants_) {
    auto line = tenant.child.read_line(Duration::zero());
    for (; line; line = tenant.child.read_line(Duration::zero())) {
      if (auto end = parse_end(*line)) ends.push_back(std::move(*end));
    }
    if (line.error().code != ErrorCode::timed_out) return gone(tenant);
  }
  return ends;
}

Result<> Tenants::dismiss() {
  for (auto& tenant : tenants_) tenant.child.close_input();
  const auto deadline = steady_now() + kDismissTimeout;
  Result<> all;
  for (auto& tenant : tenants_) {
    auto ended = clean_end("framework " + tenant.name, tenant.child, deadline, tenant.folder + "/log");
    if (all) all = std::move(ended);
  }
  return all;
}

std::vector<std::string> Tenants::event_logs() const {
  std::vector<std::string> logs;
  for (const auto& tenant : tenants_) logs.push_back(tenant.folder + "/events.jsonl");
  return logs;
}

Error Tenants::gone(const Tenant& tenant) const {
  const auto why = last_line(tenant.folder + "/log");
  return {ErrorCode::io, fmt::format("framework {} has ended before its jobs{}{}", tenant.name,
                                     why.empty() ? "" : ": ", why)};
}

}  // namespace proffer::live
