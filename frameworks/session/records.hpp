// The records with which another process can go on: what is kept, and what one finds that comes back.
#pragma once

#include <vector>

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

// No effect unless records are kept (FrameworkConfig::keeps).
void keep_identity(const Turn& turn);
void keep_server(const Turn& turn);
/// Keeps what is known of a task. Of one that its scheduler holds (Driver::hold) the former record stays: its
/// status is to come again should this process end before the scheduler is done with it.
void keep_task(const Turn& turn, const TaskId& task);
/// Drops the records of tasks that ended long ago, and forgets them.
void sweep_tasks(const Turn& turn);
/// Takes the notes out of a scheduler's calls, and keeps or forgets them.
void keep_notes(const Turn& turn, std::vector<Driver::Call>& calls);

/// Returns the allocator as a former process knew it; nil when there was none.
KeptServer known_allocator(const std::vector<Kept>& kept);
/// Goes on with what a former process has left: its id, and its tasks if the scheduler takes them.
void restore(const Turn& turn);

}  // namespace proffer::frameworks
