// [faults]: how often nodes, racks, the network and the servers fail, and for how long.
#include <array>

#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 2> kCutParts{"rack", "node"};
enum class CutPart : std::uint8_t { rack, node };

struct AsCutPart {
  static Complaint read(const TomlNode& node, bool& cuts_nodes) {
    auto part = CutPart::rack;
    auto complaint = AsChoice<CutPart, kCutParts>::read(node, part);
    cuts_nodes = part == CutPart::node;
    return complaint;
  }
};

/// A distribution, or "none".
struct AsFailures {
  static Complaint read(const TomlNode& node, std::optional<Distribution>& value) {
    value.reset();
    if (node.type == TomlType::string && node.text == "none") return {};
    return AsOptional<AsDistribution>::read(node, value);
  }
};

std::span<const Setting<FaultSource>> source_keys() {
  using S = FaultSource;
  static constexpr std::array kKeys{
      reading<S, AsFailures, [](auto& s) -> auto& { return s.mtbf; }>("mtbf"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.mttr; }>("mttr"),
      elsewhere<S>("of"),
      elsewhere<S>("factor"),
  };
  return kKeys;
}

struct Source {
  std::string_view name;
  FaultSource FaultsSection::*member;
};
constexpr std::array kSources{
    Source{"nodes", &FaultsSection::nodes},           Source{"racks", &FaultsSection::racks},
    Source{"partitions", &FaultsSection::partitions}, Source{"slow", &FaultsSection::slow},
    Source{"allocator", &FaultsSection::allocator},   Source{"catalog", &FaultsSection::catalog}};

std::span<const Setting<FaultsSection>> faults_keys() {
  using S = FaultsSection;
  static constexpr std::array kKeys{elsewhere<S>("nodes"),      elsewhere<S>("racks"),
                                    elsewhere<S>("partitions"), elsewhere<S>("slow"),
                                    elsewhere<S>("allocator"),  elsewhere<S>("catalog")};
  return kKeys;
}

Result<> read_source(const TomlNode& table, std::string_view name, std::string_view file,
                     FaultSource& source) {
  if (table.type != TomlType::table) {
    return error_at(file, table.position,
                    fmt::format("{} must be a table, such as {{ mtbf = \"exponential(2h)\", mttr = "
                                "\"lognormal(5m, 2m)\" }}",
                                name));
  }
  if (auto read = formats::read_settings(table, source_keys(), name, file, source); !read) return read;
  if (source.mtbf && !source.mttr) {
    return error_at(file, table.position, fmt::format("{} needs mttr as well, how long a fault lasts", name));
  }
  return {};
}

}  // namespace

Result<> read_faults(const TomlNode* section, std::string_view file, FaultsSection& faults) {
  if (section == nullptr) return {};
  if (auto read = formats::read_settings(*section, faults_keys(), "[faults]", file, faults); !read)
    return read;
  for (const auto& [name, member] : kSources) {
    const auto* table = find_member(*section, name);
    if (table == nullptr) continue;
    const auto full = fmt::format("faults.{}", name);
    if (auto read = read_source(*table, full, file, faults.*member); !read) return read;
    if (const auto* of = find_member(*table, "of"); of != nullptr) {
      const auto complaint =
          name == "partitions" ? AsCutPart::read(*of, faults.cuts_nodes) : "is only for partitions";
      if (!complaint.empty()) return error_at(file, of->position, fmt::format("of {}", complaint));
    }
    if (const auto* factor = find_member(*table, "factor"); factor != nullptr) {
      const auto complaint =
          name == "slow" ? AsFactor::read(*factor, faults.slow.factor_milli) : "is only for slow";
      if (!complaint.empty()) return error_at(file, factor->position, fmt::format("factor {}", complaint));
    }
  }
  return {};
}

}  // namespace proffer::study
