// A MapReduce job on one machine, by the oldest tools there are: a shell, files, and sort(1). What it shares
// with the worker is only the rule by which keys belong to reduces.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "live/worker/line_key.hpp"
#include "proffer/live/local_mapreduce.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone with its owner.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make(const fs::path& beside) {
    auto name = (beside / ".proffer-local-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return io_error("cannot make a folder in " + beside.string());
    return ScratchFolder(name);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

/// A program with files for its input and output.
struct Step {
  std::string what;  // the name for people
  std::vector<std::string> argv;
  fs::path in;
  fs::path out;
  fs::path folder;
  Environment env;
};

/// Returns the step's variables, and ours that it does not set.
std::vector<std::string> environment_of(const Step& step) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : step.env) variables.push_back(name + "=" + value);
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    const auto name = text.substr(0, text.find('='));
    const bool is_set = std::any_of(step.env.begin(), step.env.end(),
                                    [&](const auto& variable) { return variable.first == name; });
    if (!is_set) variables.push_back(text);
  }
  return variables;
}

/// Returns 0, or an errno.
int spawn(const Step& step, pid_t& pid) {
  SpawnActions actions;
  actions.read_from(step.in.string(), 0);
  actions.write_to(step.out.string(), 1);
  actions.enter(step.folder.string());
  const auto variables = environment_of(step);
  return ::posix_spawnp(&pid, step.argv[0].c_str(), actions.get(), nullptr, spawn_words(step.argv).data(),
                        spawn_words(variables).data());
}

Result<> run(const Step& step) {
  pid_t pid = -1;
  if (const int error = spawn(step, pid); error != 0) {
    return io_error("the " + step.what + " cannot be started", error);
  }
  const auto status = wait_for_end(pid);
  if (!status) return io_error("cannot wait for the " + step.what);
  if (*status == 0) return {};
  const auto exit = exit_status(*status);
  const auto how =
      exit.signal != 0 ? "signal " + std::to_string(exit.signal) : "exit code " + std::to_string(exit.code);
  return Error{ErrorCode::refused, "the " + step.what + " ended with " + how};
}

bool is_hidden(const fs::path& path) {
  const auto name = path.filename().string();
  return name.starts_with("_") || name.starts_with(".");
}

