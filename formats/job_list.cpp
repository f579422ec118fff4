#include "proffer/formats/job_list.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace proffer {
namespace {

constexpr std::array<std::string_view, 8> kKeys{"name",    "input",    "output",  "mapper",
                                                "reducer", "combiner", "reduces", "env"};

/// Reads one [[job]] table; the first thing wrong with it ends the reading.
class JobReader {
 public:
  JobReader(const std::string& path, const toml::table& table) : path_(path), table_(table) {}

  Result<JobSpec> read() {
    for (const auto& [key, value] : table_) {
      if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end()) {
        fail(value,
             fmt::format("\"{}\" is no key of a job; there are {}", key.str(), fmt::join(kKeys, ", ")));
      }
    }
    job_.num_reduces = 1;
    text("name", job_.name, false);
    inputs();
    text("output", job_.output, true);
    text("mapper", job_.mapper, true);
    text("reducer", job_.reducer, false);
    text("combiner", job_.combiner, false);
    reduces();
    environment();
    if (error_) return *error_;
    return std::move(job_);
  }

 private:
  void fail(const toml::node& node, const std::string& what) {
    const auto at = node.source().begin;
    if (!error_)
      error_ = Error{ErrorCode::invalid, fmt::format("{}:{}:{}: {}", path_, at.line, at.column, what)};
  }

  void text(std::string_view key, std::string& into, bool wanted) {
    const auto* node = table_.get(key);
    if (node == nullptr) {
      if (wanted) fail(table_, fmt::format("this job has no \"{}\"", key));
    } else if (const auto* value = node->as_string()) {
      into = value->get();
    } else {
      fail(*node, fmt::format("\"{}\" is a string", key));
    }
  }

  void inputs() {
    const auto* node = table_.get("input");
    if (node == nullptr) return fail(table_, "this job has no \"input\"");
    if (const auto* one = node->as_string()) {
      job_.inputs.push_back(one->get());
      return;
    }
    const auto* list = node->as_array();
    if (list == nullptr || list->empty()) return fail(*node, "\"input\" is a path or a list of paths");
    for (const auto& path : *list) {
      if (!path.is_string()) return fail(path, "\"input\" is a path or a list of paths");
      job_.inputs.push_back(path.as_string()->get());
    }
  }

  void reduces() {
    const auto* node = table_.get("reduces");
    if (node == nullptr) return;
    const auto* count = node->as_integer();
    if (count == nullptr || count->get() < 0 || count->get() > kMaxReduces) {
      return fail(*node, fmt::format("\"reduces\" is a number from 0 to {}", kMaxReduces));
    }
    job_.num_reduces = static_cast<std::uint32_t>(count->get());
  }

  void environment() {
    const auto* node = table_.get("env");
    if (node == nullptr) return;
    const auto* values = node->as_table();
    if (values == nullptr) return fail(*node, "\"env\" is a table of strings");
    for (const auto& [name, value] : *values) {
      if (!value.is_string()) return fail(value, "\"env\" is a table of strings");
      job_.env.emplace_back(std::string(name.str()), value.as_string()->get());
    }
  }

  const std::string& path_;
  const toml::table& table_;
  JobSpec job_;
  std::optional<Error> error_;
};

Result<std::vector<JobSpec>> read_jobs(const std::string& path, const toml::table& root) {
  const auto* jobs = root.get_as<toml::array>("job");
  if (jobs == nullptr || root.size() != 1 || jobs->empty()) {
    return Error{ErrorCode::invalid,
                 path + ":1:1: a job list holds [[job]] tables, at least one, and nothing else"};
  }
  std::vector<JobSpec> specs;
  for (const auto& node : *jobs) {
    const auto* table = node.as_table();
    if (table == nullptr) return Error{ErrorCode::invalid, path + ":1:1: write [[job]] above each job"};
    auto spec = JobReader(path, *table).read();
    if (!spec) return spec.error();
    specs.push_back(std::move(*spec));
  }
  return specs;
}

}  // namespace

Result<std::vector<JobSpec>> read_job_list(const std::string& path) {
  try {
    return read_jobs(path, toml::parse_file(path));
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    if (at.line == 0) return Error{ErrorCode::not_found, "cannot read the job list " + path};
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}:{}: {}", path, at.line, at.column, error.description())};
  }
}

}  // namespace proffer
