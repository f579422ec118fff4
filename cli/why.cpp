// The command `proffer why`: explains from event logs what keeps a job, a task, a framework or a pool
// waiting.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/port.hpp"
#include "proffer/study/event_lines.hpp"
#include "proffer/study/why.hpp"

namespace proffer::cli {
namespace {

constexpr std::size_t kTopic = 11;

/// Returns ", at 14:05:31" for a time of the clock that event logs use.
std::string clock_text(Time time) {
  const auto ago = std::chrono::duration_cast<std::chrono::seconds>(live::steady_now() - time);
  const auto then = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() - ago);
  std::tm parts{};
  ::localtime_r(&then, &parts);
  return fmt::format(", at {:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string text_of(const study::Explanation& why, const std::string& clock, Duration at) {
  auto text =
      wrapped(fmt::format("{}{}, {} after the first framework came", why.subject, clock, study::span(at)),
              0) +
      "\n";
  text += wrapped(why.answer, 0) + "\n";
  for (const auto& [topic, part] : why.parts) {
    text += fmt::format(" {:<{}}{}\n", topic, kTopic - 1, wrapped(part, kTopic));
  }
  return text;
}

formats::JsonNode value_of(const study::Explanation::Value& value) {
  return std::visit([](const auto& held) { return formats::JsonNode(held); }, value);
}

std::string json_of(const study::Explanation& why, const WhyOptions& options, Duration at) {
  auto parts = formats::JsonNode::array();
  for (const auto& [topic, text] : why.parts) {
    parts.items.push_back(formats::JsonNode::object({{"topic", topic}, {"text", text}}));
  }
  auto facts = formats::JsonNode::object();
  for (const auto& [name, value] : why.facts) facts.set(name, value_of(value));
  auto all = formats::JsonNode::object();
  all.set("kind", options.kind);
  all.set("id", options.id);
  all.set("subject", why.subject);
  all.set("at_s", std::chrono::duration<double>(at).count());
  all.set("cause", why.cause);
  all.set("answer", why.answer);
  all.set("parts", std::move(parts));
  all.set("facts", std::move(facts));
  return formats::dump_json(all) + "\n";
}

/// The logs to read, and the frameworks that exist now, which the logs must therefore know.
struct Asked {
  std::vector<std::string> files;
  std::vector<FrameworkId> live;
};

/// Returns whether an answer may be about that framework.
bool concerns(const WhyOptions& options, const FrameworkState& framework) {
  if (options.kind == "pool") return false;
  const auto slash = options.id.find('/');
  if (options.kind != "framework" && slash == std::string::npos) return true;
  const auto name = options.id.substr(0, slash);
  return framework.name == name || to_hex(framework.id.value).starts_with(name);
}

Result<Asked> asked_of(live::Context& context, const WhyOptions& options) {
  if (!options.events.empty()) return Asked{options.events, {}};
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return where.error();
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (state->event_log.empty()) {
    return Error{ErrorCode::refused, "the allocator at " + where->allocator +
                                         " writes no event log; start it with --event-log, or name one "
                                         "with --events"};
  }
  Asked asked{{state->event_log}, {}};
  for (const auto& framework : state->frameworks) {
    if (concerns(options, framework)) asked.live.push_back(framework.id);
  }
  return asked;
}

study::WhyKind kind_of(const std::string& name) {
  const auto at = std::find(study::kWhyKinds.begin(), study::kWhyKinds.end(), name);
  return static_cast<study::WhyKind>(at - study::kWhyKinds.begin());
}

/// The log of a running cluster is behind by up to a second. A framework that has just come is looked for
/// during kLogBehind, every kLookAgain; lines of its own program, which need not write to this log, during
/// kOwnLinesBehind after it came.
constexpr auto kLogBehind = std::chrono::milliseconds(1500);
constexpr auto kOwnLinesBehind = std::chrono::seconds(3);
constexpr auto kLookAgain = std::chrono::milliseconds(100);
constexpr auto kWrittenWithin = std::chrono::seconds(1);

struct Explained {
  study::Explanation why;
  Time now{};
  Duration at{};        // time after the first framework came
  bool nobody = false;  // nobody whom the question may mean exists now; somebody may be about to come
  bool is_new = false;  // somebody exists of whom the log does not tell everything yet
};
Result<Explained> explain(const WhyOptions& options, const Asked& asked, const study::LogPart& part) {
  study::Why why({kind_of(options.kind), options.id});
  const auto span = study::read_event_logs(asked.files, part, [&](const TraceLine& line) { why.line(line); });
  if (!span) return span.error();
  // A running cluster may have been quiet for a while; its log need not have the last second yet.
  const auto told = live::steady_now() - kWrittenWithin;
  const auto end = options.events.empty() ? std::max(span->last, told) : span->last;
  if (part.until && span->begin + *part.until > end) {
    return Error{ErrorCode::invalid,
                 fmt::format("--at {}: the log ends after {}", options.at, study::span(end - span->begin))};
  }
  const auto now = part.until ? span->begin + *part.until : end;
  auto explained = why.explain(now);
  if (!explained) return explained.error();
  const auto is_new = [&](FrameworkId id) {
    const auto heard = why.heard(id);
    return !part.until &&
           (!heard || (!heard->of_itself && live::steady_now() - heard->came < kOwnLinesBehind));
  };
  const bool nobody = options.events.empty() && !part.until && options.kind != "pool" && asked.live.empty();
  return Explained{std::move(*explained), now,
                   std::chrono::duration_cast<std::chrono::milliseconds>(now - span->begin), nobody,
                   std::any_of(asked.live.begin(), asked.live.end(), is_new)};
}

Result<Explained> look(live::Context& context, const WhyOptions& options, const study::LogPart& part) {
  const auto asked = asked_of(context, options);
  return asked ? explain(options, *asked, part) : Result<Explained>(asked.error());
}

bool may_come(const Result<Explained>& explained) {
  return explained ? explained->is_new || explained->nobody : explained.error().code == ErrorCode::not_found;
}

Duration patience(const WhyOptions& options, const Result<Explained>& explained) {
  if (!options.events.empty()) return {};
  return explained && explained->is_new ? Duration(kOwnLinesBehind) : Duration(kLogBehind);
}

}  // namespace

int run_why(const WhyOptions& options) {
  study::LogPart part;
  part.agents = false;
  if (!options.at.empty()) {
    const auto at = parse_duration(options.at);
    if (!at) return usage_error("--at: " + at.error().message);
    part.until = *at;
  }
  live::Context context;
  const auto begun = live::steady_now();
  auto explained = look(context, options, part);
  while (may_come(explained) && live::steady_now() - begun < patience(options, explained)) {
    std::this_thread::sleep_for(kLookAgain);
    explained = look(context, options, part);
  }
  if (!explained) return report(explained.error());
  const auto& why = explained->why;
  const auto clock = options.events.empty() ? clock_text(explained->now) : "";
  // Names and users are whatever a framework says they are.
  const auto text = options.json ? json_of(why, options, explained->at)
                                 : formats::printable(text_of(why, clock, explained->at), "\n");
  std::fputs(text.c_str(), stdout);
  return kOk;
}

}  // namespace proffer::cli
