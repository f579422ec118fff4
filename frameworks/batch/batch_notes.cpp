#include "frameworks/batch/batch_notes.hpp"

#include <charconv>
#include <string_view>

#include "frameworks/pool/note_text.hpp"

namespace proffer::batch {
namespace {

constexpr std::string_view kInstance = "instance/";
constexpr const char* kToken = "token";

struct InstanceFields {
  static void of(auto& archive, frameworks::Noted<InstanceNote> auto& note) {
    archive(note.record.tries, note.record.attempts, note.record.blamed, note.record.finished,
            note.record.failed, note.agent.id, note.agent.name, note.agent.rack, note.agent.data_endpoint);
  }
};

}  // namespace

void note_token(Driver& driver, const std::string& token) {
  if (driver.keeps()) driver.keep(kToken, token);
}

void note_instance(Driver& driver, std::uint32_t index, const InstanceNote& note) {
  if (!driver.keeps()) return;
  frameworks::NoteWriter<InstanceFields> writer;
  writer(note);
  driver.keep(std::string(kInstance) + std::to_string(index), writer.take());
}

BatchNotes read_batch_notes(const std::map<std::string, std::string>& notes) {
  BatchNotes found;
  for (const auto& [key, text] : notes) {
    if (key == kToken) found.output_token = text;
    if (!key.starts_with(kInstance)) continue;
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(key.data() + kInstance.size(), key.data() + key.size(), index);
    frameworks::NoteReader<InstanceFields> reader(text);
    InstanceNote note;
    reader(note);
    if (error == std::errc{} && reader.complete()) found.instances.emplace(index, std::move(note));
  }
  return found;
}

}  // namespace proffer::batch
