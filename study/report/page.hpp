// The page itself.
#pragma once

#include <string>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

/// Around the figures that were drawn.
std::string page_html(const ReportInput& input, const std::vector<ReportFigure>& figures,
                      const std::vector<ReportGap>& left_out);

}  // namespace proffer::study::reporting
