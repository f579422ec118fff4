// The man page of a command, made from its help.
#pragma once

#include <string>
#include <vector>

#include "cli/command_words.hpp"

namespace proffer::cli {

struct ManPage {
  std::string name;  ///< "proffer-policy-new"
  std::string text;  ///< man(7)
};

/// Returns a page for the program, and one for each of its commands and of those below, which people may see.
std::vector<ManPage> man_pages(const CommandWords& root, const std::string& version);

}  // namespace proffer::cli
