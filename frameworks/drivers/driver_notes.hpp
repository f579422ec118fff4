// Notes that the framework of drivers keeps for a later process: of each job what it is, and how far it is.
#pragma once

#include <map>
#include <string>

#include "frameworks/drivers/driven_job.hpp"
#include "proffer/frameworks/scheduler.hpp"

namespace proffer::drivers {

// No effect unless notes are kept.
void note_spec(Driver& driver, JobId id, const DrivenJob& job);
void note_progress(Driver& driver, JobId id, const DrivenJob& job);
void forget_notes(Driver& driver, JobId id);

/// Reads notes. A job of which one cannot be read counts as not there.
std::map<JobId, DrivenJob> read_notes(const std::map<std::string, std::string>& notes);

}  // namespace proffer::drivers
