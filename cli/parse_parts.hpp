// What the sources share that read the command line.
#pragma once

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

/// A number from 0 to 1, both included.
CLI::Validator a_part();

void add_format(CLI::App& app, Format& format);
void add_plugins(CLI::App& app, std::vector<std::string>& files);
/// Those that study and explain, and pools.
void add_study_commands(CLI::App& root, Command& command);

}  // namespace proffer::cli
