// Hadoop Streaming's protocol on a command's standard error:
//
//   reporter:counter:<group>,<counter>,<amount>
//   reporter:status:<message>
//
// All other lines are for people.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/worker/line_splitter.hpp"
#include "proffer/messages/work.hpp"

namespace proffer::live {

class Reporter {
 public:
  struct Sinks {
    std::function<void(std::string_view line)> pass_on;  ///< takes lines for people, with their line feeds
    std::function<void(std::string_view status)> status;
  };
  explicit Reporter(Sinks sinks) : sinks_(std::move(sinks)) {}

  void add(std::string_view bytes);
  /// Ends the input: the command has closed its standard error.
  void finish();

  /// Returns the counters, sorted by group and name.
  std::vector<Counter> counters() const;
  /// Returns the last lines for people, at most about 2 KiB; empty when there were none.
  std::string last_lines() const;

 private:
  void take(std::string_view line);
  bool take_counter(std::string_view rest);

  Sinks sinks_;
  LineSplitter lines_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counters_;
  std::deque<std::string> last_;
  std::size_t last_bytes_ = 0;
};

}  // namespace proffer::live
