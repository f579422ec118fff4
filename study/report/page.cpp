#include "study/report/page.hpp"

#include "study/report/assets.hpp"
#include "study/report/cells.hpp"
#include "study/report/html.hpp"
#include "study/report/tables.hpp"

namespace proffer::study::reporting {
namespace {

// Vega makes functions of the expressions in a specification, hence unsafe-eval; nothing may be loaded.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:">
)";

constexpr const char* kFormulae = R"(<p>Only jobs submitted between warm-up and drain count.
<b>Node-local share</b>: launches on a node that holds the task's data, over the launches that had a preference.
<b>Response</b>: finish − submit. <b>Slowdown</b>: response over the response of the same job alone on the empty
cluster. <b>Fair share</b>: weighted max-min over the tree of pools, level by level, capped by demand.
<b>Jain's index</b>: (Σx)² / (nΣx²) over x = running / min(fair share, demand), while at least two frameworks have
demand; running only, since an offer that is held is no service. <b>Speed-up</b>: mean response in the baseline
over that in the cell, of the same seed. <b>Intervals</b>: 95% confidence of the mean over seeds, by Student's t.
</p>
)";

std::string script(std::string_view text) { return "<script>\n" + std::string(text) + "\n</script>\n"; }

std::string section(const std::string& id, const std::string& title, const std::string& body) {
  if (body.empty()) return {};
  return "<section id=\"" + id + "\">\n<h2>" + html_text(title) + "</h2>\n" + body + "</section>\n";
}

std::string folded(const std::string& title, const std::string& body, const std::string& css = "") {
  if (body.empty()) return {};
  return "<details" + (css.empty() ? "" : " class=\"" + css + "\"") + "><summary>" + html_text(title) +
         "</summary>\n" + body + "</details>\n";
}

std::string lead(const ReportInput& input) {
  std::vector<const ReportCell*> cells;
  std::size_t runs = 0;
  for (const auto& cell : input.cells) {
    cells.push_back(&cell);
    runs += cell.runs.size();
  }
  const auto counted = [](std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string text = "<p class=\"lead\">" + html_text(input.summary.experiment) + " · " +
                     counted(runs, "run") + " of " + counted(cells.size(), "cell") + ", " +
                     html_text(seeds_text(cells)) + " · proffer " + html_text(input.version) + "</p>\n";
  for (const auto& note : input.notes) text += "<p>" + html_text(note) + "</p>\n";
  return text;
}

std::string contents(const std::vector<ReportFigure>& figures, bool tenants, bool paper) {
  std::string links = "<a href=\"#cells\">Cells</a>";
  if (tenants) links += "<a href=\"#tenants\">By tenant</a>";
  if (paper) links += "<a href=\"#paper\">Beside the papers</a>";
  for (const auto& figure : figures) {
    links += "<a href=\"#" + html_text(figure.name) + "\">" + html_text(figure.title) + "</a>";
  }
  return "<nav>" + links + "<a href=\"#methods\">Definitions and runs</a></nav>\n";
}

std::string figure_html(const ReportFigure& figure) {
  const auto name = html_text(figure.name);
  return "<section id=\"" + name + "\">\n<h2>" + html_text(figure.title) + "</h2>\n<figure data-name=\"" +
         name + "\">\n<div class=\"drawing\" role=\"img\" aria-label=\"" + html_text(figure.title) +
         "\"></div>\n<figcaption>" + html_text(figure.caption) +
         "</figcaption>\n<div class=\"tools\"></div>\n<script type=\"application/json\">" +
         html_json(figure.spec) + "</script>\n</figure>\n</section>\n";
}

std::string gaps_html(const std::vector<ReportGap>& gaps) {
  std::string items;
  for (const auto& gap : gaps) {
    items += "<li><b>" + html_text(gap.title) + "</b>: " + html_text(gap.why) + "</li>\n";
  }
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string cells_section(const ReportInput& input) {
  const auto table = cells_table(input);
  if (table.empty()) return {};
  return "<p class=\"faint\">Means over seeds ± half of the 95% confidence interval.</p>\n" + table +
         folded("All measures, and differences to the baseline by paired seeds", measures_table(input));
}

}  // namespace

std::string page_html(const ReportInput& input, const std::vector<ReportFigure>& figures,
                      const std::vector<ReportGap>& left_out) {
  const auto paper = paper_table(input);
  const auto tenants = tenants_tables(input);
  std::string page = kHead;
  page += "<title>" + html_text(input.title) + "</title>\n<style>\n" + std::string(page_css()) +
          "</style>\n</head>\n<body>\n<h1>" + html_text(input.title) + "</h1>\n" + lead(input) +
          contents(figures, !tenants.empty(), !paper.empty());
  page +=
      "<noscript><p>The figures of this page are drawn by scripts inside it, which are switched off "
      "here.</p></noscript>\n";
  page += section("cells", "Cells", cells_section(input)) +
          section("tenants", "By tenant", tenants) + section("paper", "Beside the papers", paper) +
          section("checks", "Checks", checks_list(input));
  for (const auto& figure : figures) page += figure_html(figure);
  page += section("left-out", "Left out", gaps_html(left_out));
  page += section("methods", "Definitions and runs",
                  kFormulae + folded("Runs, with their digests", runs_table(input)) +
                      folded("Licences of the libraries in this page",
                             "<pre>" + html_text(js_licences()) + "</pre>\n", "licences"));
  for (const auto library : {vega_js(), vega_lite_js(), vega_embed_js(), page_js()}) page += script(library);
  return page + "</body>\n</html>\n";
}

}  // namespace proffer::study::reporting
