#include "live/host/identity.hpp"

#include <charconv>

#include "live/host/record_file.hpp"
#include "proffer/live/entropy.hpp"

namespace proffer::live {
namespace {

ClusterId mint_cluster() { return {seeded_random().bits128()}; }

std::optional<std::uint64_t> number(const Record& record, const std::string& key) {
  const auto found = record.find(key);
  if (found == record.end()) return {};
  const auto& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<Bits128> bits(const Record& record, const std::string& key) {
  const auto found = record.find(key);
  return found == record.end() ? std::nullopt : bits_from_hex(found->second);
}

std::optional<Identity> read_identity(const Record& record) {
  const auto cluster = bits(record, "cluster");
  const auto epoch = number(record, "epoch");
  if (!cluster || !epoch) return {};
  return Identity{{*cluster}, {*epoch}};
}

/// Returns the secret that was kept; a new one for a folder of the time before there were secrets.
Secret kept_or_minted(const Record& record, const std::string& key) {
  const auto kept = bits(record, key);
  return kept ? Secret{*kept} : secret_source().secret();
}

std::optional<AgentStart> read_start(const Record& record) {
  const auto id = bits(record, "id");
  const auto run = number(record, "run");
  if (!id || !run) return {};
  return AgentStart{{*id}, *run, kept_or_minted(record, "secret"), kept_or_minted(record, "catalog-secret")};
}

AgentStart mint_agent() {
  auto secrets = secret_source();
  return {{seeded_random().bits128()}, 0, secrets.secret(), secrets.secret()};
}

Error incomplete(const std::string& path) {
  return {ErrorCode::corrupt, path + " lacks a value that it should have"};
}

}  // namespace

Identity fresh_identity() { return {mint_cluster(), Epoch{1}}; }

Result<Identity> next_identity(const StateDir& dir) {
  const auto path = dir.file("identity");
  const auto known = load_record(path, "identity");
  if (!known) return known.error();
  auto identity = *known ? read_identity(**known) : std::optional(Identity{mint_cluster(), {}});
  if (!identity) return incomplete(path);
  ++identity->epoch.value;
  const Record record{{"cluster", to_hex(identity->cluster.value)},
                      {"epoch", std::to_string(identity->epoch.value)}};
  if (auto saved = save_record(path, "identity", record); !saved) return saved.error();
  return *identity;
}

Result<AgentStart> next_start(const StateDir& dir) {
  const auto path = dir.file("agent");
  const auto known = load_record(path, "agent");
  if (!known) return known.error();
  auto start = *known ? read_start(**known) : std::optional(mint_agent());
  if (!start) return incomplete(path);
  ++start->run;
  const Record record{{"id", to_hex(start->id.value)},
                      {"run", std::to_string(start->run)},
                      {"secret", to_hex(start->secret.value)},
                      {"catalog-secret", to_hex(start->catalog_secret.value)}};
  if (auto saved = save_record(path, "agent", record); !saved) return saved.error();
  return *start;
}

Result<std::string> kept_token(const StateDir& dir) {
  const auto path = dir.file("token");
  const auto known = load_record(path, "token");
  if (!known) return known.error();
  if (*known) {
    const auto token = (*known)->find("token");
    if (token == (*known)->end() || token->second.empty()) return incomplete(path);
    return token->second;
  }
  auto token = random_token();
  if (auto saved = save_record(path, "token", {{"token", token}}); !saved) return saved.error();
  return token;
}

}  // namespace proffer::live
