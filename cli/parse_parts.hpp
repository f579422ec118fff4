// The parts that are shared by the sources which read the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace proffer::cli {

template <class Options>
void choose(Command& command, const std::shared_ptr<Options>& options) {
  command = *options;
}

/// Checks for a number from 0 to 1, both included.
CLI::Validator a_part();
/// Checks for a whole number, both bounds included.
CLI::Validator whole(std::int64_t least, std::int64_t most);
/// Checks for one of these words.
CLI::Validator one_of(const std::vector<std::string>& known);

void add_format(CLI::App& app, Format& format);
void add_plugins(CLI::App& app, std::vector<std::string>& files);
/// Adds the commands about agents of a running cluster below that of the daemon.
void add_agent_commands(CLI::App& agent, Command& command);
/// Adds `list` below a command about things of the cluster; `list`: agents, frameworks, pools or tasks.
void add_list_verb(CLI::App& above, Command& command, const std::string& list);
void add_lists(CLI::App& root, Command& command);
void add_status(CLI::App& root, Command& command);
/// Adds the commands that study and explain, and those of pools.
void add_study_commands(CLI::App& root, Command& command);

}  // namespace proffer::cli
