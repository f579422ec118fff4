#include "proffer/formats/job_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "proffer/formats/job_pools.hpp"
#include "proffer/formats/nearest.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/formats/user_limits.hpp"
#include "proffer/frameworks/task_pool.hpp"
#include "proffer/pool_path.hpp"

namespace proffer {
namespace {

using formats::Position;
using formats::TomlNode;
using formats::TomlType;

const std::vector<std::string_view> kKeys{"name",     "input",    "output",      "mapper", "reducer",
                                          "combiner", "reduces",  "cache_files", "env",    "pool",
                                          "user",     "priority", "deadline",    "after"};
using Pools = std::vector<PoolSpec>;

bool has_pool(const Pools& pools, const std::string& name) {
  return name.empty() || std::any_of(pools.begin(), pools.end(),
                                     [&](const PoolSpec& pool) { return lies_in(pool.name, name); });
}

/// Returns whether a job of that name stands anywhere in the list.
bool is_listed(const TomlNode& list, std::string_view name) {
  return std::any_of(list.items.begin(), list.items.end(), [name](const TomlNode& table) {
    return std::any_of(table.members.begin(), table.members.end(), [name](const auto& member) {
      return member.key.name == "name" && member.node.text == name;
    });
  });
}

/// Reads one [[job]] table; reports the first error in it. `above`: what was read of the file so far.
class JobReader {
 public:
  JobReader(std::string_view file, const TomlNode& list, const TomlNode& table, const JobList& above)
      : file_(file), list_(list), table_(table), above_(above) {}

  Result<JobSpec> read() {
    for (const auto& [key, value] : table_.members) member(key, value);
    for (const auto* wanted : {"input", "output", "mapper"}) {
      const bool given = has(wanted) || (wanted == std::string_view("input") && has("after"));
      if (!given) fail(table_.position, fmt::format("this job has no {}", wanted));
    }
    if (error_) return *error_;
    if (job_.inputs.empty()) job_.inputs = std::move(outputs_before_);
    return std::move(job_);
  }

 private:
  void fail(Position position, const std::string& what) {
    if (!error_) error_ = formats::error_at(file_, position, what);
  }
  bool has(std::string_view key) const {
    return std::any_of(table_.members.begin(), table_.members.end(),
                       [key](const auto& member) { return member.key.name == key; });
  }

  void member(const formats::TomlKey& key, const TomlNode& value) {
    if (key.name == "name") return text(key.name, value, job_.name);
    if (key.name == "output") return text(key.name, value, job_.output);
    if (key.name == "mapper") return text(key.name, value, job_.mapper);
    if (key.name == "reducer") return text(key.name, value, job_.reducer);
    if (key.name == "combiner") return text(key.name, value, job_.combiner);
    if (key.name == "input") return paths(key.name, value, job_.inputs);
    if (key.name == "cache_files") return cached(value);
    if (key.name == "reduces") return reduces(value);
    if (key.name == "env") return environment(value);
    if (key.name == "user") return text(key.name, value, job_.user);
    if (key.name == "pool") return pool(value);
    if (key.name == "priority") return priority(value);
    if (key.name == "deadline") return deadline(value);
    if (key.name == "after") return after(value);
    fail(key.position, formats::unknown("key", key.name, kKeys));
  }

  void text(std::string_view key, const TomlNode& value, std::string& into) {
    if (value.type != TomlType::string) return fail(value.position, fmt::format("{} is a string", key));
    into = value.text;
  }

  void paths(std::string_view key, const TomlNode& value, std::vector<std::string>& into) {
    names(key, "a path or a list of paths", value, into);
  }

  void names(std::string_view key, std::string_view wanted, const TomlNode& value,
             std::vector<std::string>& into) {
    if (value.type == TomlType::string) return into.push_back(value.text);
    const bool texts = value.type == TomlType::array && !value.items.empty() &&
                       std::all_of(value.items.begin(), value.items.end(),
                                   [](const TomlNode& item) { return item.type == TomlType::string; });
    if (!texts) return fail(value.position, fmt::format("{} is {}", key, wanted));
    for (const auto& item : value.items) into.push_back(item.text);
  }

  void cached(const TomlNode& value) {
    std::vector<std::string> texts;
    paths("cache_files", value, texts);
    for (const auto& text : texts) job_.cached.push_back(parse_cached(text));
  }

  void reduces(const TomlNode& value) {
    if (value.type != TomlType::integer || value.integer < 0 || value.integer > kMaxReduces) {
      return fail(value.position, fmt::format("reduces is a whole number from 0 to {}", kMaxReduces));
    }
    job_.num_reduces = static_cast<std::uint32_t>(value.integer);
  }

