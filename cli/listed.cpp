#include "cli/listed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "cli/agent_text.hpp"
#include "cli/output.hpp"
#include "proffer/formats/api_json.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::cli {
namespace {

template <class Bag>
std::string bag_of(const Bag& bag) {
  std::string text;
  for (const auto& [kind, n] : bag) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(),
                        n >= kUnbounded ? "any" : format_quantity(kind, n));
  }
  return text.empty() ? "-" : text;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }
std::string pool_name(const std::string& name) { return name.empty() ? "(root)" : name; }

std::string declines_text(const FrameworkState& framework) {
  std::string text;
  for (std::size_t i = 0; i < framework.offers_declined.size(); ++i) {
    const auto n = framework.offers_declined[i];
    if (n == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(static_cast<DeclineReason>(i)), n);
  }
  return or_dash(text);
}

std::string offers_per_task_text(const FrameworkState& framework) {
  const auto offers = offers_per_task(framework);
  return offers ? fmt::format("{:.1f}", *offers) : "-";
}

std::string answer_time(const FrameworkState& framework) {
  const auto seconds = answered_after(framework);
  return seconds ? fmt::format("{:.1f} ms", *seconds * 1e3) : "-";
}

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Returns the places of the columns that are to be shown.
Result<std::vector<std::size_t>> places_of(const Listed& list, const std::vector<std::string>& wanted,
                                           bool all) {
  std::vector<std::size_t> places;
  if (wanted.empty()) {
    for (std::size_t i = 0; i < (all ? list.columns.size() : list.usual); ++i) places.push_back(i);
    return places;
  }
  std::vector<std::string> known;
  for (const auto& column : list.columns) known.push_back(in_small_letters(column));
  for (const auto& name : wanted) {
    const auto at = std::find(known.begin(), known.end(), in_small_letters(name));
    if (at == known.end()) {
      return Error{ErrorCode::invalid, fmt::format("--columns {}: there is no such column; there are {}",
                                                   name, fmt::join(known, ", "))};
    }
    places.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  return places;
}

std::vector<std::string> picked(const std::vector<std::string>& cells,
                                const std::vector<std::size_t>& places) {
  std::vector<std::string> picked;
  for (const auto place : places) picked.push_back(cells[place]);
  return picked;
}

/// By RFC 4180: a cell with a comma, a quotation mark or a line's end stands in quotation marks.
std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const auto& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + "\r\n";
}

std::string cut(const std::string& text, std::size_t width) {
  if (width == 0) return text;
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    auto line = text.substr(begin, end - begin);
    if (line.size() > width) line = line.substr(0, width - 1) + ">";
    lines += line + "\n";
    begin = end + 1;
  }
  return lines;
}

}  // namespace

Listed listed_agents(const ClusterState& state) {
  Listed list{"agent",
              {"AGENT", "RACK", "STATE", "TASKS", "SLOTS", "USED", "OFFERED", "TROUBLE", "ID", "DATA"},
              8,
              {}};
  for (const auto& agent : state.agents) {
    const auto id = to_hex(agent.id.value);
    list.rows.push_back(
        {{id, agent.name},
         entry_json(agent),
         {agent.name, agent.rack, state_of(agent), std::to_string(agent.tasks), bag_of(agent.total),
          bag_of(agent.used), bag_of(agent.offered), or_dash(agent.trouble), id, agent.data_endpoint}});
  }
  return list;
}

Listed listed_pools(const ClusterState& state) {
  Listed list{
      "pool", {"POOL", "WEIGHT", "FRAMEWORKS", "WAITING", "USED", "DEMAND", "FAIR", "MIN", "ORDER"}, 7, {}};
  for (const auto& pool : state.pools) {
    list.rows.push_back(
        {{pool.name, pool_name(pool.name)},
         entry_json(pool),
         {pool_name(pool.name), fmt::format("{:.1f}", static_cast<double>(pool.weight_milli) / 1000),
          std::to_string(pool.frameworks), std::to_string(pool.waiting), bag_of(pool.used),
          bag_of(pool.demand), bag_of(pool.fair), bag_of(pool.min_share), pool.order}});
  }
  return list;
}

