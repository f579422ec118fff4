#include "formats/hadoop_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer::formats {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::int64_t kMilli = 1000;
constexpr std::int64_t kMostMilli = 1'000'000 * kMilli;  // largest weight

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return {};
  return number;
}

/// Returns a number that may have a fraction; none, with an error, when it is no number, or below 0.
std::optional<double> part_of(const HadoopValue& value, ImportNotes& notes) {
  const auto number = number_of<double>(value.text);
  if (number && std::isfinite(*number) && *number >= 0) return number;
  notes.fail(value.line, fmt::format("{} is a number from 0, not \"{}\"", value.what, value.text));
  return {};
}

struct HadoopResource {
  Kind kind;
  std::int64_t units = 0;
};

/// Reads "memory-mb=10240" or "10240 mb", in lower case; a fraction of a unit is cut off.
std::optional<HadoopResource> resource_of(std::string_view text) {
  const auto equals = text.find('=');
  const bool is_named = equals != text.npos;
  auto number = boost::trim_copy(std::string(is_named ? text.substr(equals + 1) : text));
  auto name = is_named ? std::string(text.substr(0, equals)) : "";
  if (!is_named) {
    const auto end = std::min(number.find_first_not_of(kDigits), number.size());
    const bool has_part = number.substr(end, 1) == ".";
    name =
        number.substr(has_part ? std::min(number.find_first_not_of(kDigits, end + 1), number.size()) : end);
    number.resize(end);
  }
  boost::trim(name);
  const auto units = number_of<std::int64_t>(number);
  const bool is_memory = name == (is_named ? "memory-mb" : "mb");
  if (!units || *units < 0 || (!is_memory && name != "vcores")) return {};
  if (*units > limits::kQuantity) return HadoopResource{is_memory ? kMemory : kCpus, *units};
  return is_memory ? HadoopResource{kMemory, *units} : HadoopResource{kCpus, 1000 * *units};
}

}  // namespace

void ImportNotes::fail(std::uint32_t line, std::string_view what) {
  if (!error_) error_ = Error{ErrorCode::invalid, fmt::format("{}:{}: {}", file_, line, what)};
}
void ImportNotes::note(std::uint32_t line, std::string_view what) {
  notes_.emplace_back(line, fmt::format("{}:{}: {}", file_, line, what));
}
std::vector<std::string> ImportNotes::take() {
  std::stable_sort(notes_.begin(), notes_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> sentences;
  for (auto& [line, sentence] : notes_) sentences.push_back(std::move(sentence));
  return sentences;
}
void ImportNotes::unsupported(std::uint32_t line, std::string_view what) {
  note(line, fmt::format("{} is not supported, and left out", what));
}

std::uint32_t read_count(const HadoopValue& value, ImportNotes& notes) {
  const auto number = number_of<std::uint32_t>(value.text);
  if (!number) {
    notes.fail(value.line, fmt::format("{} is a whole number from 0, not \"{}\"", value.what, value.text));
  }
  return number.value_or(0);
}

std::optional<std::uint32_t> read_job_limit(const HadoopValue& value, ImportNotes& notes) {
  const auto most = read_count(value, notes);
  if (most > 0) return most;
  notes.note(value.line,
             value.what +
                 " 0 lets nothing run in Hadoop; here 0 is no limit, so that is not supported, and "
                 "left out: jobs do run");
  return {};
}

Duration read_timeout(const HadoopValue& value, ImportNotes& notes) {
  const auto seconds = read_count(value, notes);
  if (seconds > 0) return std::chrono::seconds(seconds);
  notes.note(value.line, value.what + " 0 is at once in Hadoop, which is not supported: it is 1 second here");
  return std::chrono::seconds(1);
}

std::int64_t read_weight(const HadoopValue& value, ImportNotes& notes) {
  const auto number = part_of(value, notes);
  if (!number) return kMilli;
  const auto most = static_cast<double>(kMostMilli);
  const auto milli = std::clamp<std::int64_t>(std::llround(std::min(*number * kMilli, most)), 1, kMostMilli);
  if (*number * kMilli < 1 || *number * kMilli > most) {
    notes.note(value.line,
               fmt::format("{} {} is not supported: it is {} here, the {} there is", value.what, value.text,
                           milli == 1 ? "0.001" : "1000000", milli == 1 ? "smallest" : "largest"));
  }
  return milli;
}

std::optional<std::int64_t> read_threshold(const HadoopValue& value, ImportNotes& notes) {
  const auto number = part_of(value, notes);
  if (!number || *number == 0) return {};
  if (*number > 1) notes.note(value.line, fmt::format("{} {} counts as 1", value.what, value.text));
  return std::max<std::int64_t>(std::llround(std::min(*number, 1.0) * kMilli), 1);
}

std::optional<HadoopPolicy> read_policy(const HadoopValue& value, ImportNotes& notes) {
  constexpr std::string_view kPackage =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.";
  const std::string_view text = value.text;
  const auto name = text.starts_with(kPackage) ? std::string(text.substr(kPackage.size())) : "";
  const auto word = boost::to_lower_copy(value.text);
  if (word == "fair" || name == "FairSharePolicy") return HadoopPolicy::fair;
  if (word == "fifo" || name == "FifoPolicy") return HadoopPolicy::fifo;
  if (word == "drf" || name == "DominantResourceFairnessPolicy") return HadoopPolicy::drf;
  if (text.find('.') != text.npos) {
    notes.unsupported(value.line, fmt::format("{} {}", value.what, text));
  } else {
    notes.fail(value.line, fmt::format("{} is fair, fifo or drf, not \"{}\"", value.what, text));
  }
  return {};
}

Resources read_resources(const HadoopValue& value, ImportNotes& notes) {
  std::map<Kind, std::int64_t> found;
  std::istringstream parts(boost::to_lower_copy(value.text));
  bool known = true;
  for (std::string part; known && std::getline(parts, part, ',');) {
    const auto resource = resource_of(part);
    known = resource && resource->units <= limits::kQuantity &&
            found.emplace(resource->kind, resource->units).second;
  }
  if (!known) {
    notes.unsupported(value.line,
                      fmt::format("{} \"{}\" (write \"X mb, Y vcores\")", value.what, value.text));
    found.clear();
  }
  Resources resources;
  for (const auto& [kind, units] : found) resources.set(kind, units);
  return resources;
}

}  // namespace proffer::formats
