// The columns of our CSV, in the order in which they are written; docs in proffer/study/trace_readers.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace proffer::study {

enum class CsvColumn : std::uint8_t {
  job,
  framework,
  pool,
  user,
  bin,
  submit_s,
  file,
  maps,
  reduces,
  input_bytes,
  output_bytes,
  map_s,
  reduce_s,
  shuffle_bytes,
  setup_s,
  cleanup_s,
};
inline constexpr std::array kCsvColumns{
    CsvColumn::job,      CsvColumn::framework,     CsvColumn::pool,         CsvColumn::user,
    CsvColumn::bin,      CsvColumn::submit_s,      CsvColumn::file,         CsvColumn::maps,
    CsvColumn::reduces,  CsvColumn::input_bytes,   CsvColumn::output_bytes, CsvColumn::map_s,
    CsvColumn::reduce_s, CsvColumn::shuffle_bytes, CsvColumn::setup_s,      CsvColumn::cleanup_s};
std::string_view to_string(CsvColumn column);

}  // namespace proffer::study
