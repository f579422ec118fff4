#include "frameworks/mapreduce/store_path.hpp"

#include <algorithm>

namespace proffer::mapreduce {

std::string store_path(std::string_view text) {
  std::string path;
  while (!text.empty()) {
    const auto slash = std::min(text.find('/'), text.size());
    if (slash > 0) path.append("/").append(text.substr(0, slash));
    text.remove_prefix(std::min(slash + 1, text.size()));
  }
  return path.empty() ? "/" : path;
}

bool is_hidden_below(std::string_view folder, std::string_view path) {
  if (folder == "/") folder = {};
  const auto below = path.substr(std::min(folder.size(), path.size()));
  return below.find("/_") != std::string_view::npos || below.find("/.") != std::string_view::npos;
}

std::string temporary_path(const std::string& output) { return output + "/_temporary"; }

std::string claim_path(const std::string& output) { return temporary_path(output) + "/_SUCCESS"; }

std::string success_path(const std::string& output) { return output + "/_SUCCESS"; }

std::string part_name(std::uint32_t index) {
  const auto digits = std::to_string(index);
  return "part-" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

std::string attempt_path(const std::string& output, const TaskId& attempt, std::uint32_t index) {
  return temporary_path(output) + "/" + attempt.value + "/" + part_name(index);
}

}  // namespace proffer::mapreduce
