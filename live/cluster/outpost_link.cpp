#include "live/cluster/outpost_link.hpp"

#include <fmt/format.h>

#include <sstream>

#include "live/cluster/child_end.hpp"
#include "live/cluster/last_line.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

// Longer than what is waited for there.
constexpr Duration kAnswerTimeout = std::chrono::seconds(30);
constexpr Duration kEndTimeout = std::chrono::seconds(10);
constexpr int kClockLooks = 16;

}  // namespace

OutpostLink::OutpostLink(ListedMachine machine, std::string log, Child child)
    : machine_(std::move(machine)), log_(std::move(log)), child_(std::make_unique<Child>(std::move(child))) {}

Result<OutpostLink> OutpostLink::open(const ListedMachine& machine, const std::string& proffer_path,
                                      std::string log) {
  auto words = machine.run;
  words.push_back(machine.program.empty() ? proffer_path : machine.program);
  words.emplace_back("outpost");
  auto child = Child::start(words, log, Child::Input::lines);
  if (!child) return Error{child.error().code, "machine " + machine.name + ": " + child.error().message};
  return OutpostLink(machine, std::move(log), std::move(*child));
}

/// Its agents end because its input does, wherever it runs; a SIGKILL would reach the command here alone.
OutpostLink::~OutpostLink() {
  if (!child_) return;
  child_->close_input();
  child_->wait_exit(kEndTimeout);
}

Error OutpostLink::gone(const char* what) const {
  const auto why = last_line(log_);
  return {ErrorCode::io, fmt::format("machine {} {}{}{}", machine_.name, what, why.empty() ? "" : ": ", why)};
}

Result<> OutpostLink::hello(const std::string& version) {
  const auto line = child_->read_line(kAnswerTimeout);
  if (!line) return gone("cannot be reached");
  if (*line == "outpost " + version) return {};
  if (!line->starts_with("outpost ")) {
    return Error{ErrorCode::io,
                 fmt::format("machine {} says \"{}\" instead of starting proffer; try its `run` by hand",
                             machine_.name, *line)};
  }
  return Error{ErrorCode::version, fmt::format("machine {} has proffer {}, and this is {}", machine_.name,
                                               line->substr(8), version)};
}

Result<std::string> OutpostLink::ask(const std::string& request, const std::string& body) {
  if (!child_->write_line(request + "\n" + body + ".")) return gone("has gone");
  const auto line = child_->read_line(kAnswerTimeout);
  if (!line && line.error().code == ErrorCode::timed_out) return gone("does not answer");
  if (!line) return gone("has gone");
  if (line->starts_with("ok ")) return line->substr(3);
  return Error{ErrorCode::io, fmt::format("machine {}: {}", machine_.name,
                                          line->starts_with("no ") ? line->substr(3) : *line)};
}

Result<> OutpostLink::tell(const std::string& request, const std::string& body) {
  if (const auto answer = ask(request, body); !answer) return answer.error();
  return {};
}

Result<> OutpostLink::put_blocks(const std::string& agent, const std::vector<SeededBlock>& blocks) {
  std::string body;
  for (const auto& block : blocks) body += fmt::format("{} {}\n", block.id.value, block.bytes);
  return tell("blocks " + agent, body);
}

Result<> OutpostLink::start(const std::string& agent, const Config& settings) {
  return tell("start " + agent, print_config(settings, "agent"));
}

Result<> OutpostLink::wait_ready(const std::string& agent) { return tell("ready " + agent); }

Result<> OutpostLink::kill(const std::string& agent) { return tell("kill " + agent); }

Result<> OutpostLink::signal(const std::string& agent, int number) {
  return tell(fmt::format("signal {} {}", agent, number));
}

Result<OutpostLink::Look> OutpostLink::ask_look() {
  const auto answer = ask("look");
  if (!answer) return answer.error();
  Look look;
  std::int64_t clock = 0;
  std::istringstream words(*answer);
  if (!(words >> clock)) return gone("does not tell its clock");
  look.clock = time_from_us(clock);
  words >> look.ended;
  return look;
}

Result<> OutpostLink::look() {
  const auto seen = ask_look();
  if (!seen) return seen.error();
  if (seen->ended.empty()) return {};
  return Error{ErrorCode::io,
               fmt::format("{} on machine {} has ended by itself", seen->ended, machine_.name)};
}

Result<ClockReading> OutpostLink::read_clock() {
  ClockReading best{{}, Duration::max()};
  for (int i = 0; i < kClockLooks; ++i) {
    const auto before = steady_now();
    const auto seen = ask_look();
    if (!seen) return seen.error();
    const auto round_trip = steady_now() - before;
    if (round_trip < best.round_trip) best = {seen->clock - (before + round_trip / 2), round_trip};
  }
  return best;
}

Result<Load> OutpostLink::load() {
  const auto answer = ask("load");
  return answer ? load_of(*answer) : answer.error();
}

Result<> OutpostLink::stop() {
  auto stopped = tell("stop");
  child_->close_input();
  auto ended = clean_end("machine " + machine_.name, *child_, steady_now() + kEndTimeout, log_);
  return stopped ? ended : stopped;
}

}  // namespace proffer::live