/// Returns all files of the inputs, in order of path within each.
Result<std::vector<fs::path>> find_inputs(const std::vector<std::string>& inputs) {
  std::vector<fs::path> found;
  for (const auto& input : inputs) {
    std::error_code error;
    if (!fs::exists(input, error))
      return Error{ErrorCode::not_found, "the input " + input + " does not exist"};
    if (!fs::is_directory(input)) {
      found.push_back(fs::absolute(input));
      continue;
    }
    std::vector<fs::path> below;
    for (fs::recursive_directory_iterator entry(input, error), end; !error && entry != end;
         entry.increment(error)) {
      if (is_hidden(entry->path())) {
        entry.disable_recursion_pending();
      } else if (entry->is_regular_file()) {
        below.push_back(fs::absolute(entry->path()));
      }
    }
    if (error) return Error{ErrorCode::io, "cannot read " + input + ": " + error.message()};
    std::sort(below.begin(), below.end());
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

/// Appends a file to another; one that does not end with a line's end gets it, since records of two files are
/// never one.
Result<> append(const fs::path& from, std::ofstream& to) {
  std::ifstream in(from, std::ios::binary);
  if (!in) return io_error("cannot read " + from.string());
  std::string piece(1 << 20, '\0');
  char last = '\n';
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    to.write(piece.data(), in.gcount());
    last = piece[static_cast<std::size_t>(in.gcount()) - 1];
  }
  if (last != '\n') to.put('\n');
  return to ? Result<>() : io_error("cannot copy " + from.string());
}

class LocalRun {
 public:
  LocalRun(const LocalJob& job, fs::path work, fs::path result)
      : job_(job), work_(std::move(work)), result_(std::move(result)) {}

  Result<> run_all(const std::vector<fs::path>& inputs) {
    if (auto shipped = ship(); !shipped) return shipped;
    const bool map_only = job_.num_reduces == 0 || job_.reducer.empty() || job_.reducer == "NONE";
    auto done = map_only ? map_each(inputs) : map_and_reduce(inputs);
    if (!done) return done;
    return std::ofstream(result_ / "_SUCCESS") ? Result<>() : io_error("cannot write the output");
  }

 private:
  fs::path part(std::size_t index) const {
    auto digits = std::to_string(index);
    return result_ / ("part-" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits);
  }

  Result<> ship() const {
    for (const auto& file : job_.files) {
      std::ofstream out(work_ / file.name, std::ios::binary);
      out << file.bytes;
      if (!out.flush()) return io_error("cannot write " + file.name);
      if (file.executable) fs::permissions(work_ / file.name, fs::perms::owner_all);
    }
    for (const auto& [name, path] : job_.links) {
      std::error_code error;
      if (!fs::is_regular_file(path, error)) {
        return Error{ErrorCode::not_found, "the cached file " + path + " does not exist"};
      }
      fs::create_symlink(fs::absolute(path), work_ / name, error);
      if (error) return Error{ErrorCode::io, "cannot link " + name + ": " + error.message()};
    }
    return {};
  }

  Step command(const std::string& what, const std::string& text, std::size_t index) const {
    const char* path = std::getenv("PATH");
    const bool map = what == "mapper";
    Environment env{{"PATH", work_.string() + ":" + (path ? path : "/usr/local/bin:/usr/bin:/bin")},
                    {"mapreduce_job_id", "job_local_0001"},
                    {"mapreduce_task_partition", std::to_string(index)},
                    {"mapreduce_task_ismap", map ? "true" : "false"}};
    for (const auto& [name, value] : job_.env) {
      std::erase_if(env, [&name = name](const auto& one) { return one.first == name; });
      env.emplace_back(name, value);
    }
    return {.what = what,
            .argv = {"sh", "-c", text},
            .in = {},
            .out = {},
            .folder = work_,
            .env = std::move(env)};
  }

  Result<> map(const fs::path& in, const fs::path& out, std::size_t index,
               const std::optional<fs::path>& file) const {
    auto mapper = command("mapper", job_.mapper, index);
    mapper.in = in;
    mapper.out = out;
    if (file) {
      mapper.env.emplace_back("mapreduce_map_input_file", file->string());
      mapper.env.emplace_back("map_input_file", file->string());
    }
    return run(mapper);
  }

  Result<> map_each(const std::vector<fs::path>& inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (auto mapped = map(inputs[i], part(i), i, inputs[i]); !mapped) return mapped;
    }
    return {};
  }

  Result<> map_and_reduce(const std::vector<fs::path>& inputs) const {
    const auto whole = work_ / ".input";
    std::ofstream all(whole, std::ios::binary);
    for (const auto& input : inputs) {
      if (auto appended = append(input, all); !appended) return appended;
    }
    all.close();
    const auto one = inputs.size() == 1 ? std::optional(inputs.front()) : std::nullopt;
    if (auto mapped = map(whole, work_ / ".mapped", 0, one); !mapped) return mapped;
    if (auto marked = mark_partitions(); !marked) return marked;
    // The partition goes before each line, so that one sort does it all; lines of equal keys are then in the
    // order of their bytes, which is sort's last resort.
    const Step sort{.what = "sort",
                    .argv = {"sort", "-t", "\t", "-k1,1n", "-k2,2"},
                    .in = work_ / ".marked",
                    .out = work_ / ".sorted",
                    .folder = work_,
                    .env = {{"LC_ALL", "C"}, {"TMPDIR", work_.string()}}};
    if (auto sorted = run(sort); !sorted) return sorted;
    return reduce_each();
  }

  Result<> mark_partitions() const {
    std::ifstream in(work_ / ".mapped", std::ios::binary);
    std::ofstream out(work_ / ".marked", std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      out << partition_of(line.substr(0, line.find('\t')), job_.num_reduces) << '\t' << line << '\n';
    }
    out.close();
    return out ? Result<>() : io_error("cannot write what the mapper made");
  }

  Result<> reduce_each() const {
    std::ifstream in(work_ / ".sorted", std::ios::binary);
    std::string line;
    bool more = static_cast<bool>(std::getline(in, line));
    for (std::uint32_t index = 0; index < job_.num_reduces; ++index) {
      std::ofstream out(work_ / ".reduce", std::ios::binary);
      const auto mark = std::to_string(index) + "\t";
      for (; more && line.starts_with(mark); more = static_cast<bool>(std::getline(in, line))) {
        out << std::string_view(line).substr(mark.size()) << '\n';
      }
      out.close();
      if (!out) return io_error("cannot write a reducer's input");
      auto reducer = command("reducer", job_.reducer, index);
      reducer.in = work_ / ".reduce";
      reducer.out = part(index);
      if (auto reduced = run(reducer); !reduced) return reduced;
    }
    return more ? Result<>(Error{ErrorCode::corrupt, "sort has lost the order of partitions"}) : Result<>();
  }

  const LocalJob& job_;
  fs::path work_;    // the folder in which the commands run
  fs::path result_;  // becomes the output
};

Result<> check(const LocalJob& job) {
  if (job.mapper.empty()) return Error{ErrorCode::invalid, "the job has no mapper"};
  if (job.inputs.empty()) return Error{ErrorCode::invalid, "the job has no input"};
  if (job.output.empty()) return Error{ErrorCode::invalid, "the job has no output"};
  for (const auto& file : job.files) {
    if (file.name.empty() || file.name.find('/') != std::string::npos || file.name.front() == '.') {
      return Error{ErrorCode::invalid, "a shipped file cannot be named \"" + file.name + "\""};
    }
  }
  std::error_code error;
  if (fs::symlink_status(job.output, error).type() != fs::file_type::not_found) {
    return Error{ErrorCode::exists, "the output " + job.output + " exists"};
  }
  return {};
}

}  // namespace

Result<> run_local_mapreduce(const LocalJob& job) {
  if (auto checked = check(job); !checked) return checked;
  const auto inputs = find_inputs(job.inputs);
  if (!inputs) return inputs.error();
  std::error_code error;
  auto output = fs::absolute(job.output);
  if (!output.has_filename()) output = output.parent_path();  // "out/"
  fs::create_directories(output.parent_path(), error);
  const auto scratch = ScratchFolder::make(output.parent_path());
  if (!scratch) return scratch.error();
  const auto work = scratch->path() / "work";
  const auto result = scratch->path() / "result";
  fs::create_directory(work, error);
  fs::create_directory(result, error);
  if (error) return Error{ErrorCode::io, "cannot make " + result.string() + ": " + error.message()};
  if (auto done = LocalRun(job, work, result).run_all(*inputs); !done) return done;
  fs::rename(result, output, error);
  if (error) return Error{ErrorCode::io, "cannot make " + job.output + ": " + error.message()};
  return {};
}

}  // namespace proffer::live
