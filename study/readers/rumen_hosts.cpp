#include "study/readers/rumen_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/readers/json_fields.hpp"

namespace proffer::study {
namespace {

using formats::JsonNode;
using formats::JsonType;

std::string path_of(const std::string& above, const std::string& name) {
  return above.empty() ? name : fmt::format("{}/{}", above, name);
}

/// Below a rack named `rack`; empty: right below the root.
Result<> add_host(Assembly& assembly, TracePlace place, const std::string& rack, const std::string& name) {
  if (rack.empty()) return error_at(place, fmt::format("rack \"{}\" has no hosts; expected some", name));
  if (assembly.has_node(name)) {
    return error_at(place, fmt::format("host \"{}\" is there twice; expected a name of its own", name));
  }
  return assembly.add_node(place, name, rack);
}

/// Adds the hosts of a part of the topology, or that host itself. `above`: the path to it.
Result<> add_part(Assembly& assembly, std::string_view file, const std::string& above,
                  const JsonNode& object) {
  JsonFields fields(file, object);
  const auto name = plain_name(fields.text("name"));
  const auto& children = fields.items("children");
  if (fields.error()) return *fields.error();
  if (children.empty()) return add_host(assembly, fields.place(), above, name);
  const auto path = path_of(above, name);
  for (const auto& child : children) {
    if (const auto added = add_part(assembly, file, path, child); !added) return added.error();
  }
  return {};
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain(name);
  std::erase(plain, '\\');
  return plain;
}

Result<RumenHost> host_at(std::string_view file, const JsonNode& location) {
  JsonFields fields(file, location);
  const auto& layers = fields.items("layers");
  if (fields.error()) return *fields.error();
  const bool names = std::all_of(layers.begin(), layers.end(), [](const JsonNode& layer) {
    return layer.type == JsonType::string && !layer.text.empty();
  });
  if (!names || layers.size() < 2) {
    return error_at(fields.place(), "layers is no place; expected [\"RACK\", \"HOST\"]");
  }
  std::string rack;
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) rack = path_of(rack, plain_name(layers[i].text));
  return RumenHost{rack, plain_name(layers.back().text)};
}

Result<> add_topology(Assembly& assembly, std::string_view text, std::string_view file) {
  const auto root = formats::parse_json(text, file);
  if (!root) return root.error();
  JsonFields fields(file, *root);
  const auto& racks = fields.items("children");
  if (fields.error()) return *fields.error();
  if (racks.empty()) return error_at(fields.place(), "the topology has no racks; expected them in children");
  for (const auto& rack : racks) {
    if (const auto added = add_part(assembly, file, "", rack); !added) return added.error();
  }
  return {};
}

}  // namespace proffer::study
