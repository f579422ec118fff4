// The command `proffer policy new`.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/paths.hpp"
#include "cli/policy.hpp"
#include "cli/policy_template.hpp"
#include "proffer/frameworks/policy_registry.hpp"

namespace proffer::cli {
namespace fs = std::filesystem;
namespace {

/// Checks a name as the registry would.
Result<> check_name(const std::string& name) {
  PolicyRegistry one;
  one.add(name, "", nullptr);
  if (one.error()) return *one.error();
  if (policy_registry().describe(name)) {
    return Error{ErrorCode::exists,
                 fmt::format("there is a policy '{}' already; give yours another name", name)};
  }
  return {};
}

bool write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return static_cast<bool>(out);
}

}  // namespace

Result<> write_policy_folder(const std::string& name, const std::string& folder) {
  if (auto checked = check_name(name); !checked) return checked;
  std::error_code failed;
  if (fs::exists(folder, failed)) {
    return Error{ErrorCode::exists, fmt::format("{} is there already; nothing is overwritten", folder)};
  }
  fs::create_directories(folder, failed);
  bool written = !failed;
  for (const auto& [file, text] : policy_files(name, own_source()))
    written = written && write(fs::path(folder) / file, text);
  if (written) return {};
  if (!failed) fs::remove_all(folder, failed);
  return Error{ErrorCode::io, fmt::format("cannot write to {}", folder)};
}

}  // namespace proffer::cli
