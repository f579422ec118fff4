#include "cli/plugins.hpp"

#include "proffer/plugins/load.hpp"

namespace proffer::cli {

Result<> load_plugins(const std::vector<std::string>& files) {
  for (const auto& file : files) {
    if (auto loaded = load_policies(file); !loaded) return loaded.error();
  }
  return {};
}

}  // namespace proffer::cli
