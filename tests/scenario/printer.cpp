#include "tests/scenario/printer.hpp"

#include <stdexcept>

#include "tests/scenario/script.hpp"

namespace proffer::scenario {
namespace {

std::string quantities(const Quantities& entries) {
  std::string text;
  for (const auto& [kind, quantity] : entries) {
    text += (text.empty() ? "" : ",") + std::string(kind.name()) + ":" + std::to_string(quantity);
  }
  return text.empty() ? "-" : text;
}

std::string print_counter(char letter, std::uint64_t epoch, std::uint64_t n) {
  return letter + std::to_string(n) + (epoch == 1 ? "" : "@" + std::to_string(epoch));
}

/// The number of a status: the allocator counts from its epoch on.
std::string print_number(std::uint64_t seq) {
  constexpr int kEpochShift = 32;
  return print_counter('#', (seq >> kEpochShift) + 1, seq & 0xffffffff);
}

template <class Sequence>
std::string list(const Sequence& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ",") + print(item);
  return text;
}

std::string kinds(const std::vector<Kind>& kinds) {
  std::string text;
  for (const auto& kind : kinds) text += (text.empty() ? "" : ",") + std::string(kind.name());
  return text.empty() ? "all" : text;
}

std::string field(std::string_view name, const std::string& value) {
  return value.empty() ? "" : " " + std::string(name) + "=" + value;
}

std::string demand(const Demand& demand) {
  return demand.kinds.empty() ? "" : " demand=" + quantities(demand.kinds);
}

std::string refusal(std::optional<Duration> refuse_for) {
  if (!refuse_for) return "until-revive";
  return *refuse_for == Duration::zero() ? "until-change" : print_duration(*refuse_for);
}

std::string standing(const Standing& s) {
  return " " + std::string(s.kind.name()) + "[used=" + std::to_string(s.used) +
         " fair=" + std::to_string(s.fair) + (s.starved ? " starved" : "") +
         (s.contended ? " contended" : "") + (s.complete ? " complete" : "") + "]";
}

std::string state(const TaskStatus& status) {
  std::string text = status.task.value + " " + std::string(to_string(status.state));
  if (status.reason == TaskReason::exit) {
    text += " exit:" + std::to_string(status.exit.code);
  } else if (status.reason != TaskReason::none) {
    text += " " + std::string(to_string(status.reason));
  }
  return text + " " + print_number(status.seq);
}

std::string verdict(const AcceptVerdict& v) {
  if (v.ok) return " " + v.task.value;
  return " " + v.task.value + "=" + std::string(to_string(v.state)) + "(" + std::string(to_string(v.reason)) +
         ")";
}

/// One overload a message; what has no interesting fields prints its name only.
class Fields {
 public:
  explicit Fields(const Printer& names) : names_(names) {}

