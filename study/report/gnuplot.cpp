#include "study/report/gnuplot.hpp"

#include "study/report/spec.hpp"

namespace proffer::study::reporting {

std::string gnuplot_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

std::string gnuplot_curve(std::string_view name,
                          const std::vector<std::pair<std::string, std::string>>& where, std::string_view x,
                          std::string_view rest, std::string_view style, std::string_view title) {
  std::string chosen;
  for (const auto& [column, text] : where) {
    chosen += (chosen.empty() ? "" : " && ") + ("strcol(\"" + column + "\") eq " + gnuplot_quoted(text));
  }
  const auto first =
      chosen.empty() ? "(" + std::string(x) + ")" : "(" + chosen + " ? " + std::string(x) + " : NaN)";
  return gnuplot_quoted(std::string(name) + ".csv") + " using " + first + ":" + std::string(rest) + " with " +
         std::string(style) + (title.empty() ? " notitle" : " title " + gnuplot_quoted(title));
}

std::string gnuplot_script(std::string_view name, std::string_view title,
                           const std::vector<GnuplotPanel>& panels, int columns) {
  const auto count = static_cast<int>(panels.size());
  const int rows = (count + columns - 1) / columns;
  std::string text = "# gnuplot " + std::string(name) + ".gp\n";
  text += "set terminal svg size " + std::to_string(columns == 1 ? 900 : 440 * columns) + "," +
          std::to_string(360 * rows + 40) + " dynamic noenhanced background 'white'\n";
  text += "set output " + gnuplot_quoted(std::string(name) + ".svg") + "\n";
  text +=
      "set datafile separator ','\nset datafile columnheaders\nset datafile missing NaN\nset key outside "
      "below\nset grid\n";
  for (std::size_t i = 0; i < palette().size(); ++i) {
    text += "set linetype " + std::to_string(i + 1) + " lc rgb '" + palette()[i] + "' pt " +
            std::to_string(i + 4) + " lw 1.6\n";
  }
  text += "set multiplot layout " + std::to_string(rows) + "," + std::to_string(columns) + " title " +
          gnuplot_quoted(title) + "\n";
  for (const auto& panel : panels) {
    text += "\nset title " + gnuplot_quoted(panel.title) + "\nset xlabel " + gnuplot_quoted(panel.x) +
            " offset 0,0.5\nset ylabel " + gnuplot_quoted(panel.y) + "\n";
    for (const auto& line : panel.settings) text += line + "\n";
    text += "plot ";
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      text += (i == 0 ? "" : ", \\\n     ") + panel.curves[i];
    }
    text += "\n";
  }
  return text + "\nunset multiplot\n";
}

}  // namespace proffer::study::reporting
