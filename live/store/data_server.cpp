#include "live/store/data_server.hpp"

#include <future>
#include <set>
#include <thread>

#include "live/os/block_signals.hpp"
#include "live/store/block_copier.hpp"
#include "live/store/data_service.hpp"

namespace proffer::live {
namespace {

std::set<BlockId> ids_of(const std::vector<std::pair<BlockId, std::uint64_t>>& blocks) {
  std::set<BlockId> ids;
  for (const auto& [block, length] : blocks) ids.insert(block);
  return ids;
}

}  // namespace

struct DataServer::Impl {
  Impl(Context& context, DataServerConfig given)
      : config(std::move(given)),
        folders(config.blocks_dir, config.outputs_dir),
        copier(context, folders, mailbox) {}

  /// The whole life of the data thread. A port belongs to the thread that makes it, so that even binding is
  /// done here.
  void serve(Context& context, std::promise<Result<std::string>> bound) {
    block_signals();
    auto port = BoundPort::bind(context, config.endpoint, limits::kBulkFlightBytes);
    if (!port) return bound.set_value(port.error());
    const auto address = (*port)->endpoint();
    DataService service(std::move(*port), folders, ids_of(blocks),
                        SendBudget(config.uplink_bytes_per_s, steady_now()), mailbox);
    bound.set_value(address);
    service.run();
  }

  DataServerConfig config;
  DataFolders folders;
  std::vector<std::pair<BlockId, std::uint64_t>> blocks;
  std::string endpoint;
  DataMailbox mailbox;
  BlockCopier copier;
  std::thread thread;
};

DataServer::DataServer() = default;

Result<std::unique_ptr<DataServer>> DataServer::start(Context& context, DataServerConfig config) {
  if (config.uplink_bytes_per_s == 0) {
    return Error{ErrorCode::invalid, "an uplink of 0 bytes a second would never send anything"};
  }
  std::unique_ptr<DataServer> server(new DataServer);
  server->impl_ = std::make_unique<Impl>(context, std::move(config));
  auto& impl = *server->impl_;
  auto blocks = impl.folders.prepare();
  if (!blocks) return blocks.error();
  impl.blocks = std::move(*blocks);
  std::promise<Result<std::string>> promise;
  auto bound = promise.get_future();
  impl.thread = std::thread(
      [&impl, &context, promise = std::move(promise)]() mutable { impl.serve(context, std::move(promise)); });
  auto endpoint = bound.get();
  if (!endpoint) return endpoint.error();
  impl.endpoint = std::move(*endpoint);
  return server;
}

DataServer::~DataServer() {
  if (!impl_ || !impl_->thread.joinable()) return;
  impl_->mailbox.command(StopServing{});
  impl_->thread.join();
}

const std::string& DataServer::endpoint() const { return impl_->endpoint; }
const std::vector<std::pair<BlockId, std::uint64_t>>& DataServer::blocks_at_start() const {
  return impl_->blocks;
}
void DataServer::set_token(std::string token) { impl_->mailbox.set_token(std::move(token)); }
void DataServer::drop_block(BlockId block) { impl_->mailbox.command(DropBlock{block}); }
void DataServer::drop_outputs(FrameworkId framework, JobId job) {
  impl_->mailbox.command(DropOutputs{framework, job});
}
void DataServer::fetch_block(FetchBlock wanted) { impl_->copier.fetch(std::move(wanted)); }
int DataServer::event_fd() const { return impl_->mailbox.event_fd(); }
std::vector<Event> DataServer::take_events() { return impl_->mailbox.take_events(); }

}  // namespace proffer::live
