#include "frameworks/drivers/driver_notes.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "frameworks/pool/note_text.hpp"

namespace proffer::drivers {
namespace {

using frameworks::Noted;

constexpr std::string_view kSpec = "spec/";
constexpr std::string_view kProgress = "progress/";

struct JobFields {
  static void of(auto& archive, Noted<ShippedFile> auto& file) {
    archive(file.name, file.bytes, file.executable);
  }
  static void of(auto& archive, Noted<SubmitJob> auto& job) {
    archive(job.id, job.name, job.user, job.summary, job.framework, job.secret, job.command.argv,
            job.command.env, job.command.output_token, job.command.files);
  }
  static void of(auto& archive, Noted<DrivenJob> auto& job) {
    archive(job.stage, job.killed, job.ends, job.held, job.starts, job.deaths, job.agent.id, job.agent.name,
            job.agent.rack, job.agent.data_endpoint, job.exit.code, job.exit.signal, job.text);
  }
};

std::string key(std::string_view what, JobId id) { return std::string(what) + std::to_string(id.value); }

template <class T>
std::string written(const T& value) {
  frameworks::NoteWriter<JobFields> writer;
  writer(value);
  return writer.take();
}

template <class T>
bool read(const std::string& text, T& value) {
  frameworks::NoteReader<JobFields> reader(text);
  reader(value);
  return reader.complete();
}

std::optional<JobId> id_in(std::string_view key) {
  JobId id;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id.value);
  if (error != std::errc{} || end != key.data() + key.size()) return {};
  return id;
}

}  // namespace

void note_spec(Driver& driver, JobId id, const DrivenJob& job) {
  if (driver.keeps()) driver.keep(key(kSpec, id), written(job.spec));
}

void note_progress(Driver& driver, JobId id, const DrivenJob& job) {
  if (driver.keeps()) driver.keep(key(kProgress, id), written(job));
}

void forget_notes(Driver& driver, JobId id) {
  driver.forget(key(kSpec, id));
  driver.forget(key(kProgress, id));
}

std::map<JobId, DrivenJob> read_notes(const std::map<std::string, std::string>& notes) {
  std::map<JobId, DrivenJob> jobs;
  for (const auto& [name, text] : notes) {
    if (!name.starts_with(kSpec)) continue;
    const auto id = id_in(std::string_view(name).substr(kSpec.size()));
    const auto progress = id ? notes.find(key(kProgress, *id)) : notes.end();
    DrivenJob job;
    if (progress == notes.end() || !read(progress->second, job) || !read(text, job.spec)) continue;
    jobs.emplace(*id, std::move(job));
  }
  return jobs;
}

}  // namespace proffer::drivers
