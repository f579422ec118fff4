// The options of `proffer report`.
#pragma once

#include <string>

namespace proffer::cli {

struct ReportOptions {
  std::string dir;     // folder with the results of an experiment
  std::string output;  // the page; empty: report.html in that folder. figures/ is beside it
  bool text = false;   // the tables on stdout, and no files
};

}  // namespace proffer::cli
