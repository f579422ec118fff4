// What names a task in the whole cluster: its framework, and the framework's own name for it.
#pragma once

#include <compare>

#include "proffer/ids.hpp"

namespace proffer {

struct TaskKey {
  FrameworkId framework;
  TaskId task;
  auto operator<=>(const TaskKey&) const = default;
};

}  // namespace proffer
