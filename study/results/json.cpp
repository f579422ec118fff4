#include "study/results/json.hpp"

#include <fmt/format.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <utility>

#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/study/trace_readers.hpp"

namespace proffer::study {
namespace {

using formats::JsonNode;
using formats::JsonType;

JsonNode number(std::uint64_t value) { return {static_cast<std::int64_t>(value)}; }

JsonNode optional_number(std::optional<double> value) { return value ? JsonNode(*value) : JsonNode(); }

JsonNode object_of(const std::map<std::string, double>& values) {
  auto object = JsonNode::object();
  for (const auto& [name, value] : values) object.set(name, value);
  return object;
}

JsonNode values_of(const Cell& cell) {
  auto object = JsonNode::object();
  for (const auto& value : cell.values) object.set(value.key, value.text);
  return object;
}

JsonNode estimates(const std::map<std::string, Estimate>& figures) {
  auto object = JsonNode::object();
  for (const auto& [name, figure] : figures) {
    object.set(name, JsonNode::object({{"mean", figure.mean},
                                       {"ci95", optional_number(figure.half_width)},
                                       {"pi95", optional_number(figure.of_one_more)},
                                       {"seeds", number(figure.count)}}));
  }
  return object;
}

JsonNode cell_node(const CellSummary& cell) {
  std::vector<JsonNode> seeds;
  for (const auto seed : cell.seeds) seeds.push_back(number(seed));
  auto node = JsonNode::object({{"cell", cell.cell.name},
                                {"folder", cell.cell.folder},
                                {"values", values_of(cell.cell)},
                                {"seeds", JsonNode::array(std::move(seeds))},
                                {"measures", estimates(cell.measures)}});
  if (!cell.difference.empty()) node.set("difference", estimates(cell.difference));
  return node;
}

JsonNode check_node(const CheckResult& check) {
  return JsonNode::object({{"check", check.check},
                           {"cell", check.cell},
                           {"verdict", std::string(to_string(check.verdict))},
                           {"left", optional_number(check.left)},
                           {"right", optional_number(check.right)},
                           {"difference", check.difference ? JsonNode(check.difference->mean) : JsonNode()},
                           {"difference_ci95",
                            check.difference ? optional_number(check.difference->half_width) : JsonNode()}});
}

JsonNode figure_node(const ComparedFigure& figure) {
  const auto& ours = figure.ours;
  return JsonNode::object({{"id", figure.id},
                           {"label", figure.label},
                           {"cell", figure.cell},
                           {"measure", figure.measure},
                           {"paper", figure.paper},
                           {"ours", ours ? JsonNode(ours->mean) : JsonNode()},
                           {"ci95", ours ? optional_number(ours->half_width) : JsonNode()},
                           {"pi95", ours ? optional_number(ours->of_one_more) : JsonNode()},
                           {"within", std::string(to_string(figure.within()))},
                           {"seeds", number(ours ? ours->count : 0)},
                           {"digest", figure.digest},
                           {"fitted", figure.fitted},
                           {"note", figure.note}});
}

/// Members of one of our own files; the first that is not as it was written is told of.
class Members {
 public:
  Members(const JsonNode& node, std::string_view file) : node_(node), file_(file) {}

  const JsonNode& get(std::string_view name, JsonType type) {
    static const JsonNode kNothing;
    const auto* member = node_.find(name);
    if (member != nullptr && member->type == type) return *member;
    if (!error_) {
      error_ =
          Error{ErrorCode::corrupt, fmt::format("{}:{}: {} is missing or wrong", file_, node_.line, name)};
    }
    return kNothing;
  }
  std::string text(std::string_view name) { return get(name, JsonType::string).text; }
  const std::optional<Error>& error() const { return error_; }

