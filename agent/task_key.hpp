// The name of a task in the whole cluster: its framework, and the framework's own name for it.
#pragma once

#include <compare>

#include "proffer/ids.hpp"

namespace proffer::agent {

struct TaskKey {
  FrameworkId framework;
  TaskId task;
  auto operator<=>(const TaskKey&) const = default;
};

}  // namespace proffer::agent
