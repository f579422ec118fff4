// The command `proffer outpost`: the agents of a live run on this machine, started by the run itself.
#include "proffer/live/outpost.hpp"

#include "cli/output.hpp"
#include "cli/paths.hpp"
#include "cli/study_commands.hpp"

namespace proffer::cli {

int run_outpost(const OutpostOptions&) {
  const auto folder = TemporaryFolder::make("proffer-outpost");
  if (!folder) return report(folder.error());
  live::Stop stop;
  stop.on_signals();
  const auto ran = live::run_outpost({own_path(), folder->path(), PROFFER_VERSION}, stop);
  return ran ? kOk : report(ran.error());
}

}  // namespace proffer::cli
