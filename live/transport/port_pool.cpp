#include "live/transport/port_pool.hpp"

#include <algorithm>
#include <iterator>

namespace proffer::live {

PortPool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->give_back(std::move(endpoint_), std::move(port_), spoilt_);
}

Result<PortPool::Lease> PortPool::borrow(const std::string& endpoint) {
  close_idle(steady_now());
  {
    const std::lock_guard lock(mutex_);
    if (auto port = take_idle(endpoint)) {
      ++lent_;
      return Lease(*this, endpoint, std::move(port));
    }
    if (lent_ >= most_) {
      return Error{ErrorCode::slow_down,
                   "too many connections to data ports are in use for one to " + endpoint};
    }
    if (lent_ + idle_.size() >= most_) idle_.pop_front();
    ++lent_;
  }
  auto port = ConnectedPort::connect(context_, endpoint);
  if (port) return Lease(*this, endpoint, std::move(*port));
  const std::lock_guard lock(mutex_);
  --lent_;
  return port.error();
}

/// The port that was used last is lent: its connection is the likeliest to stand.
std::unique_ptr<ConnectedPort> PortPool::take_idle(const std::string& endpoint) {
  const auto last =
      std::find_if(idle_.rbegin(), idle_.rend(), [&](const Idle& one) { return one.endpoint == endpoint; });
  if (last == idle_.rend()) return nullptr;
  auto port = std::move(last->port);
  idle_.erase(std::next(last).base());
  return port;
}

void PortPool::give_back(std::string endpoint, std::unique_ptr<ConnectedPort> port, bool spoilt) {
  const std::lock_guard lock(mutex_);
  --lent_;
  if (!spoilt) idle_.push_back({std::move(endpoint), std::move(port), steady_now()});
}

void PortPool::close_idle(Time now) {
  const std::lock_guard lock(mutex_);
  while (!idle_.empty() && now - idle_.front().since >= limits::kIdlePort) idle_.pop_front();
}

std::size_t PortPool::size() const {
  const std::lock_guard lock(mutex_);
  return lent_ + idle_.size();
}

}  // namespace proffer::live
