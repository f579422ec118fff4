// What the sources share that read the command line.
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

/// A number from 0 to 1, both included.
CLI::Validator a_part();
/// A whole number, both bounds included.
CLI::Validator whole(std::int64_t least, std::int64_t most);
/// One of these words.
CLI::Validator one_of(const std::vector<std::string>& known);

void add_format(CLI::App& app, Format& format);
void add_plugins(CLI::App& app, std::vector<std::string>& files);
/// Those that study and explain, and pools.
void add_study_commands(CLI::App& root, Command& command);

}  // namespace proffer::cli
