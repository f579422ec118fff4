// One function a command; each returns an exit code.
#pragma once

#include "cli/options.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::cli {

int run_daemon(const DaemonOptions& options);
int run_dev(const DevOptions& options);
int run_command(const RunOptions& options);
int run_mr(const MrOptions& options);
int run_store(const StoreOptions& options);
int run_list(const ListOptions& options);
int run_ui(const UiOptions& options);
int run_agent_command(const AgentOptions& options);
int run_completion(const CompletionOptions& options);
int run_complete(const CompleteOptions& options);
int run_man(const ManOptions& options);
int run_why(const WhyOptions& options);

}  // namespace proffer::cli
