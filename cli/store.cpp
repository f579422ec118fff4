// The commands `proffer put|ls|cat|get|rm`.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/live/port.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::cli {
namespace {

constexpr Duration kStallTimeout = std::chrono::seconds(30);

/// Counts things: "1 file", "2 files".
std::string counted(std::uint64_t n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

/// Shows progress as one line on a terminal, rewritten as bytes move; nothing elsewhere.
live::Progress progress_line(const char* verb) {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return [verb](std::uint64_t done, std::uint64_t total) {
    std::fprintf(stderr, "\r%s %s of %s ", verb, human_bytes(done).c_str(), human_bytes(total).c_str());
    if (done == total) std::fputc('\n', stderr);
  };
}

/// Asks again for 30 s, since agents that hold the blocks, or a catalog that was there, may be back soon.
live::CatalogPatience patience_until(const live::Stop& stop) {
  live::CatalogPatience patience;
  patience.at_most = std::chrono::seconds(30);
  patience.waits = [](const std::string& why, Duration at_most) {
    std::fprintf(stderr, "proffer: waiting for up to %lld s: %s\n",
                 static_cast<long long>(std::chrono::floor<std::chrono::seconds>(at_most).count()),
                 why.c_str());
  };
  patience.stop = &stop;
  return patience;
}

Result<> put(live::Context& context, live::CatalogClient& catalog, const StoreOptions& options,
             const live::Stop& stop) {
  const auto block_bytes = parse_bytes(options.block_size);
  if (!block_bytes) return Error{ErrorCode::invalid, "--block-size: " + block_bytes.error().message};
  live::StoreOptions how;
  how.replication = options.replication;
  how.block_bytes = *block_bytes;
  const auto report =
      live::put_path(context, catalog, options.paths[0], options.paths[1], how, progress_line("put"), &stop);
  if (!report) return report.error();
  std::fprintf(stderr, "%s, %s in %s\n", counted(report->files, "file").c_str(),
               human_bytes(report->bytes).c_str(), counted(report->blocks, "block").c_str());
  if (report->missing_replicas > 0) {
    std::fprintf(stderr, "proffer: %s could not be stored; their blocks have fewer copies\n",
                 counted(report->missing_replicas, "replica").c_str());
  }
  return {};
}

Result<> get(live::Context& context, live::CatalogClient& catalog, const StoreOptions& options) {
  if (options.paths[1] == "-") {
    const auto& path = options.paths[0];
    return Error{ErrorCode::invalid, "get makes a file or a folder; proffer cat " + path + " prints it"};
  }
  const auto report = live::get_path(context, catalog, options.paths[0], options.paths[1], kStallTimeout,
                                     progress_line("get"));
  if (!report) return report.error();
  std::fprintf(stderr, "%s, %s\n", counted(report->files, "file").c_str(),
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
  live::Stop stop;
  if (options.verb == "put") stop.on_signals();  // what it has begun to write is removed
  auto catalog = connect_catalog(context, options.where, patience_until(stop));
  if (!catalog) return report(catalog.error());
  Result<> done;
  if (options.verb == "put") done = put(context, **catalog, options, stop);
  if (options.verb == "get") done = get(context, **catalog, options);
  if (options.verb == "cat") done = cat(context, **catalog, options);
  if (options.verb == "ls") done = list(**catalog, options);
  if (options.verb == "rm") done = live::remove_path(**catalog, options.paths[0]);
  return done ? kOk : report(done.error());
}

}  // namespace proffer::cli
