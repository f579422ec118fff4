// The columns of our CSV, in the order in which they are written; docs in proffer/study/trace_readers.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace proffer::study {

enum class TraceColumn : std::uint8_t {
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
  file_bytes,
};
inline constexpr std::array kTraceColumns{
    TraceColumn::job,       TraceColumn::framework,     TraceColumn::pool,         TraceColumn::user,
    TraceColumn::bin,       TraceColumn::submit_s,      TraceColumn::file,         TraceColumn::maps,
    TraceColumn::reduces,   TraceColumn::input_bytes,   TraceColumn::output_bytes, TraceColumn::map_s,
    TraceColumn::reduce_s,  TraceColumn::shuffle_bytes, TraceColumn::setup_s,      TraceColumn::cleanup_s,
    TraceColumn::file_bytes};
std::string_view to_string(TraceColumn column);

}  // namespace proffer::study
