#include "proffer/live/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace proffer::live::log {
namespace {

std::shared_ptr<spdlog::logger> make(const std::string& name, spdlog::level::level_enum level) {
  auto logger = std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %-7l %n: %v");
  logger->set_level(level);
  logger->flush_on(spdlog::level::trace);
  return logger;
}

std::shared_ptr<spdlog::logger>& current() {
  static auto logger = make("proffer", spdlog::level::warn);
  return logger;
}

// The text is an argument, not a format: it may hold braces.
void write(spdlog::level::level_enum level, std::string_view line) { current()->log(level, "{}", line); }

}  // namespace

Result<> start(const std::string& name, std::string_view level) {
  for (const auto known : {spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err,
                           spdlog::level::off}) {
    const auto text = spdlog::level::to_string_view(known);
    const bool is_warn = known == spdlog::level::warn && level == "warn";
    if (level != std::string_view(text.data(), text.size()) && !is_warn) continue;
    current() = make(name, known);
    return {};
  }
  return Error{ErrorCode::invalid,
               "\"" + std::string(level) + "\" is no log level; there are debug, info, warn, error and off"};
}

void debug(std::string_view line) { write(spdlog::level::debug, line); }
void info(std::string_view line) { write(spdlog::level::info, line); }
void warn(std::string_view line) { write(spdlog::level::warn, line); }
void error(std::string_view line) { write(spdlog::level::err, line); }

}  // namespace proffer::live::log
