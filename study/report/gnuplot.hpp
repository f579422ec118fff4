// Scripts that draw the CSV beside them, for those who want a figure in their paper and their own hand on it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proffer::study::reporting {

/// One set of axes.
struct GnuplotPanel {
  std::string title;
  std::string x;  ///< axis titles
  std::string y;
  std::vector<std::string> settings{};  ///< lines before the plot
  std::vector<std::string> curves{};    ///< the curves, as they follow `plot`
};

/// Draws NAME.csv into NAME.svg, panels side by side in `columns`.
std::string gnuplot_script(std::string_view name, std::string_view title,
                           const std::vector<GnuplotPanel>& panels, int columns = 1);

/// Returns a text in single quotes.
std::string gnuplot_quoted(std::string_view text);

/// `using` of the rows whose columns have these texts: `x` and then `rest`, each a gnuplot expression.
std::string gnuplot_curve(std::string_view name,
                          const std::vector<std::pair<std::string, std::string>>& where, std::string_view x,
                          std::string_view rest, std::string_view style, std::string_view title);

}  // namespace proffer::study::reporting
