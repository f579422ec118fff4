// Records in which no field has its default value: one of each kind, and what is special about some.
#pragma once

#include <string>
#include <vector>

#include "proffer/kept.hpp"

namespace proffer::formats {

struct RecordSample {
  std::string name;
  Kept record;
};

const std::vector<RecordSample>& record_samples();

}  // namespace proffer::formats
