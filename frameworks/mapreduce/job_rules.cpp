// Rules by which a job is refused before it begins.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "frameworks/mapreduce/store_path.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

Error invalid(std::string why) { return {ErrorCode::invalid, std::move(why)}; }

Result<> check_text(const char* what, const std::string& text, std::size_t most) {
  if (text.size() > most) {
    return invalid("the " + std::string(what) + " is longer than " + std::to_string(most) + " bytes");
  }
  if (text.find('\0') != std::string::npos) return invalid("the " + std::string(what) + " has a NUL byte");
  return {};
}

bool valid_variable(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= limits::kNameBytes && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

Result<> check_env(const Environment& env) {
  if (env.size() > limits::kArgs) return invalid("a job has at most 1024 environment variables");
  for (const auto& [name, value] : env) {
    if (!valid_variable(name)) return invalid("\"" + name + "\" cannot name an environment variable");
    if (auto text = check_text("environment", value, limits::kTextBytes); !text) return text;
  }
  return {};
}

/// Names of files that every sandbox has.
constexpr std::array<std::string_view, 3> kSandboxFiles{"stdout", "stderr", "work.msgpack"};

bool valid_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos &&
         std::find(kSandboxFiles.begin(), kSandboxFiles.end(), name) == kSandboxFiles.end();
}

Result<> check_cached(const std::vector<CachedPath>& cached, std::set<std::string>& names) {
  if (cached.size() > limits::kCachedFiles) {
    return invalid("a job has at most " + std::to_string(limits::kCachedFiles) + " cached files, not " +
                   std::to_string(cached.size()));
  }
  for (const auto& file : cached) {
    if (file.path.empty()) return invalid("a cached file has an empty path");
    if (auto text = check_text("cached file's path", file.path, limits::kPathBytes); !text) return text;
    if (!valid_file_name(file.name)) {
      return invalid("a cached file cannot be named \"" + file.name + "\"; write PATH#NAME");
    }
    if (!names.insert(file.name).second) {
      return invalid("two files of a task are named " + file.name + "; write PATH#NAME for another name");
    }
  }
  return {};
}

Result<> check_files(const JobSpec& spec) {
  std::set<std::string> names;
  std::size_t bytes = 0;
  for (const auto& file : spec.files) {
    if (!valid_file_name(file.name)) {
      return invalid("a shipped file cannot be named \"" + file.name + "\"");
    }
    if (!names.insert(file.name).second) return invalid("two shipped files are named " + file.name);
    bytes += file.bytes.size();
  }
  if (bytes > limits::kShippedFileBytes) {
    return invalid("the shipped files are larger than " + std::to_string(limits::kShippedFileBytes) +
                   " bytes together; put large data into the store");
  }
  return check_cached(spec.cached, names);
}

Result<> check_paths(const JobSpec& spec) {
  if (spec.inputs.empty() && !spec.synthetic) return invalid("the job has no input");
  for (const auto& input : spec.inputs) {
    if (input.empty()) return invalid("an input has an empty name");
    if (auto text = check_text("input's name", input, limits::kPathBytes); !text) return text;
  }
  if (!spec.writes()) return {};
  if (spec.output.empty()) return invalid("the job has no output");
  // Names of parts and attempts are put behind it.
  return check_text("output's name", spec.output, limits::kPathBytes - 2 * limits::kNameBytes);
}

Result<> check_commands(const JobSpec& spec) {
  if (spec.synthetic) return {};
  if (spec.mapper.find_first_not_of(" \t\n") == std::string::npos) return invalid("the job has no mapper");
  if (auto text = check_text("mapper", spec.mapper, limits::kTextBytes); !text) return text;
  if (auto text = check_text("reducer", spec.reducer, limits::kTextBytes); !text) return text;
  return check_text("combiner", spec.combiner, limits::kTextBytes);
}

Result<> check_numbers(const JobSpec& spec) {
  if (spec.synthetic && spec.synthetic->maps.empty()) return invalid("the job has no maps");
  if (spec.reduce_count() > kMaxReduces) {
    return invalid("a job has at most " + std::to_string(kMaxReduces) + " reduces");
  }
  if (spec.replication < 1 || spec.replication > limits::kReplication) {
    return invalid("the output's replication must be 1 to " + std::to_string(limits::kReplication));
  }
  if (spec.block_bytes < 1 || spec.block_bytes > limits::kBlockBytes) {
    return invalid("the output's block size must be 1 to " + std::to_string(limits::kBlockBytes) + " bytes");
  }
  if (spec.token.empty()) return invalid("the job has no token");
  return check_text("token", spec.token, limits::kNameBytes);
}

}  // namespace

CachedPath parse_cached(std::string_view text) {
  const auto path = text.substr(0, text.rfind('#'));
  const auto name =
      path.size() < text.size() ? text.substr(path.size() + 1) : path.substr(path.rfind('/') + 1);
  return {std::string(path), std::string(name)};
}

Result<> check_job(const JobSpec& spec) {
  if (auto text = check_text("job's name", spec.name, limits::kPathBytes); !text) return text;
  if (auto paths = check_paths(spec); !paths) return paths;
  if (auto commands = check_commands(spec); !commands) return commands;
  if (auto numbers = check_numbers(spec); !numbers) return numbers;
  if (auto env = check_env(spec.env); !env) return env;
  return check_files(spec);
}

std::string output_workshop(const std::string& output) {
  return mapreduce::temporary_path(mapreduce::store_path(output));
}

std::string output_claim(const std::string& output) {
  return mapreduce::claim_path(mapreduce::store_path(output));
}

}  // namespace proffer
