// The figures of a report, in its order. Each looks at the whole input and either draws, or says why it
// cannot.
#pragma once

#include <variant>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

using Drawing = std::variant<ReportFigure, ReportGap>;

namespace locality {
/// Draws locality by job size, or by cell when all jobs are of one size.
Drawing draw(const ReportInput& input);
}  // namespace locality
namespace delay {
/// Locality and response over a swept setting that is a number or a duration.
Drawing draw(const ReportInput& input);
}  // namespace delay
namespace response {
Drawing draw(const ReportInput& input);
/// Response over the response on the empty cluster, where that was measured.
Drawing draw_slowdown(const ReportInput& input);
}  // namespace response
namespace speedup {
/// Against the baseline, by bin of jobs.
Drawing draw(const ReportInput& input);
}  // namespace speedup
namespace share {
Drawing draw(const ReportInput& input);
}  // namespace share
namespace jain {
Drawing draw(const ReportInput& input);
}  // namespace jain
namespace offers {
Drawing draw(const ReportInput& input);
}  // namespace offers
namespace gantt {
Drawing draw(const ReportInput& input);
}  // namespace gantt
namespace utilisation {
Drawing draw(const ReportInput& input);
}  // namespace utilisation

}  // namespace proffer::study::reporting