Listed listed_frameworks(const ClusterState& state) {
  Listed list{"framework",
              {"FRAMEWORK", "POOL", "STATE", "USED", "DEMAND", "OFFERS", "TASKS", "PER TASK", "ANSWER",
               "DECLINED", "FAIR", "USER", "PRIORITY", "FINISHED", "FAILED", "ID"},
              10,
              {}};
  for (const auto& framework : state.frameworks) {
    const auto id = to_hex(framework.id.value);
    list.rows.push_back(
        {{id, framework.name},
         entry_json(framework),
         {framework.name, pool_name(framework.pool), state_of(framework), bag_of(framework.used),
          bag_of(framework.demand), std::to_string(framework.offers_sent),
          std::to_string(framework.tasks_launched), offers_per_task_text(framework), answer_time(framework),
          declines_text(framework), bag_of(framework.fair), or_dash(framework.user), framework.priority,
          std::to_string(framework.tasks_finished), std::to_string(framework.tasks_failed), id}});
  }
  return list;
}

Listed listed_tasks(const ClusterState& state) {
  Listed list{
      "task", {"TASK", "FRAMEWORK", "JOB", "STATE", "AGENT", "USES", "FRAMEWORK ID", "AGENT ID"}, 6, {}};
  std::map<FrameworkId, std::string> frameworks;
  std::map<AgentId, std::string> agents;
  for (const auto& framework : state.frameworks) frameworks[framework.id] = framework.name;
  for (const auto& agent : state.agents) agents[agent.id] = agent.name;
  for (const auto& task : state.tasks) {
    const auto& framework = frameworks[task.framework];
    list.rows.push_back(
        {{task.task.value, framework + "/" + task.task.value},
         entry_json(task, state),
         {task.task.value, or_dash(framework), task.job.value == 0 ? "-" : std::to_string(task.job.value),
          std::string(to_string(task.state)), or_dash(agents[task.agent]), bag_of(task.resources),
          to_hex(task.framework.value), to_hex(task.agent.value)}});
  }
  return list;
}

Listed listed(const std::string& list, const ClusterState& state) {
  if (list == "agents") return listed_agents(state);
  if (list == "pools") return listed_pools(state);
  return list == "tasks" ? listed_tasks(state) : listed_frameworks(state);
}

std::vector<const ListedRow*> rows_called(const Listed& list, const std::string& id) {
  std::vector<const ListedRow*> same, begun;
  for (const auto& row : list.rows) {
    const auto& names = row.names;
    if (std::find(names.begin(), names.end(), id) != names.end()) same.push_back(&row);
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(id); })) {
      begun.push_back(&row);
    }
  }
  return same.empty() ? begun : same;
}

bool for_people(const std::string& format) { return format == "table" || format == "wide"; }

Result<std::string> list_text(const Listed& list, const std::string& format,
                              const std::vector<std::string>& columns, std::size_t width) {
  if (!columns.empty() && !for_people(format) && format != "csv") {
    return Error{ErrorCode::invalid, "--columns is of tables and csv; " + format + " has all fields"};
  }
  const auto places = places_of(list, columns, format != "table");
  if (!places) return places.error();
  std::string text;
  if (for_people(format)) {
    Table table(picked(list.columns, *places));
    for (const auto& row : list.rows) table.add(picked(row.cells, *places));
    return format == "table" ? cut(table.text(), width) : table.text();
  }
  if (format == "csv") {
    text = csv_line(picked(list.columns, *places));
    for (const auto& row : list.rows) text += csv_line(picked(row.cells, *places));
    return text;
  }
  const bool array = format == "json";
  for (const auto& row : list.rows) {
    text += (array ? (text.empty() ? "[" : ",\n ") : "") + row.json + (array ? "" : "\n");
  }
  return array ? (text.empty() ? "[" : text) + "]\n" : text;
}

std::string row_text(const Listed& list, const ListedRow& row, const std::string& format) {
  if (format == "json" || format == "jsonl") return row.json + "\n";
  if (format == "csv") return csv_line(list.columns) + csv_line(row.cells);
  std::string text;
  for (std::size_t i = 0; i < list.columns.size(); ++i) {
    text += fmt::format("{:<13} {}\n", in_small_letters(list.columns[i]), formats::printable(row.cells[i]));
  }
  return text;
}

}  // namespace proffer::cli