 private:
  const JsonNode& node_;
  std::string_view file_;
  std::optional<Error> error_;
};

std::string document(const JsonNode& node) { return formats::dump_json(node) + '\n'; }

}  // namespace

std::string summary_json(const RunSummary& run) {
  return document(JsonNode::object({{"experiment", run.experiment},
                                    {"cell", run.cell},
                                    {"seed", number(run.seed)},
                                    {"digest", run.digest},
                                    {"events", number(run.events)},
                                    {"world", std::string(run.world.name())},
                                    {"time_scale", run.world.time_scale},
                                    {"run_seconds", run.run_seconds},
                                    {"measured_from", run.window.from},
                                    {"measured_until", run.window.until},
                                    {"measures", object_of(run.measures)}}));
}

Result<RunSummary> parse_summary(std::string_view text, std::string_view file) {
  const auto node = formats::parse_json(text, file);
  if (!node) return node.error();
  Members members(*node, file);
  RunSummary run;
  run.experiment = members.text("experiment");
  run.cell = members.text("cell");
  run.seed = static_cast<std::uint64_t>(members.get("seed", JsonType::integer).integer);
  run.digest = members.text("digest");
  run.events = static_cast<std::uint64_t>(members.get("events", JsonType::integer).integer);
  run.world.live = members.text("world") == "live";
  const auto* scale = node->find("time_scale");
  if (scale != nullptr) run.world.time_scale = scale->number;
  const auto* seconds = node->find("run_seconds");
  run.run_seconds = seconds == nullptr ? 0 : seconds->number;
  const auto* from = node->find("measured_from");
  const auto* until = node->find("measured_until");
  run.window = {from == nullptr ? 0 : from->number, until == nullptr ? run.run_seconds : until->number};
  for (const auto& [name, value] : members.get("measures", JsonType::object).members) {
    // A measure that was not finite was written as null: there is no figure.
    if (value.type == JsonType::number || value.type == JsonType::integer) run.measures[name] = value.number;
  }
  if (members.error()) return *members.error();
  return run;
}

std::string manifest_json(const RunSummary& run, const RunManifest& manifest) {
  std::vector<JsonNode> notes(run.world.notes.begin(), run.world.notes.end());
  return document(JsonNode::object({{"proffer", manifest.version},
                                    {"experiment", run.experiment},
                                    {"experiment_hash", manifest.experiment_hash},
                                    {"cell", run.cell},
                                    {"values", values_of(manifest.cell)},
                                    {"seed", number(run.seed)},
                                    {"digest", run.digest},
                                    {"world", std::string(run.world.name())},
                                    {"time_scale", run.world.time_scale},
                                    {"notes", JsonNode::array(std::move(notes))}}));
}

Result<std::vector<std::string>> parse_notes(std::string_view text, std::string_view file) {
  const auto node = formats::parse_json(text, file);
  if (!node) return node.error();
  Members members(*node, file);
  std::vector<std::string> notes;
  for (const auto& note : members.get("notes", JsonType::array).items) notes.push_back(note.text);
  if (members.error()) return *members.error();
  return notes;
}

std::string summary_json(const ExperimentSummary& summary) {
  std::vector<JsonNode> cells;
  std::vector<JsonNode> checks;
  std::vector<JsonNode> paper;
  for (const auto& cell : summary.cells) cells.push_back(cell_node(cell));
  for (const auto& check : summary.checks) checks.push_back(check_node(check));
  for (const auto& figure : summary.paper) paper.push_back(figure_node(figure));
  return document(JsonNode::object({{"experiment", summary.experiment},
                                    {"cells", JsonNode::array(std::move(cells))},
                                    {"checks", JsonNode::array(std::move(checks))},
                                    {"paper", JsonNode::array(std::move(paper))}}));
}

std::string record_json(const ExperimentRecord& record) {
  std::vector<JsonNode> overrides(record.overrides.begin(), record.overrides.end());
  auto node = JsonNode::object({{"proffer", record.version},
                                {"experiment", record.name},
                                {"experiment_hash", record.hash},
                                {"traces_from", record.folder},
                                {"overrides", JsonNode::array(std::move(overrides))}});
  if (record.plugins.empty()) return document(node);
  std::vector<JsonNode> plugins;
  for (const auto& plugin : record.plugins) {
    plugins.push_back(JsonNode::object({{"file", plugin.path}, {"fingerprint", plugin.fingerprint}}));
  }
  node.set("plugins", JsonNode::array(std::move(plugins)));
  return document(node);
}

Result<ExperimentRecord> parse_record(std::string_view text, std::string_view file) {
  const auto node = formats::parse_json(text, file);
  if (!node) return node.error();
  Members members(*node, file);
  ExperimentRecord record{members.text("proffer"),
                          members.text("experiment"),
                          members.text("experiment_hash"),
                          members.text("traces_from"),
                          {},
                          {}};
  for (const auto& item : members.get("overrides", JsonType::array).items)
    record.overrides.push_back(item.text);
  if (node->find("plugins") != nullptr) {
    for (const auto& item : members.get("plugins", JsonType::array).items) {
      Members plugin(item, file);
      record.plugins.push_back({plugin.text("file"), plugin.text("fingerprint")});
      if (plugin.error()) return *plugin.error();
    }
  }
  if (members.error()) return *members.error();
  return record;
}

std::string hash_of(const Experiment& experiment) {
  const auto digest = [](const std::string& text) {
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
  };
  // The length stands in front of each part, so that none can pass for a piece of another.
  auto all = fmt::format("{}\n{}", experiment.text.size(), experiment.text);
  for (const auto& override : experiment.overrides) all += fmt::format("{}\n{}", override.size(), override);
  for (const auto& plugin : experiment.plugins) all += "\n" + plugin.fingerprint;
  if (experiment.environment) all += "\n" + digest(experiment.environment->text);
  const auto add = [&](const std::string& file) {
    const auto text = formats::read_text_file(file);
    all += "\n" + (text ? digest(*text) : "gone");
  };
  for (const auto& trace : experiment.traces) {
    for (const auto& file : trace_files(trace)) add(file);
  }
  if (!experiment.machines.empty()) add(experiment.machines);
  return digest(all);
}

}  // namespace proffer::study
