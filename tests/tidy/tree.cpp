#include "tests/tidy/tree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace proffer::tidy {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_text(const fs::path& path) {
  constexpr std::array<std::string_view, 18> extensions{
      ".cpp", ".hpp",   ".h",  ".md",  ".txt",  ".toml", ".json", ".sh",    ".cmake",
      ".py",  ".ipynb", ".js", ".css", ".html", ".yml",  ".in",   ".jsonl", ".patch"};
  const auto extension = path.extension().string();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end() ||
         path.filename() == "Makefile" || path.parent_path().filename() == ".ci" ||
         path.filename().string().starts_with(".clang-");
}

bool is_outside(const fs::path& folder) {
  const auto name = folder.filename().string();
  return name == ".git" || name == ".cache" || name.starts_with("build") || name.starts_with("demo-out");
}

/// The sources that CMake has put together into one; none when it is a source itself.
std::vector<fs::path> parts_of(const fs::path& source) {
  std::vector<fs::path> parts;
  if (source.parent_path().filename() != "Unity") return parts;
  std::istringstream lines(read(source));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include \"")) continue;
    const auto begin = line.find('"') + 1;
    parts.emplace_back(line.substr(begin, line.rfind('"') - begin));
  }
  return parts;
}

}  // namespace

Tree read_tree(const fs::path& root) {
  std::vector<fs::path> paths;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_directory() && is_outside(it->path())) it.disable_recursion_pending();
    if (it->is_regular_file() && is_text(it->path())) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  Tree tree;
  for (const auto& path : paths)
    tree.emplace_back(path.lexically_relative(root).generic_string(), read(path));
  return tree;
}

std::set<std::string> compiled_sources(const fs::path& commands, const fs::path& root) {
  std::set<std::string> sources;
  const auto json = nlohmann::json::parse(read(commands), nullptr, /*allow_exceptions=*/false);
  if (!json.is_array()) return sources;
  for (const auto& entry : json) {
    const fs::path source = entry.value("file", "");
    auto parts = parts_of(source);
    if (parts.empty()) parts.push_back(source);
    for (const auto& part : parts) sources.insert(part.lexically_relative(root).generic_string());
  }
  return sources;
}

}  // namespace proffer::tidy
