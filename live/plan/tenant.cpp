// The process of a tenant.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/run_plan.hpp"
#include "proffer/study/plan_rules.hpp"
#include "proffer/study/scaled.hpp"
#include "proffer/study/tenant_config.hpp"

namespace proffer::live {
namespace {

void print_line(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

/// The jobs that the tenant was told of, and what becomes of them.
class Jobs final : public JobObserver {
 public:
  explicit Jobs(const study::Plan& plan) : plan_(plan) {}

  /// A start-up of the plan is waited for within the task.
  void submit(MapReduce& scheduler, std::uint32_t number) {
    auto spec = study::job_spec(plan_, plan_.workload.jobs.at(number), random_token());
    for (auto* tasks : {&spec.synthetic->maps, &spec.synthetic->reduces}) {
      for (auto& task : *tasks) task.compute += plan_.cost.start_up;
    }
    const auto job = scheduler.submit(std::move(spec));
    if (job) {
      numbers_[*job] = number;
    } else {
      print_line(fmt::format("failed {} {}", number, job.error().message));
    }
  }

  void job_ended(const JobReport& report) override {
    const auto number = numbers_.at(report.progress.job);
    print_line(report.ok ? fmt::format("ended {}", number)
                         : fmt::format("failed {} {}", number, one_line(report.why)));
  }

 private:
  static std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  const study::Plan& plan_;
  std::map<JobId, std::uint32_t> numbers_;
};

/// "submit N" lines from standard input; its end is a request to stop.
class Orders {
 public:
  Orders(const study::Plan& plan, Jobs& jobs, MapReduce& scheduler, Stop& stop)
      : plan_(plan), jobs_(jobs), scheduler_(scheduler), stop_(stop) {}

  void read() {
    std::array<char, 4096> chunk{};
    const auto n = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n <= 0) return stop_.request();
    buffer_.append(chunk.data(), static_cast<std::size_t>(n));
    for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
      follow(std::string_view(buffer_).substr(0, end));
      buffer_.erase(0, end + 1);
    }
  }

 private:
  void follow(std::string_view line) {
    constexpr std::string_view kSubmit = "submit ";
    std::uint32_t number = 0;
    if (!line.starts_with(kSubmit)) return;
    line.remove_prefix(kSubmit.size());
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    if (read.ec == std::errc{} && number < plan_.workload.jobs.size()) jobs_.submit(scheduler_, number);
  }

  const study::Plan& plan_;
  Jobs& jobs_;
  MapReduce& scheduler_;
  Stop& stop_;
  std::string buffer_;
};

}  // namespace

Result<> run_tenant(const study::Plan& whole, const TenantConfig& config, Stop& stop) {
  const auto plan = study::scaled(whole, config.time_scale);
  const auto framework = std::find_if(plan.frameworks.begin(), plan.frameworks.end(),
                                      [&](const auto& one) { return one.name == config.framework; });
  if (framework == plan.frameworks.end()) {
    return Error{ErrorCode::not_found, "the plan has no framework " + config.framework};
  }
  Jobs jobs(plan);
  const auto scheduler = MapReduce::make(study::config_of(*framework), &jobs);
  if (!scheduler) return scheduler.error();
  Orders orders(plan, jobs, **scheduler, stop);
  FrameworkHostConfig host;
  host.framework.name = framework->name;
  host.framework.pool = framework->pool;
  host.framework.user = framework->user;
  host.framework.priority = framework->priority;
  host.allocator = config.allocator;
  host.event_log = config.event_log;
  host.input = STDIN_FILENO;
  host.read_input = [&orders] { orders.read(); };
  print_line("ready");
  Context context;
  const auto end = run_framework(context, host, **scheduler, stop);
  if (!end) return end.error();
  if ((*scheduler)->refused()) return *(*scheduler)->refused();
  return {};
}

}  // namespace proffer::live
