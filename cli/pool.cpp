// `proffer pool`: pools of other schedulers as ours.
#include <fmt/format.h>

#include <cstdio>

#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/fair_scheduler_xml.hpp"
#include "proffer/formats/toml.hpp"

namespace proffer::cli {

int run_pool_command(const PoolOptions& options) {
  const auto text = formats::read_text_file(options.file);
  if (!text) return report(text.error());
  const auto imported = import_fair_scheduler_xml(*text, options.file);
  if (!imported) return report(imported.error());
  fmt::print("{}", print_pools(*imported));
  for (const auto& line : imported->unsupported) fmt::print(stderr, "{}: {}\n", options.file, line);
  return kOk;
}

}  // namespace proffer::cli
