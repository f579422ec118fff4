// Envelopes in which no field has its default value: at least one of each type of message.
#pragma once

#include <string>
#include <vector>

#include "proffer/message.hpp"

namespace proffer::formats {

struct Sample {
  std::string name;  // unique; the type's name, and what is special about it
  Envelope envelope;
  std::string_view conversation = {};  // framework, agent, catalog, data or people: the file of its vector
};

const std::vector<Sample>& samples();
/// The first sample of that name.
const Envelope& sample(std::string_view name);

/// Returns the bytes of a message.
std::string encoded(const Envelope& envelope);

}  // namespace proffer::formats
