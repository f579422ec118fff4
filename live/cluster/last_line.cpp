#include "live/cluster/last_line.hpp"

#include <fstream>

namespace proffer::live {

std::string last_line(const std::string& path) {
  std::ifstream in(path);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace proffer::live
