// Fetches blocks from other agents for good: into a file of its own, and to the data thread once all is
// there, which alone puts it in place. Threads of its own, since a source may take its time.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "live/store/data_folders.hpp"
#include "live/store/data_mailbox.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

class BlockCopier {
 public:
  /// `context`, `folders` and `mailbox` must outlive this object. No thread is started before the first copy.
  BlockCopier(Context& context, const DataFolders& folders, DataMailbox& mailbox)
      : context_(context), folders_(folders), mailbox_(mailbox) {}
  /// Gives up what is under way.
  ~BlockCopier();
  BlockCopier(const BlockCopier&) = delete;
  BlockCopier& operator=(const BlockCopier&) = delete;

  /// Fetches a block. Its end is put into the mailbox: PutInPlace as a command, or BlockNotFetched.
  void fetch(FetchBlock wanted);

 private:
  void run();
  bool stopping();
  Result<> copy(class Fetcher& fetcher, const FetchBlock& wanted);

  Context& context_;
  const DataFolders& folders_;
  DataMailbox& mailbox_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FetchBlock> waiting_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace proffer::live
