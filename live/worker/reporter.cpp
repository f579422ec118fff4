#include "live/worker/reporter.hpp"

#include <charconv>

namespace proffer::live {
namespace {

constexpr std::string_view kCounter = "reporter:counter:";
constexpr std::string_view kStatus = "reporter:status:";
constexpr std::size_t kLastBytes = 2048;
constexpr std::size_t kMostCounters = 1000;  // the kinds that a job may count, of so many bytes each
constexpr std::size_t kMostNameBytes = 256;

}  // namespace

void Reporter::add(std::string_view bytes) {
  static_cast<void>(lines_.add(bytes, [this](std::string_view line) {
    take(line);
    return Result<>();
  }));
}

void Reporter::finish() {
  static_cast<void>(lines_.finish([this](std::string_view line) {
    take(line);
    return Result<>();
  }));
}

void Reporter::take(std::string_view line) {
  if (line.starts_with(kStatus)) return sinks_.status(line.substr(kStatus.size()));
  if (line.starts_with(kCounter) && take_counter(line.substr(kCounter.size()))) return;
  sinks_.pass_on(std::string(line) + "\n");
  last_.emplace_back(line.substr(0, kLastBytes));
  last_bytes_ += last_.back().size() + 1;
  while (last_bytes_ > kLastBytes && last_.size() > 1) {
    last_bytes_ -= last_.front().size() + 1;
    last_.pop_front();
  }
}

/// Takes a counter. False when it is none: then it is shown to people, who may have meant one.
bool Reporter::take_counter(std::string_view rest) {
  const auto first = rest.find(',');
  const auto last = rest.rfind(',');
  if (first == rest.npos || first == last) return false;
  const auto amount = rest.substr(last + 1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), value);
  if (error != std::errc{} || end != amount.data() + amount.size()) return false;
  std::pair name(std::string(rest.substr(0, first)), std::string(rest.substr(first + 1, last - first - 1)));
  if (name.first.size() > kMostNameBytes || name.second.size() > kMostNameBytes) return false;
  const auto known = counters_.find(name);
  if (known == counters_.end() && counters_.size() >= kMostCounters) return false;
  counters_[std::move(name)] += static_cast<std::uint64_t>(value);
  return true;
}

std::vector<Counter> Reporter::counters() const {
  std::vector<Counter> all;
  for (const auto& [name, value] : counters_) {
    all.push_back({name.first, name.second, static_cast<std::int64_t>(value)});
  }
  return all;
}

std::string Reporter::last_lines() const {
  std::string text;
  for (const auto& line : last_) text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

}  // namespace proffer::live
