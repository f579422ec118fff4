#include "live/worker/worker.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "live/os/io_error.hpp"
#include "live/worker/file_appender.hpp"
#include "live/worker/file_cache.hpp"
#include "live/worker/instructions.hpp"
#include "live/worker/run_task.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {

constexpr auto kWorkFile = "work.msgpack";

int report_error(int code, const std::string& why) {
  std::fprintf(stderr, "proffer-worker: %s\n", why.c_str());
  return code;
}

Result<Work> read_work() {
  const auto file = OpenFile::to_read(kWorkFile, kTaskFile);
  if (!file) return file.error();
  const auto size = file->size();
  if (!size) return size.error();
  std::string bytes(*size, '\0');
  const auto got = file->read_at(0, bytes.data(), bytes.size());
  if (!got) return got.error();
  bytes.resize(*got);
  return decode_work(bytes);
}

TaskEnd run_task(const WorkerEnv& env, const Work& work, Context& context, ReportWriter& reports) {
  Instructions instructions(env.deliver_fd);
  if (const auto* map = std::get_if<MapWork>(&work)) return run_map(env, *map, context, reports);
  if (const auto* reduce = std::get_if<ReduceWork>(&work)) {
    return run_reduce(env, *reduce, context, reports, instructions);
  }
  if (const auto* work_of_size = std::get_if<SyntheticWork>(&work)) {
    return run_synthetic(env, *work_of_size, context, reports, instructions);
  }
  return {
      .exit_code = kInternalFailure, .result = {}, .why = "commands are for the launcher, not for a worker"};
}

Result<> add_cached(const Work& work, Fetcher& fetcher, CachedFiles& cached) {
  const auto* wanted = std::visit(
      [](const auto& body) -> const std::vector<CachedFile>* {
        if constexpr (requires { body.cached; }) return &body.cached;
        return nullptr;
      },
      work);
  if (wanted == nullptr) return {};
  for (const auto& file : *wanted) {
    if (auto added = cached.add(file, fetcher); !added) return added;
  }
  return {};
}

/// Counts files that were fetched first as read by this task.
void count(const CachedFiles& cached, TaskResult& result) {
  std::visit(
      [&cached](auto& body) {
        if constexpr (requires { body.remote_bytes; }) {
          body.local_bytes += cached.local_bytes();
          body.remote_bytes += cached.remote_bytes();
        }
      },
      result);
}

TaskEnd run(const WorkerEnv& env, const Work& work, ReportWriter& reports) {
  Context context;
  Fetcher fetcher(context, env.fetch_timeout);
  CachedFiles cached({env.cache_dir, env.cache_bytes, env.blocks_dir}, env.sandbox);
  if (auto added = add_cached(work, fetcher, cached); !added) return failed(added.error());
  auto end = run_task(env, work, context, reports);
  count(cached, end.result);
  return end;
}

/// More bytes than a file system has room for by chance when it is full.
constexpr std::size_t kProbeBytes = 64 << 10;

Result<> write_probe() {
  auto file = OpenFile::to_replace("probe", kTaskFile);
  if (!file) return file.error();
  FileAppender out(std::move(*file));
  if (auto put = out.append(std::string(kProbeBytes, 'p')); !put) return put;
  if (auto flushed = out.flush(); !flushed) return flushed;
  if (::fsync(out.file().fd()) != 0) return io_error("cannot sync a file");
  return {};
}

}  // namespace

int run_probe() {
  const char* fd = std::getenv("PROFFER_RESULT_FD");
  if (fd == nullptr) return report_error(kInternalFailure, "only agents probe");
  if (auto written = write_probe(); !written) {
    ReportWriter(std::atoi(fd)).lost(written.error().message);
    return report_error(kIoFailure, written.error().message);
  }
  std::puts("well");
  return 0;
}

int run_worker() {
  // A mapper that has read enough closes its input; writing to it then is no reason to die.
  ::signal(SIGPIPE, SIG_IGN);
  const auto env = worker_env();
  if (!env) return report_error(kInternalFailure, env.error().message);
  const auto work = read_work();
  if (!work) return report_error(kInternalFailure, work.error().message);
  ReportWriter reports(env->result_fd);
  const auto end = run(*env, *work, reports);
  if (!std::holds_alternative<std::monostate>(end.result)) reports.result(end.result);
  if (end.exit_code == 0) return 0;
  if (end.excused) reports.excuse();
  reports.failure(end.why);
  if (end.disk) reports.lost(end.why);
  return report_error(end.exit_code, end.why.substr(0, end.why.find(';')));
}

}  // namespace proffer::live
