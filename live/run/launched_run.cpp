#include "live/run/launched_run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// What the task finds open. Above it we keep all descriptors of our own, so that none is in the way.
constexpr int kSaidFd = 3;
constexpr int kDeliverFd = 4;
constexpr int kFirstOwnFd = 16;
constexpr std::size_t kResultBytes = limits::kFrameBytes / 2;
constexpr std::size_t kPendingBytes = 1 << 20;

Error failed(const std::string& what) { return {ErrorCode::io, what + ": " + std::strerror(errno)}; }

/// Both ends out of the way of what the task gets; ours does not block.
Result<std::pair<Descriptor, Descriptor>> make_pipe(bool we_read) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("no pipe for a task");
  Descriptor low_read(ends[0]);
  Descriptor low_write(ends[1]);
  Descriptor read_end(::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstOwnFd));
  Descriptor write_end(::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstOwnFd));
  if (!read_end.open() || !write_end.open()) return failed("no pipe for a task");
  ::fcntl((we_read ? read_end : write_end).get(), F_SETFL, O_NONBLOCK);
  return std::pair(std::move(read_end), std::move(write_end));
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// The task's ends of the pipes.
struct TaskEnds {
  Descriptor out;
  Descriptor err;
  Descriptor said;
  Descriptor deliver;
};

int spawn_process(const Packet& spawn, const TaskEnds& ends, pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends.out.get(), 1);
  posix_spawn_file_actions_adddup2(&files, ends.err.get(), 2);
  posix_spawn_file_actions_adddup2(&files, ends.said.get(), kSaidFd);
  posix_spawn_file_actions_adddup2(&files, ends.deliver.get(), kDeliverFd);
  posix_spawn_file_actions_addchdir_np(&files, spawn.text.c_str());
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  auto env = spawn.env;
  env.push_back("PROFFER_RESULT_FD=" + std::to_string(kSaidFd));
  env.push_back("PROFFER_DELIVER_FD=" + std::to_string(kDeliverFd));
  const int error = ::posix_spawnp(&pid, spawn.argv[0].c_str(), &files, &attributes,
                                   pointers(spawn.argv).data(), pointers(env).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // a full disk costs the task its log, not its life
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<LaunchedRun> LaunchedRun::start(const Packet& spawn) {
  LaunchedRun run;
  run.launch_ = spawn.launch;
  run.cap_ = spawn.cap;
  TaskEnds ends;
  const std::array<const char*, 2> names{"/stdout", "/stderr"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto path = spawn.text + names[i];
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return failed("cannot write " + path);
    run.streams_[i].file = Descriptor(::fcntl(file, F_DUPFD_CLOEXEC, kFirstOwnFd));
    ::close(file);
    auto pipe = make_pipe(true);
    if (!pipe) return pipe.error();
    run.streams_[i].pipe = std::move(pipe->first);
    (i == 0 ? ends.out : ends.err) = std::move(pipe->second);
  }
  auto said = make_pipe(true);
  if (!said) return said.error();
  run.said_ = std::move(said->first);
  ends.said = std::move(said->second);
  auto deliver = make_pipe(false);
  if (!deliver) return deliver.error();
  ends.deliver = std::move(deliver->first);
  run.deliver_ = std::move(deliver->second);
  if (const int error = spawn_process(spawn, ends, run.pid_); error != 0) {
    errno = error;
    return failed("cannot start " + spawn.argv[0]);
  }
  return run;
}

std::vector<int> LaunchedRun::readable() const {
  std::vector<int> fds;
  for (const auto& stream : streams_) {
    if (stream.pipe.open()) fds.push_back(stream.pipe.get());
  }
  if (said_.open()) fds.push_back(said_.get());
  return fds;
}

void LaunchedRun::keep(Stream& stream, std::string_view bytes) const {
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(cap_ - stream.written, bytes.size()));
  write_all(stream.file.get(), bytes.substr(0, room));
  stream.written += room;
  if (room == bytes.size() || stream.cut) return;
  stream.cut = true;
  write_all(stream.file.get(), "\n[proffer: cut off here, at " + std::to_string(cap_) + " bytes]\n");
}

std::vector<std::string> LaunchedRun::pump(int fd) {
  std::array<char, 65536> chunk;
  // Bounded, so that one chatty task does not keep the others waiting.
  for (int round = 0; round < 16; ++round) {
    const auto n = ::read(fd, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    const std::string_view bytes(chunk.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    for (auto& stream : streams_) {
      if (stream.pipe.get() != fd) continue;
      if (n > 0) keep(stream, bytes);
      if (n <= 0) stream.pipe.reset();
    }
    if (said_.get() == fd) {
      frames_.append(bytes);
      if (n <= 0) said_.reset();
    }
    if (n <= 0) break;
  }
  return take_frames();
}

std::vector<std::string> LaunchedRun::take_frames() {
  std::vector<std::string> said;
  while (frames_.size() >= kTaskFrameHeader) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size |= static_cast<std::size_t>(static_cast<unsigned char>(frames_[i])) << (8 * i);
    if (size > kResultBytes) {
      // No task of ours writes so much: it is no frame. Stop listening.
      said_.reset();
      frames_.clear();
      break;
    }
    if (frames_.size() - kTaskFrameHeader < size) break;
    auto bytes = frames_.substr(kTaskFrameHeader, size);
    const auto kind = static_cast<TaskFrameKind>(frames_[4]);
    frames_.erase(0, kTaskFrameHeader + size);
    if (kind == TaskFrameKind::result) result_ = std::move(bytes);
    if (kind == TaskFrameKind::said) said.push_back(std::move(bytes));
  }
  return said;
}

void LaunchedRun::deliver(std::string_view bytes) {
  if (!deliver_.open() || pending_.size() + bytes.size() > kPendingBytes) return;
  pending_ += task_frame(TaskFrameKind::said, bytes);
  push();
}

void LaunchedRun::push() {
  while (!pending_.empty()) {
    const auto n = ::write(deliver_.get(), pending_.data(), pending_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      pending_.clear();
      deliver_.reset();
      return;
    }
    pending_.erase(0, static_cast<std::size_t>(n));
  }
}

void LaunchedRun::close_pipes() {
  for (auto& stream : streams_) stream.pipe.reset();
  said_.reset();
}

}  // namespace proffer::live
