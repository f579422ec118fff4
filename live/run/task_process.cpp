#include "live/run/task_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "live/run/find_program.hpp"

namespace proffer::live {
namespace {

/// Returns the error of a program that cannot be started: the fault of whoever asked for it, unless it is the
/// agent's own program.
Error not_startable(const Packet& spawn, const std::string& why) {
  return {spawn.of_agent ? ErrorCode::not_found : ErrorCode::invalid,
          "cannot start \"" + spawn.argv.at(0) + "\": " + why};
}

/// Returns whether posix_spawn failed for what this machine lacks, rather than for what the program is. Its
/// errno is that of whichever step failed: a folder that is gone is no program that is missing.
bool is_of_machine(int error, const std::string& folder) {
  switch (error) {
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EROFS:
      return true;
    default:
      return ::access(folder.c_str(), X_OK) != 0 || ::access("/dev/null", R_OK) != 0;
  }
}

Descriptor unblocked(Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, O_NONBLOCK);
  return std::move(end);
}

}  // namespace

Result<TaskProcess> start_process(const Packet& spawn) {
  const auto& name = spawn.argv.at(0);
  const auto program = find_program(name, spawn.env, spawn.text);
  if (!program) return not_startable(spawn, "no such program is on PATH");
  std::array<Pipe, 4> pipes;
  for (auto& pipe : pipes) {
    auto made = Pipe::make("no pipe for a task");
    if (!made) return made.error();
    pipe = std::move(*made);
  }
  auto& [out, err, said, deliver] = pipes;
  // The launcher keeps its own descriptors above those that tasks get, so none is overwritten before its
  // turn.
  SpawnActions actions;
  actions.empty_stdin();
  actions.give(out.write, 1);
  actions.give(err.write, 2);
  actions.give(said.write, kResultFd);
  actions.give(deliver.read, kDeliverFd);
  actions.enter(spawn.text);
  const SpawnAttributes attributes;
  TaskProcess process;
  const int error = ::posix_spawn(&process.pid, program->c_str(), actions.get(), attributes.get(),
                                  spawn_words(spawn.argv).data(), spawn_words(spawn.env).data());
  if (error != 0 && is_of_machine(error, spawn.text)) return io_error("cannot start \"" + name + "\"", error);
  if (error != 0) return not_startable(spawn, std::strerror(error));
  process.at(Channel::ended) = watch_process(process.pid);
  if (!process.at(Channel::ended).open()) {
    const int why = errno;
    ::kill(-process.pid, SIGKILL);
    wait_for_end(process.pid);
    return io_error("cannot watch \"" + name + "\"", why);
  }
  process.at(Channel::out) = unblocked(out.read);
  process.at(Channel::err) = unblocked(err.read);
  process.at(Channel::reports) = unblocked(said.read);
  process.at(Channel::deliver) = unblocked(deliver.write);
  return process;
}

}  // namespace proffer::live
