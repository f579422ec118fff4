// `proffer why`: what keeps a job, a task, a framework or a pool waiting, from event logs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/port.hpp"
#include "proffer/study/event_lines.hpp"
#include "proffer/study/why.hpp"

namespace proffer::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kTopic = 11;

/// The text in lines of a terminal, all but the first behind so many spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ';
    column += word.size() + (column > indent ? 1 : 0);
    out += word;
  }
  return out;
}

std::string text_of(const study::Explanation& why, Duration at) {
  auto text =
      wrapped(fmt::format("{}, {} after the first framework came", why.subject, study::span(at)), 0) + "\n";
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

Result<std::vector<std::string>> event_logs_of(const WhyOptions& options) {
  if (!options.events.empty()) return options.events;
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return where.error();
  live::Context context;
  const auto state = live::describe(context, where->allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (state->event_log.empty()) {
    return Error{ErrorCode::not_found, "the allocator at " + where->allocator +
                                           " writes no event log; start it with --event-log, or name one "
                                           "with --events"};
  }
  return std::vector{state->event_log};
}

study::WhyKind kind_of(const std::string& name) {
  const auto at = std::find(study::kWhyKinds.begin(), study::kWhyKinds.end(), name);
  return static_cast<study::WhyKind>(at - study::kWhyKinds.begin());
}

/// A running cluster's log is behind by up to a second: who has just come is looked for so long, and so
/// often.
constexpr auto kLogBehind = std::chrono::milliseconds(1500);
constexpr auto kLookAgain = std::chrono::milliseconds(100);
constexpr auto kWrittenWithin = std::chrono::seconds(1);

struct Explained {
  study::Explanation why;
  Duration at{};  // after the first framework came
};
Result<Explained> explain(const WhyOptions& options, const std::vector<std::string>& files,
                          const study::LogPart& part) {
  study::Why why({kind_of(options.kind), options.id});
  const auto span = study::read_event_logs(files, part, [&](const TraceLine& line) { why.line(line); });
  if (!span) return span.error();
  // A cluster that runs may have been quiet for a while; of the last second its log need not tell yet.
  const auto told = live::steady_now() - kWrittenWithin;
  const auto end = options.events.empty() ? std::max(span->last, told) : span->last;
  if (part.until && span->begin + *part.until > end) {
    return Error{ErrorCode::invalid,
                 fmt::format("--at {}: the log ends after {}", options.at, study::span(end - span->begin))};
  }
  const auto now = part.until ? span->begin + *part.until : end;
  auto explained = why.explain(now);
  if (!explained) return explained.error();
  return Explained{std::move(*explained),
                   std::chrono::duration_cast<std::chrono::milliseconds>(now - span->begin)};
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
  const auto files = event_logs_of(options);
  if (!files) return report(files.error());
  const auto patience = live::steady_now() + (options.events.empty() ? kLogBehind : Duration::zero());
  auto explained = explain(options, *files, part);
  while (!explained && explained.error().code == ErrorCode::not_found && live::steady_now() < patience) {
    std::this_thread::sleep_for(kLookAgain);
    explained = explain(options, *files, part);
  }
  if (!explained) return report(explained.error());
  const auto& [why, at] = *explained;
  std::fputs((options.json ? json_of(why, options, at) : text_of(why, at)).c_str(), stdout);
  return kOk;
}

}  // namespace proffer::cli
