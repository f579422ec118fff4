// Notes that a bag of commands keeps for a later process: the token of its outputs, and a note for each
// instance that has been placed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "frameworks/batch/instances.hpp"
#include "proffer/frameworks/scheduler.hpp"
#include "proffer/topology.hpp"

namespace proffer::batch {

/// An instance, and the agent where it is or was last.
struct InstanceNote {
  Instances::Record record;
  AgentInfo agent;
};

struct BatchNotes {
  std::string output_token;
  std::map<std::uint32_t, InstanceNote> instances;
};

// No effect unless notes are kept.
void note_token(Driver& driver, const std::string& token);
void note_instance(Driver& driver, std::uint32_t index, const InstanceNote& note);

/// Reads notes. One that cannot be read counts as not there.
BatchNotes read_batch_notes(const std::map<std::string, std::string>& notes);

}  // namespace proffer::batch
