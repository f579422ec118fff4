// The figures of a report, in its order. Each looks at the whole input and either draws, or says why it
// cannot.
#pragma once

#include <variant>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

using Drawing = std::variant<ReportFigure, ReportGap>;

/// Draws locality by job size, or by cell when all jobs are of one size.
Drawing draw_locality(const ReportInput& input);
/// Locality and response over a swept setting that is a number or a duration.
Drawing draw_delay(const ReportInput& input);
Drawing draw_response(const ReportInput& input);
/// Response over the response on the empty cluster, where that was measured.
Drawing draw_slowdown(const ReportInput& input);
/// Against the baseline, by bin of jobs.
Drawing draw_speedup(const ReportInput& input);
Drawing draw_share(const ReportInput& input);
Drawing draw_jain(const ReportInput& input);
Drawing draw_offers(const ReportInput& input);
Drawing draw_gantt(const ReportInput& input);
Drawing draw_utilisation(const ReportInput& input);

}  // namespace proffer::study::reporting
