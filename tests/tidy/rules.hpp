// The rules. Each looks at the whole tree (a planted case is a tree of one or two files) and says what breaks
// it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/tidy/source.hpp"

namespace proffer::tidy {

using Tree = std::vector<Source>;

/// Includes only point down the floors; rooms on one floor, and the parts of frameworks/, are blind to each
/// other; a room's private headers are its own (and its tests').
Findings check_floors(const Tree& tree);

/// Machines and vocabulary never call what would make a run impossible to repeat.
Findings check_banned_calls(const Tree& tree);

/// No order of hash containers, and no order of addresses, on floors 0 and 1.
Findings check_order(const Tree& tree);

/// Headers that cost seconds stand in the rooms that need them, in one source of each.
Findings check_costly_headers(const Tree& tree);

/// Functions up to 70 lines, files up to 600, classes up to 20 data members and 30 functions.
Findings check_sizes(const Tree& tree);

/// No absolute path of somebody's machine, no note about work that is still to be done, no comment in code
/// that is wider than 110 columns.
Findings check_text(const Tree& tree);

/// Every document that is referred to is in the repository, and has the section that is named; so is every
/// file or folder that a page names in backquotes.
Findings check_references(const Tree& tree);

/// Lines of pages up to 120 columns, but in tables and fences; cells of tables up to 200 characters.
Findings check_pages(const Tree& tree);

/// Private code stands in the namespace of its folder, and no two files define a type of one name.
Findings check_namespaces(const Tree& tree);

/// Each bug of tests/planted/ says what it does, applies to the tree, and stands in the last table of
/// docs/FAILURES.md, which names no others.
Findings check_bugs(const Tree& tree);

/// Every source is in `compiled` (paths relative to the root).
Findings check_all_built(const Tree& tree, const std::set<std::string>& compiled);

}  // namespace proffer::tidy
