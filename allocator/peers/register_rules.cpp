#include "allocator/peers/register_rules.hpp"

#include <string>

#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

Error invalid(std::string why) { return {ErrorCode::invalid, std::move(why)}; }

std::optional<Error> refuse_slots(const Resources& slots) {
  if (slots.empty()) return invalid("an agent has at least one slot");
  if (slots.size() > limits::kKindsPerAgent) {
    return invalid("an agent has slots of " + std::to_string(limits::kKindsPerAgent) + " kinds at most");
  }
  for (const auto& [kind, units] : slots) {
    if (rides_along(kind) && slots[kCpus] == 0) {
      return invalid(std::string(kind.name()) +
                     " is offered together with cpus: give the agent some, as cpus=8");
    }
    if (kind == Kind{}) return invalid("slots of no kind");
    if (units <= most_per_agent(kind)) continue;
    return invalid("an agent has at most " + std::to_string(most_per_agent(kind)) + " of the kind " +
                   std::string(kind.name()) + ", not " + std::to_string(units));
  }
  return {};
}

std::optional<Error> refuse_tasks(const std::vector<AgentTask>& tasks) {
  if (tasks.size() > 2 * limits::kTasksPerAgent)
    return invalid("too many tasks");  // that live, and that ended
  for (const auto& task : tasks) {
    if (!valid_task_id(task.task.value)) return invalid("a task's id breaks the rules");
    for (const auto& [kind, units] : task.resources) {
      if (kind == Kind{} || units > most_per_agent(kind))
        return invalid("a task's resources break the rules");
    }
  }
  return {};
}

/// Returns whether nobody speaks for the agent any more, as far as the allocator can tell.
bool is_gone(const AgentRecord& agent) {
  return !agent.contact.session || agent.reach >= Reach::disconnected;
}

Error wrong_secret(const Register& message) {
  return {ErrorCode::refused,
          "the id of agent '" + message.name +
              "' is known here with another secret; if its secret is lost, remove the file 'agent' from its "
              "work_dir and start it again, as a new agent"};
}

/// The error for two processes of one work folder, or for one whose connection broke without a word. The
/// latter is let in once its former connection has been silent for long enough.
Error in_use_twice(const Register& message) {
  return {ErrorCode::name_in_use, "agent '" + message.name +
                                      "' speaks through another connection; if its work_dir was copied, "
                                      "remove the file 'agent' from the copy and start that again"};
}

/// Refuses a known id without its secret, and one that is in use. A peer that speaks through the connection
/// of its session has shown the secret, or was given it there.
std::optional<Error> refuse_return(const AgentRecord& known, const Register& message, PeerId peer) {
  const bool in_session = known.contact.speaks_through(peer);
  if (!in_session && !same_secret(known.past.secret, message.secret)) return wrong_secret(message);
  if (message.run < known.past.run) {
    return Error{ErrorCode::name_in_use, "agent '" + message.name + "' has been started again since"};
  }
  const bool alive = known.contact.session && known.reach == Reach::live;
  if (message.run == known.past.run && alive && !in_session) return in_use_twice(message);
  return {};
}

Error name_in_use(const Register& message) {
  return {ErrorCode::name_in_use, "an agent named '" + message.name + "' is registered and alive"};
}

/// Returns the record of the agent that registers; null: there is none. An agent without an id may have been
/// given one by an answer that never arrived, or that it had no time to keep: its secret tells. Were it given
/// another one, what was launched under the first would be waited for without an end.
AgentRecord* find_own(ClusterTable& cluster, const Register& message, AgentRecord* same_name) {
  if (!message.agent.value.is_nil()) return cluster.find(message.agent);
  const bool is_its_own = same_name != nullptr && same_secret(same_name->past.secret, message.secret);
  return is_its_own ? same_name : nullptr;
}

}  // namespace

std::optional<Error> refuse_register(const Register& message) {
  if (!valid_name(message.name)) return invalid("an agent's name is 1-128 bytes of [A-Za-z0-9._-]");
  if (!valid_name(message.rack)) return invalid("a rack's name is 1-128 bytes of [A-Za-z0-9._-]");
  if (message.data_endpoint.size() > limits::kEndpointBytes) return invalid("the data endpoint is too long");
  if (auto error = refuse_slots(message.slots)) return error;
  return refuse_tasks(message.tasks);
}

Result<Registrant> identify(ClusterTable& cluster, const Register& message, PeerId peer) {
  if (cluster.is_retired(message.agent)) {
    return Error{ErrorCode::agent_gone,
                 "agent '" + message.name +
                     "' was declared gone by an operator, and its id is void; its tasks end, and it comes "
                     "back as a new agent"};
  }
  auto* same_name = cluster.find_name(message.name);
  auto* same_id = find_own(cluster, message, same_name);
  if (same_id != nullptr) {
    if (auto error = refuse_return(*same_id, message, peer)) return std::move(*error);
    if (same_name == nullptr || same_name == same_id) return Registrant{same_id, nullptr};
    if (is_gone(*same_name)) return Registrant{same_id, same_name};
    return name_in_use(message);
  }
  if (same_name == nullptr) return Registrant{};
  const bool is_retry = message.agent.value.is_nil() && message.run == same_name->past.run &&
                        same_name->contact.speaks_through(peer);
  if (is_retry) return Registrant{same_name, nullptr};
  if (is_gone(*same_name)) return Registrant{nullptr, same_name};
  return name_in_use(message);
}

}  // namespace proffer::allocator
