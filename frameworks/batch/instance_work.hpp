// The command that an instance of a bag is told to run, and its size in a message.
#pragma once

#include <cstddef>
#include <cstdint>

#include "proffer/frameworks/batch.hpp"
#include "proffer/limits.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::batch {

/// The bytes that the tasks of one message may take together.
inline constexpr std::size_t kTaskBytesPerMessage = limits::kFrameBytes * 3 / 4;

/// The command of that instance: see BatchSpec::command.
WorkPtr work_of(const CommandWork& command, std::uint32_t index);
/// An upper bound on the bytes that any instance takes in a message.
std::size_t task_bytes(const BatchSpec& spec);
/// The number of instances that fit into one message: at least one, and at most limits::kTasksPerAccept.
std::size_t most_per_message(const BatchSpec& spec);

}  // namespace proffer::batch
