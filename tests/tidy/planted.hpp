// A planted case: a tree of one or two files, and what a rule says of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {

using Rule = Findings (*)(const Tree&);

inline std::vector<std::string> said(const Findings& findings) {
  std::vector<std::string> lines;
  for (const auto& finding : findings) lines.push_back(to_string(finding));
  return lines;
}

/// Returns what `rule` finds in files given as path and text.
inline std::vector<std::string> planted(Rule rule, std::vector<std::pair<std::string, std::string>> files) {
  Tree tree;
  for (auto& [path, text] : files) tree.emplace_back(std::move(path), std::move(text));
  return said(rule(tree));
}
inline std::vector<std::string> planted(Rule rule, std::string path, std::string text) {
  return planted(rule, {{std::move(path), std::move(text)}});
}

}  // namespace proffer::tidy
