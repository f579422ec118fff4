#include "live/store/data_folders.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "live/os/open_file.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestToken = 4096;

Error bad_folder(const std::string& path, const std::error_code& error) {
  return {ErrorCode::io, "cannot use the folder " + path + ": " + error.message()};
}

/// The id that a file's name is; only the one spelling that we write.
std::optional<BlockId> block_of(const std::string& name) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc{} || id == 0 || std::to_string(id) != name) return {};
  return BlockId{id};
}

}  // namespace

Result<std::vector<std::pair<BlockId, std::uint64_t>>> DataFolders::prepare() const {
  std::error_code error;
  for (const auto& folder : {blocks_, outputs_}) {
    fs::create_directories(folder, error);
    if (error) return bad_folder(folder, error);
  }
  std::vector<std::pair<BlockId, std::uint64_t>> found;
  for (fs::directory_iterator entry(blocks_, error), end; !error && entry != end; entry.increment(error)) {
    const auto& path = entry->path();
    std::error_code ignored;
    if (path.extension() == ".part") fs::remove(path, ignored);
    const auto block = block_of(path.filename().string());
    if (!block || !fs::is_regular_file(entry->symlink_status(ignored))) continue;
    found.emplace_back(*block, fs::file_size(path, ignored));
  }
  if (error) return bad_folder(blocks_, error);
  std::sort(found.begin(), found.end());
  return found;
}

std::string DataFolders::block(BlockId block) const { return blocks_ + "/" + std::to_string(block.value); }

std::string DataFolders::part(BlockId block) const { return this->block(block) + ".part"; }

std::string DataFolders::copied(BlockId block) const { return this->block(block) + ".copy.part"; }

std::string DataFolders::job_folder(FrameworkId framework, JobId job) const {
  return outputs_ + "/" + to_hex(framework.value) + "/" + std::to_string(job.value);
}

Result<std::string> DataFolders::task_output(FrameworkId framework, JobId job, const TaskId& task) const {
  // Names that begin with a dot are ours, the token's among them.
  if (!valid_task_id(task.value) || task.value.front() == '.') {
    return Error{ErrorCode::invalid, "this cannot be the name of a task with output"};
  }
  return job_folder(framework, job) + "/" + task.value;
}

Result<std::string> DataFolders::output(const MapOutputFile& output) const {
  return task_output(output.framework, output.job, output.map);
}

Result<std::string> DataFolders::command_output(const CommandOutput& output) const {
  auto path = task_output(output.framework, output.job, output.task);
  if (path) *path += output.is_err ? "~stderr" : "~stdout";  // '~' is in no task's name
  return path;
}

Result<std::string> DataFolders::job_token(FrameworkId framework, JobId job) const {
  const auto file = OpenFile::to_read(job_folder(framework, job) + "/.token");
  if (!file) return Error{ErrorCode::not_found, "there are no outputs of this job here"};
  return file->read_at(0, kLongestToken);
}

bool DataFolders::delete_block(BlockId block) const {
  std::error_code ignored;
  fs::remove(part(block), ignored);
  return fs::remove(this->block(block), ignored);
}

void DataFolders::delete_outputs(FrameworkId framework, JobId job) const {
  std::error_code ignored;
  const auto all = outputs_ + "/" + to_hex(framework.value);
  fs::remove_all(job.value == 0 ? all : job_folder(framework, job), ignored);
  // The framework's folder goes with its last job; a folder that is not empty stays.
  if (job.value != 0) fs::remove(all, ignored);
}

}  // namespace proffer::live