  void pool(const TomlNode& value) {
    text("pool", value, job_.pool);
    if (!error_ && !has_pool(above_.pools, job_.pool)) {
      fail(value.position, fmt::format("pool \"{}\" is not the name of a [[pool]] in this file", value.text));
    }
  }

  void priority(const TomlNode& value) {
    const auto at = std::find(kPriorities.begin(), kPriorities.end(), value.text);
    if (value.type != TomlType::string || at == kPriorities.end()) {
      return fail(value.position, fmt::format("priority is one of {}", fmt::join(kPriorities, ", ")));
    }
    job_.priority = static_cast<Priority>(at - kPriorities.begin());
  }

  void deadline(const TomlNode& value) {
    const auto time = parse_duration(value.type == TomlType::string ? value.text : std::string());
    if (!time || *time <= Duration::zero()) {
      return fail(value.position, "deadline is a time within which the job is to be done, such as \"10m\"");
    }
    job_.deadline = *time;
  }

  void after(const TomlNode& value) {
    names("after", "a job or a list of jobs", value, job_.after);
    for (const auto& name : job_.after) {
      const auto is_named = [&](const JobSpec& job) { return job.name == name; };
      const auto number = std::count_if(above_.jobs.begin(), above_.jobs.end(), is_named);
      if (number != 1) return fail(value.position, refusal(name, number > 1));
      if (std::count(job_.after.begin(), job_.after.end(), name) > 1) {
        return fail(value.position, fmt::format("after names \"{}\" twice", name));
      }
      outputs_before_.push_back(std::find_if(above_.jobs.begin(), above_.jobs.end(), is_named)->output);
    }
  }

  /// Jobs come after jobs above them only, so that none waits for itself, by way of others either.
  std::string refusal(const std::string& name, bool several) const {
    if (several) return fmt::format("after \"{}\": two jobs above are named so", name);
    if (is_listed(list_, name)) {
      return fmt::format(
          "after \"{}\": that job does not stand above this one; write jobs in an order in which "
          "none waits for one below, nor for itself",
          name);
    }
    return fmt::format("after \"{}\": there is no job of that name", name);
  }

  void environment(const TomlNode& value) {
    if (value.type != TomlType::table) return fail(value.position, "env is a table of strings");
    for (const auto& [name, text] : value.members) {
      if (text.type != TomlType::string) return fail(text.position, "env is a table of strings");
      job_.env.emplace_back(name.name, text.text);
    }
  }

  std::string_view file_;
  const TomlNode& list_;
  const TomlNode& table_;
  const JobList& above_;
  JobSpec job_;
  std::vector<std::string> outputs_before_;  ///< of the jobs that it comes after
  std::optional<Error> error_;
};

bool are_tables(const TomlNode& value) {
  return value.type == TomlType::array && !value.items.empty() && value.items.front().type == TomlType::table;
}

Result<> read_pools(const TomlNode& list, const std::string& file, PoolOrder root, Pools& pools) {
  auto read = formats::read_job_pools(list, "[[pool]]", file, root);
  if (!read) return read.error();
  pools = std::move(*read);
  return {};
}

Result<> read_jobs(const TomlNode& list, const std::string& file, JobList& into) {
  for (const auto& table : list.items) {
    auto job = JobReader(file, list, table, into).read();
    if (!job) return job.error();
    into.jobs.push_back(std::move(*job));
  }
  return {};
}

}  // namespace

Result<JobList> read_job_list(const std::string& path, PoolOrder uppermost) {
  const auto text = formats::read_text_file(path);
  if (!text) return text.error();
  const auto root = formats::parse_toml(*text, path);
  if (!root) return root.error();
  for (const auto& [key, value] : root->members) {
    const bool known = key.name == "job" || key.name == "pool" || key.name == "user";
    if (known && are_tables(value)) continue;
    return formats::error_at(path, key.position,
                             "a job list holds [[job]], [[pool]] and [[user]] tables and nothing else");
  }
  JobList list;
  for (const auto& [key, value] : root->members) {
    if (key.name != "user") continue;
    auto users = formats::read_user_limits(value, "[[user]]", path);
    if (!users) return users.error();
    list.users = std::move(*users);
  }
  for (const auto* wanted : {"pool", "job"}) {  // pools first: jobs are in them
    for (const auto& [key, value] : root->members) {
      if (key.name != wanted) continue;
      const bool of_pools = key.name == "pool";
      auto read = of_pools ? read_pools(value, path, uppermost, list.pools) : read_jobs(value, path, list);
      if (!read) return read.error();
    }
  }
  if (list.jobs.empty()) return formats::error_at(path, {1, 1}, "there is no [[job]] in this file");
  return list;
}

}  // namespace proffer
