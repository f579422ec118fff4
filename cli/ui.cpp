// The command `proffer ui`.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/live/reach.hpp"

extern char** environ;  // NOLINT: POSIX says so

namespace proffer::cli {
namespace {

/// Returns HOST of tcp://HOST:PORT or HOST:PORT.
std::string host_in(const std::string& address) {
  const auto begin = address.find("://") == std::string::npos ? 0 : address.find("://") + 3;
  return address.substr(begin, address.rfind(':') - begin);
}

/// Returns the address at which this machine reaches the dashboard, where the allocator listens everywhere.
std::string reached_from_here(const std::string& http, const std::string& allocator) {
  const auto host = host_in(http);
  if (host != "0.0.0.0" && host != "*" && host != "[::]") return http;
  return host_in(allocator) + http.substr(http.rfind(':'));
}

int open_in_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string argument = url;
  std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ);
  if (failed != 0) {
    return report({ErrorCode::io, fmt::format("cannot start xdg-open: {}", std::strerror(failed))});
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return kOk;
  return report({ErrorCode::io, "xdg-open could not open " + url});
}

}  // namespace

int run_ui(const UiOptions& options) {
  const auto where = find_cluster(options.where);
  if (!where) return report(where.error());
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return report(state.error());
  if (state->http.empty()) {
    return report({ErrorCode::not_found,
                   "this allocator serves no dashboard: start it with --http 127.0.0.1:5152, or with "
                   "http = \"127.0.0.1:5152\" in [allocator]"});
  }
  const auto url = "http://" + reached_from_here(state->http, where->allocator) + "/";
  std::puts(url.c_str());
  std::fflush(stdout);
  if (live::only_from_here("tcp://" + state->http) && !live::only_from_here(where->allocator)) {
    std::fprintf(stderr, "It is open to the allocator's machine alone; from here: ssh -L %s:%s %s\n",
                 state->http.substr(state->http.rfind(':') + 1).c_str(), state->http.c_str(),
                 host_in(where->allocator).c_str());
  }
  return options.open ? open_in_browser(url) : kOk;
}

}  // namespace proffer::cli
