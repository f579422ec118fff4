// `proffer put|ls|cat|get|rm`
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::cli {
namespace {

constexpr Duration kStallTimeout = std::chrono::seconds(30);

/// One line on a terminal, rewritten as bytes move; nothing elsewhere.
live::Progress progress_line(const char* verb) {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return [verb](std::uint64_t done, std::uint64_t total) {
    std::fprintf(stderr, "\r%s %s of %s ", verb, human_bytes(done).c_str(), human_bytes(total).c_str());
    if (done == total) std::fputc('\n', stderr);
  };
}

Result<> put(live::Context& context, live::CatalogClient& catalog, const StoreOptions& options) {
  const auto block_bytes = parse_bytes(options.block_size);
  if (!block_bytes) return Error{ErrorCode::invalid, "--block-size: " + block_bytes.error().message};
  live::StoreOptions how;
  how.replication = options.replication;
  how.block_bytes = *block_bytes;
  live::Stop stop;
  stop.on_signals();
  const auto report =
      live::put_path(context, catalog, options.paths[0], options.paths[1], how, progress_line("put"), &stop);
  if (!report) return report.error();
  std::fprintf(stderr, "%llu files, %s in %llu blocks\n", static_cast<unsigned long long>(report->files),
               human_bytes(report->bytes).c_str(), static_cast<unsigned long long>(report->blocks));
  if (report->missing_replicas > 0) {
    std::fprintf(stderr, "proffer: %llu replicas could not be stored; their blocks have fewer copies\n",
                 static_cast<unsigned long long>(report->missing_replicas));
  }
  return {};
}

Result<> get(live::Context& context, live::CatalogClient& catalog, const StoreOptions& options) {
  const auto report = live::get_path(context, catalog, options.paths[0], options.paths[1], kStallTimeout,
                                     progress_line("get"));
  if (!report) return report.error();
  std::fprintf(stderr, "%llu files, %s\n", static_cast<unsigned long long>(report->files),
               human_bytes(report->bytes).c_str());
  return {};
}

Result<> cat(live::Context& context, live::CatalogClient& catalog, const StoreOptions& options) {
  return live::cat_path(context, catalog, options.paths[0], kStallTimeout,
                        [](std::string_view bytes) -> Result<> {
                          if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
                            return Error{ErrorCode::io, "standard output was closed"};
                          }
                          return {};
                        });
}

Result<> list(live::CatalogClient& catalog, const StoreOptions& options) {
  const auto entries = live::list_path(catalog, options.paths.empty() ? "/" : options.paths[0], false);
  if (!entries) return entries.error();
  if (options.format == Format::json) {
    std::puts(entries_json(*entries).c_str());
    return {};
  }
  Table table({"SIZE", "COPIES", "FILES", "PATH"});
  for (const auto& entry : *entries) {
    table.add({human_bytes(entry.length), entry.is_folder ? "-" : std::to_string(entry.replication),
               entry.is_folder ? std::to_string(entry.files) : "-",
               entry.path + (entry.is_folder ? "/" : "")});
  }
  std::fputs(table.text().c_str(), stdout);
  return {};
}

}  // namespace

int run_store(const StoreOptions& options) {
  live::Context context;
  auto catalog = connect_catalog(context, options.where);
  if (!catalog) return report(catalog.error());
  Result<> done;
  if (options.verb == "put") done = put(context, **catalog, options);
  if (options.verb == "get") done = get(context, **catalog, options);
  if (options.verb == "cat") done = cat(context, **catalog, options);
  if (options.verb == "ls") done = list(**catalog, options);
  if (options.verb == "rm") done = live::remove_path(**catalog, options.paths[0]);
  return done ? kOk : report(done.error());
}

}  // namespace proffer::cli
