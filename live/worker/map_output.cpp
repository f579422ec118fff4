#include "live/worker/map_output.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/replace_file.hpp"

namespace proffer::live {
namespace {

std::string job_folder(const WorkerEnv& env, JobId job) {
  return env.outputs_dir + "/" + to_hex(env.framework.value) + "/" + std::to_string(job.value);
}

}  // namespace

std::string map_output_path(const WorkerEnv& env, JobId job, const TaskId& map) {
  return job_folder(env, job) + "/" + map.value;
}

Result<std::unique_ptr<MapOutputWriter>> MapOutputWriter::create(const WorkerEnv& env, JobId job) {
  const auto folder = job_folder(env, job);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return io_error("cannot make " + folder, error.value());
  auto part = folder + "/." + env.task.value + ".part";
  auto file = OpenFile::to_replace(part, kTaskFile);
  if (!file) return file.error();
  return std::unique_ptr<MapOutputWriter>(
      new MapOutputWriter(std::move(part), map_output_path(env, job, env.task), std::move(*file)));
}

MapOutputWriter::~MapOutputWriter() {
  if (!part_.empty()) std::remove(part_.c_str());
}

void MapOutputWriter::end_partition() {
  if (spans_.empty()) return;
  auto& span = spans_.back();
  span.length = file_.size() - span.offset;
  span.crc32 = crc_.value();
}

void MapOutputWriter::begin_partition() {
  end_partition();
  spans_.push_back({.offset = file_.size()});
  crc_ = {};
}

Result<> MapOutputWriter::append_line(std::string_view line) {
  crc_.add(line);
  crc_.add("\n");
  return file_.append_line(line);
}

Result<> MapOutputWriter::close() {
  end_partition();
  if (auto flushed = file_.flush(); !flushed) return flushed;
  if (auto renamed = rename_whole(part_, path_); !renamed) return renamed;
  part_.clear();
  return {};
}

}  // namespace proffer::live
