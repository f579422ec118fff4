#include "proffer/frameworks/task_said.hpp"

#include "proffer/limits.hpp"

namespace proffer {
namespace {

constexpr std::string_view kStatus = "status ";
constexpr std::string_view kFailure = "failure ";

}  // namespace

std::string format_said(const TaskSaid& said) {
  std::string payload(said.what == TaskSaid::What::status ? kStatus : kFailure);
  payload.append(said.text, 0, limits::kTextBytes - payload.size());
  return payload;
}

std::optional<TaskSaid> parse_said(std::string_view payload) {
  if (payload.starts_with(kStatus)) {
    return TaskSaid{TaskSaid::What::status, std::string(payload.substr(kStatus.size()))};
  }
  if (payload.starts_with(kFailure)) {
    return TaskSaid{TaskSaid::What::failure, std::string(payload.substr(kFailure.size()))};
  }
  return {};
}

}  // namespace proffer
