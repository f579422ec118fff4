#include "proffer/live/outpost.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "live/cluster/daemon_set.hpp"
#include "live/cluster/seeded_store.hpp"
#include "live/os/descriptor.hpp"
#include "live/os/load.hpp"
#include "proffer/ids.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

constexpr Duration kSilence = std::chrono::minutes(5);

struct Request {
  std::string verb;
  std::string name;
  std::string rest;  ///< of its first line
  std::string body;
};

/// Cuts the first whole request off the text that has come; none: there is more to come.
std::optional<Request> take_request(std::string& text) {
  constexpr std::string_view kEnd = "\n.\n";
  const auto end = text.find(kEnd);
  if (end == std::string::npos) return {};
  const auto whole = text.substr(0, end + 1);
  text.erase(0, end + kEnd.size());
  const auto first = whole.find('\n');
  Request request;
  std::istringstream words(whole.substr(0, first));
  words >> request.verb >> request.name >> request.rest;
  request.body = whole.substr(first + 1);
  return request;
}

Error unknown(const std::string& what) { return {ErrorCode::invalid, what}; }

class Outpost {
 public:
  explicit Outpost(const OutpostConfig& config)
      : dir_(config.dir), daemons_(config.proffer_path, config.dir) {}

  /// Returns what stands behind "ok".
  Result<std::string> answer(const Request& request) {
    if (request.verb == "look")
      return fmt::format("{} {}", to_us(steady_now()), daemons_.ended().value_or(""));
    if (request.verb == "load") {
      const auto load = read_load();
      return load ? Result<std::string>(to_line(*load)) : load.error();
    }
    if (request.verb == "stop") return nothing_but(daemons_.stop());
    if (!valid_name(request.name)) return unknown("no agent can be called \"" + request.name + "\"");
    if (request.verb == "blocks") return nothing_but(take_blocks(request));
    if (request.verb == "start") return nothing_but(start(request));
    if (!daemons_.has(request.name)) return unknown("there is no agent " + request.name);
    if (request.verb == "ready") {
      const auto line = daemons_.ready_line(request.name);
      return line ? Result<std::string>("") : line.error();
    }
    if (request.verb == "kill") return nothing_but(daemons_.kill(request.name));
    if (request.verb != "signal") return unknown("what is \"" + request.verb + "\"?");
    daemons_.signal(request.name, std::atoi(request.rest.c_str()));
    return std::string();
  }

  Result<> stop() { return daemons_.stop(); }

 private:
  static Result<std::string> nothing_but(Result<> done) {
    if (!done) return done.error();
    return std::string();
  }

  Result<> take_blocks(const Request& request) const {
    std::vector<SeededBlock> blocks;
    std::istringstream words(request.body);
    std::uint64_t id = 0;
    for (std::uint64_t bytes = 0; words >> id >> bytes;) blocks.push_back({BlockId{id}, bytes});
    return write_blocks(dir_ + "/" + request.name, blocks);
  }

  Result<> start(const Request& request) {
    auto settings = parse_config(request.body, "the settings of " + request.name);
    if (!settings) return settings.error();
    settings->agent.work_dir = dir_ + "/" + request.name;
    return daemons_.start(request.name, "agent", *settings);
  }

  std::string dir_;
  DaemonSet daemons_;
};

/// False when nobody reads it any more.
bool say(std::string line) {
  line += '\n';
  std::string_view rest = line;
  return write_all(STDOUT_FILENO, rest);
}

std::string line_of(const Result<std::string>& answer) {
  return answer ? "ok " + *answer : "no " + answer.error().message;
}

}  // namespace

Result<> run_outpost(const OutpostConfig& config, Stop& stop) {
  Outpost outpost(config);
  std::string text;
  std::array<char, 4096> chunk{};
  bool heard = say("outpost " + config.version);
  while (heard && !stop.requested()) {
    const std::vector<Poller::Wanted> wanted{{nullptr, STDIN_FILENO}, {nullptr, stop.fd()}};
    Poller poller;
    poller.wait(wanted, kSilence);
    if (!poller.ready(0)) break;
    const auto n = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(n));
    for (auto request = take_request(text); request && heard; request = take_request(text)) {
      heard = say(line_of(outpost.answer(*request)));
    }
  }
  return outpost.stop();
}

}  // namespace proffer::live
