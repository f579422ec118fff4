#include "frameworks/batch/instance_work.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "proffer/bulk.hpp"

namespace proffer {
namespace batch {
namespace {

std::string with_index(std::string text, const std::string& index) {
  constexpr std::string_view kMark = "{}";
  for (auto at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + index.size())) {
    text.replace(at, kMark.size(), index);
  }
  return text;
}

}  // namespace

WorkPtr work_of(const CommandWork& command, std::uint32_t index) {
  auto work = command;
  const auto text = std::to_string(index);
  for (auto& argument : work.argv) argument = with_index(argument, text);
  work.env.emplace_back("PROFFER_TASK_INDEX", text);
  return std::make_shared<const Work>(std::move(work));
}

std::size_t task_bytes(const BatchSpec& spec) {
  const auto work = work_of(spec.command, spec.instances);
  const auto& command = std::get<CommandWork>(*work);
  std::size_t bytes = 512;  // ids and resources
  for (const auto& argument : command.argv) bytes += argument.size() + 5;
  for (const auto& [name, value] : command.env) bytes += name.size() + value.size() + 10;
  return bytes;
}

std::size_t most_per_message(const BatchSpec& spec) {
  return std::clamp<std::size_t>(kTaskBytesPerMessage / task_bytes(spec), 1, limits::kTasksPerAccept);
}

}  // namespace batch

Result<> check_batch(const BatchSpec& spec) {
  const auto invalid = [](std::string why) { return Error{ErrorCode::invalid, std::move(why)}; };
  const auto& argv = spec.command.argv;
  if (argv.empty() || argv.front().empty()) return invalid("the command has no name");
  if (is_bulk(spec.kind) && spec.need[spec.kind] == 0) {
    return invalid("no slots are of the kind " + std::string(spec.kind.name()) +
                   ": say what a task needs, as in --need cpus=1");
  }
  if (argv.size() > limits::kArgs) {
    return invalid("the command has " + std::to_string(argv.size()) + " words; the bound is " +
                   std::to_string(limits::kArgs));
  }
  const auto work = batch::work_of(spec.command, spec.instances);
  for (const auto& argument : std::get<CommandWork>(*work).argv) {
    if (argument.size() <= limits::kTextBytes) continue;
    return invalid("an argument of the command is longer than " + std::to_string(limits::kTextBytes) +
                   " bytes; put what it says into a file");
  }
  if (batch::task_bytes(spec) <= batch::kTaskBytesPerMessage) return {};
  return invalid("the command's arguments together are longer than " +
                 std::to_string(batch::kTaskBytesPerMessage) + " bytes");
}

}  // namespace proffer
