// The data thread: answers readers in turn within its budget, takes blocks in, and executes the commands of
// the control thread.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "live/store/block_ingest.hpp"
#include "live/store/data_folders.hpp"
#include "live/store/data_mailbox.hpp"
#include "live/store/fetch_queue.hpp"
#include "live/store/send_budget.hpp"
#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

class DataService {
 public:
  /// `blocks`: whole ones on disk.
  DataService(std::unique_ptr<BoundPort> port, const DataFolders& folders, std::set<BlockId> blocks,
              SendBudget budget, DataMailbox& mailbox);
  /// Returns once the mailbox says so.
  void run();

 private:
  std::optional<Duration> patience();
  void execute_commands();
  void carry_out(const DropBlock& command);
  void carry_out(const DropOutputs& command);
  void carry_out(const StopServing& command);
  void carry_out(const PutInPlace& command);

  void forget_lost();
  void receive_some();
  void receive(const PortFrame& frame);
  void take(PeerId peer, const Fetch& fetch);
  void take(PeerId peer, const Store& store);
  bool must_wait(const Message& message);
  void take_early();
  Result<std::string> token_of(const DataName& what);
  Result<> may_fetch(const Fetch& fetch);

  void serve_some();
  Result<Chunk> read(const Fetch& fetch);
  void note_missing(const DataName& what);
  void send(PeerId peer, Message message);

  std::unique_ptr<BoundPort> port_;
  const DataFolders& folders_;
  std::set<BlockId> blocks_;
  SendBudget budget_;
  DataMailbox& mailbox_;
  BlockIngest ingest_;
  FetchQueue queue_;
  std::vector<PortFrame> early_;  // came before the first token
  bool stopping_ = false;
  bool more_to_receive_ = false;
};

}  // namespace proffer::live
