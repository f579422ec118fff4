#include "proffer/study/tenant_config.hpp"

namespace proffer::study {

MapReduceConfig config_of(const PlanFramework& plan) {
  MapReduceConfig config;
  config.policy = plan.policy;
  config.sharing = plan.sharing;
  config.max_running_jobs = plan.max_running_jobs;
  config.slow_start_milli = plan.slow_start_milli;
  config.max_copying = plan.max_copying;
  config.balance_long_tasks = plan.balance_long_tasks;
  config.gather_for = plan.gather_for;
  config.map_kind = plan.map_kind;
  config.speculation = plan.speculation;
  config.stop_when_done = false;
  return config;
}

}  // namespace proffer::study
