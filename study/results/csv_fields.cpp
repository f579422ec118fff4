#include <charconv>

#include "study/csv_field.hpp"
#include "study/results/csv_table.hpp"

namespace proffer::study {
namespace {

template <class Number>
bool read_number(const std::string& field, Number& value) {
  const auto* last = field.data() + field.size();
  const auto [end, error] = std::from_chars(field.data(), last, value);
  return error == std::errc{} && end == last;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + '\n';
}

std::string to_field(const std::string& value) { return value; }
std::string to_field(double value) { return fmt::format("{}", value); }
std::string to_field(std::int64_t value) { return std::to_string(value); }
std::string to_field(std::uint32_t value) { return std::to_string(value); }
std::string to_field(bool value) { return value ? "1" : "0"; }
std::string to_field(Locality value) { return std::string(to_string(value)); }

bool from_field(const std::string& field, std::string& value) {
  value = field;
  return true;
}
bool from_field(const std::string& field, double& value) { return read_number(field, value); }
bool from_field(const std::string& field, std::int64_t& value) { return read_number(field, value); }
bool from_field(const std::string& field, std::uint32_t& value) { return read_number(field, value); }
bool from_field(const std::string& field, bool& value) {
  value = field == "1";
  return value || field == "0";
}
bool from_field(const std::string& field, Locality& value) {
  for (const auto locality : {Locality::node, Locality::rack, Locality::any}) {
    value = locality;
    if (field == to_string(locality)) return true;
  }
  return false;
}

}  // namespace proffer::study
