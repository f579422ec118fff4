// The bugs of tests/planted/: each is a patch that says what it plants, still applies to the tree, and is
// named in the last table of docs/FAILURES.md.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

constexpr std::string_view kBugs = "tests/planted/";
constexpr std::string_view kEnding = ".patch";
constexpr std::string_view kPlants = "Plants: ";
constexpr std::string_view kTold = "docs/FAILURES.md";

bool is_bug(const std::string& path) { return path.starts_with(kBugs) && path.ends_with(kEnding); }

std::string name_of(const std::string& path) {
  return path.substr(kBugs.size(), path.size() - kBugs.size() - kEnding.size());
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// A place of a patch: the file, and the lines that have to stand there, with a line feed before and after
/// each.
struct Hunk {
  int line = 0;
  std::string file;
  std::string former = "\n";
};

std::vector<Hunk> hunks_of(std::string_view patch) {
  std::vector<Hunk> hunks;
  std::string file;
  int number = 0;
  for (const auto line : lines_of(patch)) {
    ++number;
    if (line.starts_with("diff ")) file.clear();
    if (line.starts_with("--- a/")) {
      file = line.substr(6);
    } else if (line.starts_with("@@ ")) {
      hunks.push_back({number, file});
    } else if (!file.empty() && !hunks.empty() && (line.starts_with(" ") || line.starts_with("-"))) {
      hunks.back().former += std::string(line.substr(1)) + "\n";
    }
  }
  return hunks;
}

/// Returns the names in the first cells of the last table of a page, with their lines.
std::map<std::string, int> names_in_last_table(const Source& page) {
  std::map<std::string, int> names;
  int number = 0;
  bool in_table = false;
  for (const auto line : lines_of(page.text())) {
    ++number;
    if (!std::exchange(in_table, line.starts_with("|"))) {
      if (in_table) names.clear();
    }
    if (!line.starts_with("| `")) continue;
    const auto end = line.find('`', 3);
    if (end != std::string_view::npos) names[std::string(line.substr(3, end - 3))] = number;
  }
  return names;
}

void check_bug(const Source& bug, const std::map<std::string, const Source*>& files, Findings& findings) {
  const auto first = bug.text().substr(0, bug.text().find('\n'));
  if (!first.starts_with(kPlants) || first.size() == kPlants.size()) {
    findings.push_back({bug.path(), 1, "its first line says what it does: \"Plants: ...\""});
  }
  const auto hunks = hunks_of(bug.text());
  if (hunks.empty()) findings.push_back({bug.path(), 1, "a patch that changes nothing"});
  for (const auto& hunk : hunks) {
    const auto file = files.find(hunk.file);
    if (file != files.end() && ("\n" + file->second->text()).find(hunk.former) != std::string::npos) continue;
    findings.push_back({bug.path(), hunk.line,
                        "does not apply to " + hunk.file +
                            " any more: plant the bug anew, and write the patch with git diff"});
  }
}

}  // namespace

Findings check_bugs(const Tree& tree) {
  Findings findings;
  std::map<std::string, const Source*> files;
  for (const auto& source : tree) files[source.path()] = &source;
  const auto page = files.find(std::string(kTold));
  auto told = page == files.end() ? std::map<std::string, int>{} : names_in_last_table(*page->second);
  for (const auto& source : tree) {
    if (!is_bug(source.path())) continue;
    check_bug(source, files, findings);
    if (told.erase(name_of(source.path())) > 0) continue;
    findings.push_back({source.path(), 1, "not in the last table of docs/FAILURES.md"});
  }
  for (const auto& [name, line] : told) {
    findings.push_back({std::string(kTold), line, "tests/planted/ has no bug '" + name + "'"});
  }
  return findings;
}

}  // namespace proffer::tidy
