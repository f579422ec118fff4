#include "live/store/data_mailbox.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::live {

DataMailbox::DataMailbox() {
  PROFFER_CHECK(commanded_.open() && reported_.open(), "no descriptor is left for a signal between threads");
}

// A signal is cleared before, and given after, what it stands for changes hands: it may come once too often,
// never too seldom.
void DataMailbox::command(DataCommand command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  commanded_.notify();
}

void DataMailbox::set_token(std::string token) {
  {
    const std::lock_guard lock(mutex_);
    token_ = std::move(token);
  }
  commanded_.notify();
}

std::optional<std::string> DataMailbox::token() {
  const std::lock_guard lock(mutex_);
  return token_;
}

std::vector<DataCommand> DataMailbox::take_commands() {
  commanded_.clear();
  const std::lock_guard lock(mutex_);
  return std::exchange(commands_, {});
}

void DataMailbox::report(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  reported_.notify();
}

std::vector<Event> DataMailbox::take_events() {
  reported_.clear();
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

}  // namespace proffer::live
