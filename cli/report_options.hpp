// What `proffer report` was asked for.
#pragma once

#include <string>

namespace proffer::cli {

struct ReportOptions {
  std::string dir;     // results of an experiment
  std::string output;  // the page; empty: report.html in that folder. figures/ is beside it
  bool text = false;   // the tables on stdout, and no files
};

}  // namespace proffer::cli
