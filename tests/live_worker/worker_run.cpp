#include "tests/live_worker/worker_run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/run/packet.hpp"
#include "live/run/task_frames.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {

std::string take_all(int fd) {
  std::string all;
  char piece[4096];
  for (auto got = ::read(fd, piece, sizeof piece); got > 0; got = ::read(fd, piece, sizeof piece)) {
    all.append(piece, static_cast<std::size_t>(got));
  }
  return all;
}

void take_frames(std::string_view bytes, WorkerEnd& end) {
  TaskFrames frames;
  const auto [whole, good] = frames.feed(bytes);
  EXPECT_TRUE(good);
  for (const auto& frame : whole) {
    if (frame.kind == TaskFrameKind::ask_permit) {
      ++end.asked;
      continue;
    }
    const auto said = parse_said(frame.bytes);
    EXPECT_TRUE(said.has_value());
    end.said.push_back(*said);
  }
  end.lost = frames.lost();
  if (!frames.result()) return;
  const auto result = decode_result(*frames.result());
  EXPECT_TRUE(result.ok());
  end.result = *result;
}

Environment environment_of(const Place& place, const std::string& task, const Environment& env) {
  auto all = env;
  all.insert(all.end(), {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                         {"PROFFER_FRAMEWORK", "test"},
                         {"PROFFER_FRAMEWORK_ID", to_hex(kTestFramework.value)},
                         {"PROFFER_TASK_ID", task},
                         {"PROFFER_AGENT", "a1"},
                         {"PROFFER_AGENT_ID", to_hex(place.agent.value)},
                         {"PROFFER_BLOCKS_DIR", place.blocks_dir},
                         {"PROFFER_OUTPUTS_DIR", place.outputs_dir},
                         {"PROFFER_RESULT_FD", "3"},
                         {"PROFFER_DELIVER_FD", "4"}});
  return all;
}

/// A pipe in which all that a worker is ever told lies already.
int told(const std::vector<MoreInputs>& fed) {
  std::string bytes;
  for (const auto& inputs : fed) {
    std::string body;
    encode_inputs(inputs, body);
    bytes += task_frame(TaskFrameKind::inputs, body);
  }
  bytes += task_frame(TaskFrameKind::permit, {});
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ::close(ends[1]);
  return ends[0];
}

pid_t spawn(const std::string& sandbox, const Environment& env, int result_fd, int deliver_fd) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, 1, (sandbox + "/stdout").c_str(), O_WRONLY | O_CREAT, 0600);
  ::posix_spawn_file_actions_addopen(&files, 2, (sandbox + "/stderr").c_str(), O_WRONLY | O_CREAT, 0600);
  // Both may have the other's number.
  ::posix_spawn_file_actions_adddup2(&files, result_fd, 100);
  ::posix_spawn_file_actions_adddup2(&files, deliver_fd, 101);
  ::posix_spawn_file_actions_adddup2(&files, 100, 3);
  ::posix_spawn_file_actions_adddup2(&files, 101, 4);
  ::posix_spawn_file_actions_addchdir_np(&files, sandbox.c_str());
  std::vector<std::string> variables;
  for (const auto& [name, value] : env) variables.push_back(name + "=" + value);
  std::vector<char*> envp;
  for (auto& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  std::string program = PROFFER_BIN_DIR "/proffer-worker";
  char* argv[] = {program.data(), nullptr};
  pid_t pid = -1;
  EXPECT_EQ(::posix_spawn(&pid, program.c_str(), &files, nullptr, argv, envp.data()), 0);
  ::posix_spawn_file_actions_destroy(&files);
  return pid;
}

}  // namespace

WorkerEnd run_worker_program(const TempDir& dir, const Place& place, const std::string& task,
                             const Work& work, const Environment& env, const std::vector<MoreInputs>& fed) {
  std::string bytes;
  encode_work(work, bytes);
  dir.write(task + "/work.msgpack", bytes);
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const auto sandbox = dir / task;
  const int deliver = told(fed);
  const auto pid = spawn(sandbox, environment_of(place, task, env), ends[1], deliver);
  ::close(deliver);
  ::close(ends[1]);
  WorkerEnd end;
  take_frames(take_all(ends[0]), end);
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  end.err = TempDir::read(sandbox + "/stderr");
  end.left = TempDir::names_in(sandbox);
  return end;
}

BlockRead put_block(const Place& place, std::uint64_t id, const std::string& bytes,
                    std::uint64_t first_record) {
  std::filesystem::create_directories(place.blocks_dir);
  std::ofstream(place.blocks_dir + "/" + std::to_string(id), std::ios::binary) << bytes;
  return {BlockId{id}, bytes.size(), first_record, "token", {}};
}

std::string read_partition(const Place& place, const std::string& task, const PartitionSpan& span) {
  const auto path = place.outputs_dir + "/" + to_hex(kTestFramework.value) + "/1/" + task;
  return TempDir::read(path).substr(span.offset, span.length);
}

MapWork map_of(std::vector<BlockRead> blocks, const std::string& mapper, std::uint32_t partitions) {
  MapWork work;
  work.job = JobId{1};
  work.mapper = mapper;
  work.blocks = std::move(blocks);
  work.input_path = "/in";
  work.partitions = partitions;
  work.job_token = "job-token";
  return work;
}

}  // namespace proffer::live
