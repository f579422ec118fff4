#include "live/run/launched_run.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "live/run/leftovers.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kPendingBytes = 1 << 20;
/// Somebody outside of the run who holds its pipes, and writes on and on, is not listened to for longer.
constexpr auto kPipePatience = std::chrono::seconds(2);

bool readable(int fd) {
  pollfd wanted{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&wanted, 1, 0) > 0;
}

void add_sentence(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : "; ") + sentence;
}

std::string lost_words(const std::string& name, const CappedFile& file) {
  const auto bytes = file.lost() == 0 ? std::string() : std::to_string(file.lost()) + " bytes of ";
  return bytes + "its " + name + " could not be kept: " + std::strerror(file.error());
}

std::string dropped_words(const std::string& name, const CappedFile& file) {
  return "its " + name + " was cut off: its last " + std::to_string(file.dropped()) + " bytes were dropped";
}

/// Gives stdout and stderr their second names. Must be done before the task starts, which may put something
/// else in their place.
Result<> link_streams(const Packet& spawn) {
  for (std::size_t i = 0; i < spawn.kept_as.size(); ++i) {
    const auto file = spawn.text + (i == 0 ? "/stdout" : "/stderr");
    const auto& name = spawn.kept_as[i];
    ::unlink(name.c_str());  // left by a task of that id before
    if (::link(file.c_str(), name.c_str()) != 0) return io_error("cannot link " + file + " as " + name);
  }
  return {};
}

}  // namespace

Result<LaunchedRun> LaunchedRun::start(const Packet& spawn, const BeforeProgram& before) {
  LaunchedRun run;
  run.launch_ = spawn.launch;
  run.of_agent_ = spawn.of_agent;
  auto out = CappedFile::create(spawn.text + "/stdout", spawn.cap);
  if (!out) return out.error();
  auto err = CappedFile::create(spawn.text + "/stderr", spawn.cap);
  if (!err) return err.error();
  if (auto linked = link_streams(spawn); !linked) return linked.error();
  auto process = start_process(spawn, before);
  if (!process) return process.error();
  run.out_ = std::move(*out);
  run.err_ = std::move(*err);
  run.process_ = std::move(*process);
  return run;
}

std::vector<TaskFrame> LaunchedRun::read(Channel channel) {
  std::array<char, 65536> chunk;
  std::vector<TaskFrame> said;
  auto& from = process_.at(channel);
  for (int round = 0; from.open() && round < 16; ++round) {
    const auto n = ::read(from.get(), chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      from.reset();
      break;
    }
    const std::string_view bytes(chunk.data(), static_cast<std::size_t>(n));
    if (channel == Channel::out) out_.append(bytes);
    if (channel == Channel::err) err_.append(bytes);
    if (channel != Channel::reports) continue;
    auto [frames, sound] = frames_.feed(bytes);
    for (auto& frame : frames) said.push_back(std::move(frame));
    if (!sound) from.reset();
  }
  return said;
}

void LaunchedRun::deliver(TaskFrameKind kind, std::string_view bytes) {
  const bool fits = kind == TaskFrameKind::permit || pending_.size() + bytes.size() <= kPendingBytes;
  if (fits && process_.at(Channel::deliver).open()) pending_ += task_frame(kind, bytes);
}

bool LaunchedRun::push() {
  while (!pending_.empty()) {
    const auto n = ::write(process_.at(Channel::deliver).get(), pending_.data(), pending_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return true;
    if (n <= 0) {
      pending_.clear();
      process_.at(Channel::deliver).reset();
      return false;
    }
    pending_.erase(0, static_cast<std::size_t>(n));
  }
  return false;
}

void LaunchedRun::signal(int number) const {
  if (!ended()) ::kill(-process_.pid, number);
}

std::vector<TaskFrame> LaunchedRun::end() {
  // The group is killed before its leader is reaped: after that the group's number could belong to another.
  ::kill(-process_.pid, SIGKILL);
  exit_ = exit_status(wait_for_end(process_.pid).value_or(0));
  // Those that have left the group have become our children.
  end_all_children();
  pending_.clear();
  process_.at(Channel::deliver).reset();
  const auto give_up_at = std::chrono::steady_clock::now() + kPipePatience;
  std::vector<TaskFrame> said;
  for (const auto channel : {Channel::out, Channel::err, Channel::reports}) {
    while (readable(fd(channel)) && std::chrono::steady_clock::now() < give_up_at) {
      for (auto& frame : read(channel)) said.push_back(std::move(frame));
    }
    process_.at(channel).reset();
  }
  return said;
}

Packet LaunchedRun::last_packet() {
  Packet packet;
  packet.type = PacketType::exited;
  packet.launch = launch_;
  packet.exit = *exit_;
  packet.has_result = frames_.result().has_value();
  if (packet.has_result) packet.bytes = *frames_.result();
  if (of_agent_) packet.lost = frames_.lost();
  for (const auto& [name, file] : {std::pair("stdout", &out_), std::pair("stderr", &err_)}) {
    file->close();
    if (file->error() != 0) add_sentence(packet.lost, lost_words(name, *file));
    if (file->dropped() > 0) add_sentence(packet.remark, dropped_words(name, *file));
  }
  return packet;
}

}  // namespace proffer::live
