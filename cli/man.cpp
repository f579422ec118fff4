// "proffer __man DIR", which `make install` says: writes the man pages.
#include <filesystem>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/man_page.hpp"
#include "cli/output.hpp"

namespace proffer::cli {

int run_man(const ManOptions& options) {
  std::error_code failed;
  std::filesystem::create_directories(options.dir, failed);
  for (const auto& page : man_pages(options.known, PROFFER_VERSION)) {
    const auto path = options.dir + "/" + page.name + ".1";
    std::ofstream out(path);
    out << page.text;
    out.close();
    if (!out) return report(Error{ErrorCode::invalid, path + " cannot be written"});
  }
  return kOk;
}

}  // namespace proffer::cli
