#include "proffer/study/event_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "proffer/formats/toml.hpp"

namespace proffer::study {
namespace {

struct Piece {
  std::int64_t t_us = 0;
  std::string_view text;
  const std::string* file = nullptr;
  std::size_t number = 0;
};

/// All lines begin with their time, since one writer writes them.
std::optional<std::int64_t> time_of(std::string_view line) {
  constexpr std::string_view kHead = "{\"t_us\":";
  if (!line.starts_with(kHead)) return {};
  std::int64_t t_us = 0;
  const auto* end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + kHead.size(), end, t_us);
  if (error != std::errc{} || rest == end || *rest != ',') return {};
  return t_us;
}

Error not_a_line(const std::string& file, std::size_t number, const std::string& why) {
  return {ErrorCode::invalid, fmt::format("{}:{}: {}", file, number, why)};
}

Result<> cut(const std::string& file, std::string_view text, std::vector<Piece>& pieces) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const auto t_us = time_of(line);
    if (!t_us) return not_a_line(file, number, "this is no line of an event log");
    pieces.push_back({*t_us, line, &file, number});
  }
  return {};
}

bool is_wanted(std::string_view line, const LogPart& part) {
  if (part.agents) return true;
  const auto source = line.find("\"source\":\"");
  if (source == std::string_view::npos) return true;
  const auto name = line.substr(source + 10);
  return !name.starts_with("agent ") && !name.starts_with("catalog\"");
}

Time begin_of(const std::vector<Piece>& pieces) {
  const auto is_of_framework = [](const Piece& piece) {
    return piece.text.find("\"source\":\"framework ") != std::string_view::npos ||
           piece.text.find("\"event\":\"framework_subscribed\"") != std::string_view::npos;
  };
  const auto found = std::find_if(pieces.begin(), pieces.end(), is_of_framework);
  return time_from_us(found == pieces.end() ? pieces.front().t_us : found->t_us);
}

}  // namespace

Result<LogSpan> read_event_logs(const std::vector<std::string>& files, const LogPart& part,
                                const std::function<void(const TraceLine&)>& visit) {
  std::vector<std::string> texts;
  std::vector<Piece> pieces;
  texts.reserve(files.size());  // pieces look into them
  for (const auto& file : files) {
    auto text = formats::read_text_file(file);
    if (!text) return text.error();
    texts.push_back(std::move(*text));
    if (auto read = cut(file, texts.back(), pieces); !read) return read.error();
  }
  if (pieces.empty()) {
    return Error{ErrorCode::not_found, fmt::format("{} has no lines yet", fmt::join(files, ", "))};
  }
  const auto earlier = [](const Piece& a, const Piece& b) { return a.t_us < b.t_us; };
  std::stable_sort(pieces.begin(), pieces.end(), earlier);
  const LogSpan span{begin_of(pieces), time_from_us(pieces.back().t_us)};
  for (const auto& piece : pieces) {
    if (part.until && time_from_us(piece.t_us) > span.begin + *part.until) break;
    if (!is_wanted(piece.text, part)) continue;
    const auto line = parse_trace(piece.text);
    if (!line) return not_a_line(*piece.file, piece.number, line.error().message);
    visit(*line);
  }
  return span;
}

}  // namespace proffer::study
