#include "storage/report_rules.hpp"

#include "proffer/limits.hpp"

namespace proffer {
namespace {

Error invalid(const char* what) { return {ErrorCode::invalid, what}; }

}  // namespace

Result<> may_report(const CatalogState& state, const Envelope& envelope, const BlockReport& page) {
  if (!envelope.cluster.value.is_nil() && envelope.cluster != state.cluster) {
    return Error{ErrorCode::wrong_cluster, "this catalog belongs to another cluster"};
  }
  if (envelope.epoch > state.epoch) {
    return Error{ErrorCode::wrong_cluster, "a newer start of this catalog is known to you"};
  }
  if (page.agent.value.is_nil()) return invalid("a block report needs the agent's id");
  if (!valid_name(page.name) || !valid_name(page.rack)) {
    return invalid("a block report needs a valid agent's name and rack");
  }
  if (page.data_endpoint.empty() || page.data_endpoint.size() > limits::kEndpointBytes) {
    return invalid("a block report needs a data endpoint of at most 256 bytes");
  }
  if (!state.agents.find(page.agent) && state.agents.all().size() >= limits::kAgents) {
    return Error{ErrorCode::slow_down, "the catalog has no room for more agents"};
  }
  return {};
}

}  // namespace proffer
