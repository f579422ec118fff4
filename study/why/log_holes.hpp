// Lines that a log lacks: each program numbers its own, from 1.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "proffer/formats/event_log.hpp"

namespace proffer::study::why {

struct LogHole {
  std::uint64_t first = 0;  // lines before the first that is there
  std::uint64_t later = 0;  // lines that are missing between others
  std::uint64_t lines() const { return first + later; }
};

class LogHoles {
 public:
  /// Takes the next line. Returns whether it is the first of another life of its program.
  bool note(const TraceLine& line);
  /// Returns the lines that are missing of a source, over all its lives.
  LogHole of(const std::string& source) const;

 private:
  struct Life {
    std::uint64_t last = 0;
    bool mixed = false;  // several programs, or lives, whose lines cannot be told apart
  };
  std::map<std::pair<std::string, std::uint32_t>, Life> lives_;
  std::map<std::string, LogHole> holes_;
  std::set<std::string> known_;
};

}  // namespace proffer::study::why
