// Writes a file: gathers a block, cuts it, has the catalog choose its places, sends it there.
#include <optional>
#include <set>
#include <utility>

#include "live/store/block_cut.hpp"
#include "live/store/block_sender.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

// The attempts to store a block, with other targets each time: the catalog draws anew.
constexpr int kAttemptsPerBlock = 3;

}  // namespace

bool is_absence(const Error& error) {
  return error.code == ErrorCode::unreachable || error.code == ErrorCode::slow_down;
}

struct FileWriter::Impl {
  Impl(Context& context, CatalogClient& asked, std::string to, StoreOptions how, AgentId from)
      : catalog(asked), path(std::move(to)), options(how), writer(from), sender(context, how.timeout) {}

  /// Sends a request about the file that is written, which the catalog knows unless it was started again.
  Result<Message> ask(Message request) {
    auto answer = catalog.ask(std::move(request));
    lost |= !answer && (is_absence(answer.error()) || answer.error().code == ErrorCode::not_found);
    return answer;
  }
  Result<> store(std::string_view block);
  Result<std::optional<BlockId>> try_store(std::string_view block);
  Result<> seal(BlockId block, std::string_view bytes);
  Error refusal() const;
  /// Once something has failed, everything does.
  Result<> note(Result<> outcome) {
    if (!outcome) failure = outcome.error();
    return outcome;
  }

  CatalogClient& catalog;
  std::string path;
  StoreOptions options;
  AgentId writer;
  BlockSender sender;
  std::string gathered;  // bytes of the block being made, at most one more than a block
  bool after_line_end = true;
  std::optional<Error> failure;
  std::vector<BlockSender::Failed> refusals;  // refusals of the block being stored
  bool lost = false;
  WriteReport report;
};

/// Returns none when no target took the block.
Result<std::optional<BlockId>> FileWriter::Impl::try_store(std::string_view block) {
  auto answer = ask(AddBlock{0, path, writer});
  if (!answer) return answer.error();
  const auto* allocated = std::get_if<BlockAllocated>(&*answer);
  if (!allocated) return Error{ErrorCode::corrupt, "the catalog gave no place for a block of " + path};
  auto failed = sender.send(*allocated, block);
  const auto stored = allocated->targets.size() - failed.size();
  for (auto& one : failed) refusals.push_back(std::move(one));
  if (stored == 0) return std::optional<BlockId>();
  if (stored < options.replication) report.missing_replicas += options.replication - stored;
  return std::optional(allocated->block);
}

Result<> FileWriter::Impl::store(std::string_view block) {
  refusals.clear();
  for (int attempt = 0; attempt < kAttemptsPerBlock; ++attempt) {
    const auto stored = try_store(block);
    if (!stored) return stored.error();
    if (*stored) return seal(**stored, block);
  }
  return refusal();
}

/// Returns the error of a block that no target takes: that of a full disk, where there is one, since somebody
/// will want to know which disk; otherwise the first.
Error FileWriter::Impl::refusal() const {
  const auto what = "no agent could store a block of " + path + ": ";
  std::set<std::string> places;
  for (const auto& [target, error] : refusals) {
    if (error.code != ErrorCode::no_space) return Error{error.code, what + error.message};
    places.insert(target.endpoint);
  }
  std::string full;
  for (const auto& endpoint : places) full += (full.empty() ? "" : ", ") + endpoint;
  return Error{ErrorCode::no_space, what + "no space is left on the disks of the agents at " + full};
}

Result<> FileWriter::Impl::seal(BlockId block, std::string_view bytes) {
  const auto first_record = first_record_in(bytes, after_line_end);
  auto sealed = ask(SealBlock{0, path, block, bytes.size(), first_record});
  if (!sealed) return sealed.error();
  after_line_end = bytes.back() == '\n';
  report.bytes += bytes.size();
  ++report.blocks;
  return {};
}

FileWriter::FileWriter() = default;
FileWriter::~FileWriter() = default;

Result<std::unique_ptr<FileWriter>> FileWriter::create(Context& context, CatalogClient& catalog,
                                                       std::string path, StoreOptions options,
                                                       AgentId writer) {
  if (options.block_bytes == 0 || options.block_bytes > limits::kBlockBytes) {
    return Error{ErrorCode::invalid, "a block must have 1 byte to 4 GiB"};
  }
  auto created = catalog.ask(CreateFile{0, path, options.replication});
  // An earlier one that was not answered may be the reason; nobody else knows this name.
  const bool is_ours = !created && created.error().code == ErrorCode::exists && catalog.repeated();
  if (!created && !is_ours) return created.error();
  std::unique_ptr<FileWriter> file(new FileWriter);
  file->impl_ = std::make_unique<Impl>(context, catalog, std::move(path), options, writer);
  return file;
}

// A block is cut only when more than a block is there: so a file that fits into one block is one block.
Result<> FileWriter::write(std::string_view bytes) {
  if (impl_->failure) return *impl_->failure;
  auto& gathered = impl_->gathered;
  while (!bytes.empty()) {
    const auto room = impl_->options.block_bytes + 1 - gathered.size();
    gathered.append(bytes.substr(0, room));
    bytes.remove_prefix(std::min<std::size_t>(room, bytes.size()));
    if (gathered.size() <= impl_->options.block_bytes) break;
    const auto end = block_end(gathered, impl_->options.block_bytes);
    if (auto stored = impl_->note(impl_->store(std::string_view(gathered).substr(0, end))); !stored)
      return stored;
    gathered.erase(0, end);
  }
  return {};
}

Result<> FileWriter::close() {
  if (impl_->failure) return *impl_->failure;
  if (!impl_->gathered.empty()) {
    if (auto stored = impl_->note(impl_->store(impl_->gathered)); !stored) return stored;
    impl_->gathered.clear();
  }
  auto completed = impl_->ask(CompleteFile{0, impl_->path});
  return impl_->note(completed ? Result<>() : Result<>(completed.error()));
}

Result<> FileWriter::abandon() {
  impl_->failure = Error{ErrorCode::invalid, impl_->path + " was given up"};
  auto removed = impl_->catalog.ask(RemoveFiles{0, impl_->path});
  if (!removed) return removed.error();
  return {};
}

bool FileWriter::lost() const { return impl_->lost; }

const WriteReport& FileWriter::report() const { return impl_->report; }

}  // namespace proffer::live