  std::string operator()(const Subscribe& m) const { return field("pool", m.pool) + demand(m.demand); }
  std::string operator()(const Subscribed& m) const { return " epoch=" + std::to_string(m.framework_epoch); }
  std::string operator()(const Offers& m) const {
    std::string text;
    for (const auto& offer : m.offers) {
      text += " " + print(offer.id) + "(" + offer.agent.name + " " + print(offer.resources) +
              (offer.idle ? " idle" : "") + ")";
    }
    for (const auto& s : m.standings) text += standing(s);
    return text;
  }
  std::string operator()(const Accept& m) const {
    std::string text = " " + list(m.offers) + " tasks=";
    for (const auto& task : m.tasks) text += (text.ends_with('=') ? "" : ",") + task.id.value;
    return text + " rest=" + std::string(to_string(m.rest_reason)) + "/" + refusal(m.rest_refuse_for) +
           demand(m.demand);
  }
  std::string operator()(const Accepted& m) const {
    std::string text;
    for (const auto& v : m.verdicts) text += verdict(v);
    return text;
  }
  std::string operator()(const Decline& m) const {
    return " " + list(m.offers) + " " + std::string(to_string(m.reason)) + "/" + refusal(m.refuse_for) +
           demand(m.demand);
  }
  std::string operator()(const Rescind& m) const { return " " + list(m.offers); }
  std::string operator()(const Preempt& m) const {
    return " " + print(m.slots) + " within=" + print_duration(m.within);
  }
  std::string operator()(const Revive& m) const { return " " + kinds(m.kinds) + demand(m.demand); }
  std::string operator()(const Suppress& m) const { return " " + kinds(m.kinds); }
  std::string operator()(const Update& m) const { return " " + state(m.status); }
  std::string operator()(const Acknowledge& m) const {
    return " " + m.task.value + " " + print_number(m.seq);
  }
  std::string operator()(const Kill& m) const {
    return " " + m.task.value + " grace=" + print_duration(m.grace);
  }
  std::string operator()(const TaskMessage& m) const { return " " + m.task.value + " '" + m.payload + "'"; }
  std::string operator()(const Release& m) const {
    return " " + names_.name(m.framework) + " job=" + std::to_string(m.job.value);
  }
  std::string operator()(const Heartbeat& m) const { return m.demand ? demand(*m.demand) : ""; }
  std::string operator()(const ErrorMessage& m) const {
    return " " + std::string(to_string(m.error.code)) + ": " + m.error.message;
  }
  std::string operator()(const Register& m) const {
    std::string text = " rack=" + m.rack + " slots=" + print(m.slots);
    for (const auto& task : m.tasks) text += " " + task.task.value + "=" + std::string(to_string(task.state));
    return text + (m.trouble.empty() ? "" : " trouble: " + m.trouble);
  }
  std::string operator()(const Registered& m) const { return m.kill.empty() ? "" : " kill=" + list(m.kill); }
  std::string operator()(const Launch& m) const {
    return " " + print(m.launch) + " " + m.task.id.value + " of " + m.framework_name + " on " +
           print(m.task.resources);
  }
  std::string operator()(const LaunchAck& m) const { return " " + print(m.launch); }
  std::string operator()(const Status& m) const { return " " + print(m.launch) + " " + state(m.status); }
  std::string operator()(const AgentHealth& m) const { return m.trouble.empty() ? " well" : " " + m.trouble; }
  std::string operator()(const SlotReport&) const { return ""; }
  std::string operator()(const CreateFile& m) const { return " " + m.path; }
  std::string operator()(const CompleteFile& m) const { return " " + m.path; }
  std::string operator()(const ListFiles& m) const { return " " + m.path; }
  std::string operator()(const FilesListed& m) const {
    std::string text;
    for (const auto& file : m.files)
      text += " " + file.path + "(" + std::to_string(file.blocks.size()) + " blocks)";
    return text;
  }
  std::string operator()(const RenameFiles& m) const {
    std::string text;
    for (const auto& [from, to] : m.pairs) text += " " + from + "=>" + to;
    return text;
  }
  std::string operator()(const RemoveFiles& m) const { return " " + m.path; }
  std::string operator()(const CatalogDone& m) const {
    return m.error ? " " + std::string(to_string(m.error->code)) : "";
  }
  std::string operator()(const BlockReport& m) const { return " blocks=" + std::to_string(m.blocks.size()); }
  std::string operator()(const BlocksChanged& m) const {
    return " added=" + std::to_string(m.added.size()) + " removed=" + std::to_string(m.removed.size());
  }
  std::string operator()(const BlocksUsed& m) const {
    std::string text;
    for (const auto& use : m.blocks) {
      text += " b" + std::to_string(use.block.value) + "=" + std::to_string(use.tasks) + "/" +
              std::to_string(use.delayed) + "/" + print_duration(use.delay);
    }
    return text;
  }
  std::string operator()(const ReplicasChanged& m) const {
    std::string text;
    for (const auto& block : m.blocks)
      text += " b" + std::to_string(block.block.value) + "@" + at(block.replicas);
    return text;
  }
  std::string operator()(const CopyBlock& m) const {
    return " b" + std::to_string(m.block.value) + " from " + at(m.sources);
  }
  std::string operator()(const CopyFailed& m) const {
    return " b" + std::to_string(m.block.value) + " " + std::string(to_string(m.error.code));
  }
  std::string operator()(const KillJob& m) const {
    return " " + m.job + field("by", m.by) + field("why", m.why);
  }
  std::string operator()(const MoveJob& m) const {
    return " " + m.job + " to " + (m.pool.empty() ? "the root" : m.pool);
  }
  std::string operator()(const AdminDone& m) const {
    return m.error ? " " + std::string(to_string(m.error->code)) + ": " + m.error->message : " " + m.text;
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return "";
  }

 private:
  std::string at(const std::vector<Replica>& replicas) const {
    std::string text;
    for (const auto& replica : replicas) text += (text.empty() ? "" : ",") + names_.name(replica.agent);
    return text;
  }

  const Printer& names_;
};

}  // namespace

void Printer::learn(const std::string& to, const Message& message) {
  if (const auto* registered = std::get_if<Registered>(&message)) agents_[registered->agent] = to;
  if (const auto* subscribed = std::get_if<Subscribed>(&message)) frameworks_[subscribed->framework] = to;
}

std::string Printer::print(const Message& message) const {
  return std::string(type_name(message)) + std::visit(Fields(*this), message);
}

std::string Printer::name(AgentId agent) const {
  const auto found = agents_.find(agent);
  return found == agents_.end() ? "an-agent" : found->second;
}

std::string Printer::name(FrameworkId framework) const {
  const auto found = frameworks_.find(framework);
  return found == frameworks_.end() ? "a-framework" : found->second;
}

AgentId Printer::agent(const std::string& name) const {
  for (const auto& [id, known] : agents_) {
    if (known == name) return id;
  }
  throw std::invalid_argument("no registered agent is called " + name);
}

std::string print(const Resources& resources) {
  return quantities(Quantities(resources.begin(), resources.end()));
}
std::string print(const OfferId& offer) { return print_counter('o', offer.epoch, offer.n); }
std::string print(const LaunchId& launch) { return print_counter('l', launch.epoch, launch.n); }

}  // namespace proffer::scenario
