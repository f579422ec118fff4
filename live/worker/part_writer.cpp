#include "live/worker/part_writer.hpp"

#include <utility>

namespace proffer::live {
namespace {

/// The time for which a catalog that is away is waited for. The task has done its work by then, or is in the
/// midst of it.
constexpr Duration kPatience = std::chrono::minutes(2);

}  // namespace

Result<std::unique_ptr<PartWriter>> PartWriter::create(Context& context, const OutputPath& output,
                                                       AgentId agent, Duration timeout) {
  auto catalog =
      CatalogClient::connect(context, output.catalog_endpoint, timeout, {kPatience, true, {}, nullptr});
  if (!catalog) return catalog.error();
  StoreOptions options;
  options.replication = output.replication;
  options.block_bytes = output.block_bytes;
  options.timeout = timeout;
  auto file = FileWriter::create(context, **catalog, output.path, options, agent);
  if (!file) return file.error();
  std::unique_ptr<PartWriter> part(new PartWriter);
  part->catalog_ = std::move(*catalog);
  part->file_ = std::move(*file);
  return part;
}

PartWriter::~PartWriter() {
  // The part of a file that is lost stays: it is removed by whoever wants the folder of this job, and a
  // catalog that is away would only be waited for again.
  if (!closed_ && file_ && !file_->lost()) static_cast<void>(file_->abandon());
}

Result<> PartWriter::write(std::string_view bytes) {
  bytes_ += bytes.size();
  lines_.add(bytes);
  return noted(file_->write(bytes));
}

Result<> PartWriter::noted(Result<> done) {
  store_is_full_ |= !done && done.error().code == ErrorCode::no_space;
  return done;
}

TaskEnd PartWriter::judged(TaskEnd end) const {
  if (end.exit_code == 0) return end;
  end.excused = file_->lost() || store_is_full_;
  end.disk = end.disk && !store_is_full_;  // other disks than this agent's
  return end;
}

Result<> PartWriter::close() {
  auto done = noted(file_->close());
  closed_ = done.ok();
  return done;
}

}  // namespace proffer::live
