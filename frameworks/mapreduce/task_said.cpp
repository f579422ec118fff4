#include "proffer/frameworks/task_said.hpp"

#include <array>

#include "proffer/limits.hpp"
#include "proffer/names.hpp"

namespace proffer {
namespace {

// The first word of a payload, in the order of What.
constexpr std::array<std::string_view, 4> kWords{"status ", "failure ", "wants ", "excuse "};

}  // namespace

std::string format_said(const TaskSaid& said) {
  std::string payload(enum_name(kWords, said.what));
  payload.append(said.text, 0, limits::kTextBytes - payload.size());
  return payload;
}

std::optional<TaskSaid> parse_said(std::string_view payload) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (!payload.starts_with(kWords[i])) continue;
    return TaskSaid{static_cast<TaskSaid::What>(i), std::string(payload.substr(kWords[i].size()))};
  }
  return {};
}

}  // namespace proffer
