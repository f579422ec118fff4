// The commands `proffer status` and `proffer agents|frameworks|pools|tasks list|show`.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cli/agent_text.hpp"
#include "cli/commands.hpp"
#include "cli/listed.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/api_json.hpp"
#include "proffer/limits.hpp"

namespace proffer::cli {
namespace {

/// Returns the columns of the terminal at stdout; 0: there is none.
std::size_t terminal_width() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int print(const Result<std::string>& text) {
  if (!text) return report(text.error());
  std::fputs(text->c_str(), stdout);
  return kOk;
}

int print_all(const ClusterState& state, const ListOptions& options) {
  if (options.format == "json") return std::puts(state_json(state).c_str()), kOk;
  std::string text = warnings_of(state);
  for (const auto* name : {"agents", "pools", "frameworks"}) {
    const auto part = list_text(listed(name, state), options.format, {}, terminal_width());
    text += (text.empty() ? "" : "\n") + *part;
  }
  return print(text);
}

/// Shows the only thing of the lists that is called so.
int show(const std::vector<Listed>& lists, const ListOptions& options) {
  std::vector<std::pair<const Listed*, const ListedRow*>> found;
  for (const auto& list : lists) {
    for (const auto* row : rows_called(list, options.id)) found.emplace_back(&list, row);
  }
  if (found.empty()) {
    const auto what = lists.size() == 1 ? lists.front().noun : "agent, framework, pool or task";
    return report({ErrorCode::not_found, fmt::format("there is no {} '{}'", what, options.id)});
  }
  if (found.size() == 1) {
    const auto& [list, row] = found.front();
    if (lists.size() > 1 && for_people(options.format)) fmt::print("{}\n", list->noun);
    return print(row_text(*list, *row, options.format));
  }
  std::string sentence = fmt::format("'{}' is {} things; name one of them:", options.id, found.size());
  constexpr std::size_t kNamed = 20;
  for (std::size_t i = 0; i < found.size() && i < kNamed; ++i) {
    sentence += fmt::format("\n  {} {} ({})", found[i].first->noun, found[i].second->names.back(),
                            found[i].second->names.front());
  }
  if (found.size() > kNamed) sentence += fmt::format("\n  and {} more", found.size() - kNamed);
  return report({ErrorCode::refused, sentence});
}

bool needs_tasks(const ListOptions& options) {
  return options.list == "tasks" || (options.list.empty() && !options.id.empty());
}

}  // namespace

int run_list(const ListOptions& options) {
  const bool all = options.list.empty() && options.id.empty();
  if (all && !for_people(options.format) && options.format != "json") {
    return usage_error(fmt::format("{0} is of one list; try proffer agents list -o {0}", options.format));
  }
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  const auto state =
      reach(context, where->allocator, kAnswerTimeout, needs_tasks(options) ? limits::kTasksDescribed : 0);
  if (!state) return report(state.error());
  if (all) return print_all(*state, options);
  std::vector<Listed> lists;
  for (const auto* name : {"agents", "frameworks", "pools", "tasks"}) {
    if (options.list.empty() || options.list == name) lists.push_back(listed(name, *state));
  }
  if (!options.id.empty()) return show(lists, options);
  const int printed = print(list_text(lists.front(), options.format, options.columns, terminal_width()));
  if (printed == kOk && options.list == "tasks" && state->living > state->tasks.size()) {
    fmt::print(stderr, "These are the newest {} of {} tasks.\n", state->tasks.size(), state->living);
  }
  return printed;
}

}  // namespace proffer::cli
