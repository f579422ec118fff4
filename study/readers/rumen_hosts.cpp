#include "study/readers/rumen_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/readers/json_fields.hpp"

namespace proffer::study {
namespace {

using formats::JsonNode;
using formats::JsonType;

Result<> add_host(Assembly& assembly, std::string_view file, const std::string& rack,
                  const JsonNode& object) {
  JsonFields fields(file, object);
  const auto name = plain_name(fields.text("name"));
  const bool is_leaf = fields.items("children").empty();
  if (fields.error()) return *fields.error();
  if (!is_leaf) {
    return error_at(fields.place(),
                    fmt::format("host \"{}\" has children; expected racks and, below them, hosts", name));
  }
  if (assembly.has_node(name)) {
    return error_at(fields.place(),
                    fmt::format("host \"{}\" is there twice; expected a name of its own", name));
  }
  return assembly.add_node(fields.place(), name, rack);
}

Result<> add_rack(Assembly& assembly, std::string_view file, const JsonNode& object) {
  JsonFields fields(file, object);
  const auto rack = plain_name(fields.text("name"));
  const auto& hosts = fields.items("children");
  if (fields.error()) return *fields.error();
  if (hosts.empty())
    return error_at(fields.place(), fmt::format("rack \"{}\" has no hosts; expected some", rack));
  for (const auto& host : hosts) {
    if (const auto added = add_host(assembly, file, rack, host); !added) return added.error();
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
  const bool two = layers.size() == 2 && std::all_of(layers.begin(), layers.end(), [](const JsonNode& layer) {
                     return layer.type == JsonType::string && !layer.text.empty();
                   });
  if (!two) return error_at(fields.place(), "layers is no place; expected [\"RACK\", \"HOST\"]");
  return RumenHost{plain_name(layers[0].text), plain_name(layers[1].text)};
}

Result<> add_topology(Assembly& assembly, std::string_view text, std::string_view file) {
  const auto root = formats::parse_json(text, file);
  if (!root) return root.error();
  JsonFields fields(file, *root);
  const auto& racks = fields.items("children");
  if (fields.error()) return *fields.error();
  if (racks.empty()) return error_at(fields.place(), "the topology has no racks; expected them in children");
  for (const auto& rack : racks) {
    if (const auto added = add_rack(assembly, file, rack); !added) return added.error();
  }
  return {};
}

}  // namespace proffer::study
