// The proffer command.
#include <variant>

#include "cli/commands.hpp"
#include "cli/study_commands.hpp"
#include "proffer/live/process_policy.hpp"

namespace {

using namespace proffer::cli;

struct Runner {
  int operator()(const Done& done) const { return done.exit_code; }
  int operator()(const DaemonOptions& options) const { return run_daemon(options); }
  int operator()(const DevOptions& options) const { return run_dev(options); }
  int operator()(const RunOptions& options) const { return run_command(options); }
  int operator()(const MrOptions& options) const { return run_mr(options); }
  int operator()(const StoreOptions& options) const { return run_store(options); }
  int operator()(const ListOptions& options) const { return run_list(options); }
  int operator()(const UiOptions& options) const { return run_ui(options); }
  int operator()(const AgentOptions& options) const { return run_agent_command(options); }
  int operator()(const SimOptions& options) const { return run_sim(options); }
  int operator()(const StormOptions& options) const { return run_sim_storm(options); }
  int operator()(const ExperimentOptions& options) const { return run_experiment(options); }
  int operator()(const PolicyOptions& options) const { return run_policy(options); }
  int operator()(const PoolOptions& options) const { return run_pool_command(options); }
  int operator()(const CompletionOptions& options) const { return run_completion(options); }
  int operator()(const CompleteOptions& options) const { return run_complete(options); }
  int operator()(const ManOptions& options) const { return run_man(options); }
  int operator()(const WhyOptions& options) const { return run_why(options); }
  int operator()(const PlanOptions& options) const { return run_plan(options); }
  int operator()(const CalibrateOptions& options) const { return run_calibrate(options); }
  int operator()(const FitOptions& options) const { return run_fit(options); }
  int operator()(const ChaosOptions& options) const { return run_chaos(options); }
  int operator()(const TenantOptions& options) const { return run_tenant(options); }
  int operator()(const OutpostOptions& options) const { return run_outpost(options); }
  int operator()(const ReportOptions& options) const { return report(options); }
  int operator()(const TraceOptions& options) const { return trace(options); }
};

}  // namespace

int main(int argc, char** argv) {
  proffer::live::add_process_policy(proffer::policy_registry());
  return std::visit(Runner{}, parse({argv + 1, argv + argc}));
}
