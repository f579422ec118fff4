#include "catalog/tables/paths.hpp"

#include "proffer/catalog/catalog.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

constexpr std::size_t kComponentBytes = 255;  // the bound of file systems, so that `get` can write every name

bool has_control_byte(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

/// Returns the fault of one component of a path; null: it has none.
const char* fault_of(std::string_view component) {
  if (component == "." || component == "..") return "has a component \".\" or \"..\"";
  if (component.size() > kComponentBytes) return "has a component over 255 bytes";
  return nullptr;
}

Error bad_path(std::string_view text, const char* fault) {
  // A path with control characters is not shown: they must not reach a terminal through this sentence.
  const std::string shown = has_control_byte(text) ? "" : " " + std::string(text.substr(0, 256));
  return {ErrorCode::invalid, "the path" + shown + " " + fault};
}

}  // namespace

Result<std::string> normal_path(std::string_view text) {
  if (text.empty()) return Error{ErrorCode::invalid, "a path in the store must not be empty"};
  if (has_control_byte(text)) return bad_path(text, "holds a control character");
  std::string path;
  while (!text.empty()) {
    const auto slash = text.find('/');
    const auto component = text.substr(0, slash);
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
    if (component.empty()) continue;
    path.push_back('/');
    path.append(component);
    if (const char* fault = fault_of(component)) return bad_path(path, fault);
  }
  if (path.size() > limits::kPathBytes) return bad_path(path, "is longer than 4096 bytes");
  return path.empty() ? std::string("/") : path;
}

namespace catalog {

std::string folder_prefix(std::string_view folder) {
  return folder == "/" ? std::string("/") : std::string(folder) + "/";
}

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  for (auto slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    folders.emplace_back(path.substr(0, slash));
  }
  return folders;
}

}  // namespace catalog
}  // namespace proffer
