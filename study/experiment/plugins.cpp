#include "study/experiment/plugins.hpp"

#include <algorithm>
#include <utility>

#include "study/experiment/traces.hpp"

namespace proffer::study {
namespace {

void note(Plugin plugin, std::vector<Plugin>& plugins) {
  const bool noted = std::any_of(plugins.begin(), plugins.end(),
                                 [&](const Plugin& other) { return other.path == plugin.path; });
  if (!noted) plugins.push_back(std::move(plugin));
}

bool is_text(const TomlNode& node) { return node.type == TomlType::string && !node.text.empty(); }

}  // namespace

Result<> load_plugins(const TomlNode& root, const std::vector<std::string>& beside, Experiment& experiment) {
  if (const auto* list = find_member(root, "plugins")) {
    if (list->type != TomlType::array || !std::all_of(list->items.begin(), list->items.end(), is_text)) {
      return formats::error_at(experiment.file, list->position,
                               "plugins must be a list of files, such as [\"build/patient.so\"]");
    }
    for (const auto& item : list->items) {
      auto loaded = load_policies(located(item.text, experiment));
      if (!loaded) return formats::error_at(experiment.file, item.position, loaded.error().message);
      note(std::move(*loaded), experiment.plugins);
    }
  }
  for (const auto& path : beside) {
    auto loaded = load_policies(path);
    if (!loaded) return loaded.error();
    note(std::move(*loaded), experiment.plugins);
  }
  return {};
}

}  // namespace proffer::study
