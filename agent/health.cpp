#include "agent/health.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::agent {
namespace {

constexpr int kMostInARow = 3;
constexpr Duration kFirstProbe = std::chrono::seconds(1);
constexpr Duration kLongestWait = std::chrono::minutes(1);
constexpr Duration kTellAgain = std::chrono::seconds(1);
/// The longest sentence about trouble: it travels in each REGISTER.
constexpr std::size_t kTroubleBytes = 512;

}  // namespace

void Health::kept() {
  streaks_[kOutputs] = 0;
  probes_ = 0;
}

void Health::failed(const AgentFault& fault, Time now) {
  if (fault.what == AgentFault::What::ran) return;  // the next start tells whether there is another launcher
  auto& streak = streaks_[fault.what == AgentFault::What::start ? kStarts : kOutputs];
  if (++streak < kMostInARow || !failing_.empty()) return;
  failing_ = as_told(fault.why);
  if (failing_.empty()) failing_ = "runs fail";
  told_at_.reset();
  wait_for_probe(now);
}

/// Returns `why` as it comes back from the allocator: texts on the wire are UTF-8, and what the system says
/// of a path may be any bytes.
std::string Health::as_told(const std::string& why) {
  auto text = why.substr(0, kTroubleBytes);
  for (auto& c : text) c = c < ' ' || c > '~' ? '?' : c;
  return text;
}

// An agent that is well again is on trial: the next failure is one too many.
void Health::probed(const std::string& why, Time now) {
  if (!probing_) return;
  probing_ = false;
  told_at_.reset();
  if (!why.empty()) {
    failing_ = as_told(why);
    return wait_for_probe(now);
  }
  failing_.clear();
  streaks_.fill(kMostInARow - 1);
}

// The wait is longer each time until a run has ended well, so that an agent of which probes think better than
// they should is given few tasks.
void Health::wait_for_probe(Time now) {
  auto wait = kFirstProbe;
  for (int i = 0; i < probes_ && wait < kLongestWait; ++i) wait *= 2;
  ++probes_;
  probe_at_ = now + std::min(wait, kLongestWait);
}

void Health::store_has(const StoreRoom& room) {
  disk_ = room.room == Room::plenty ? "" : as_told(room.why);
  if (disk_.empty() && room.room != Room::plenty) disk_ = "the disk is full";
  told_at_.reset();
}

void Health::ending() {
  ending_ = "the agent is being stopped";
  told_at_.reset();
}

const std::string& Health::trouble() const {
  if (!ending_.empty()) return ending_;
  return failing_.empty() ? disk_ : failing_;
}

bool Health::take_news() {
  if (traced_ == trouble()) return false;
  traced_ = trouble();
  return true;
}

bool Health::take_due_probe(Time now) {
  if (!probe_at_ || *probe_at_ > now) return false;
  probe_at_.reset();
  probing_ = true;
  return true;
}

bool Health::take_due_telling(Time now) {
  const auto due = next_telling();
  if (!due || *due > now) return false;
  told_at_ = now;
  told_.reset();
  return true;
}

std::optional<Time> Health::next_telling() const {
  if (told_ == trouble()) return {};
  return told_at_ ? *told_at_ + kTellAgain : Time{};
}

void Health::check_invariants() const {
  PROFFER_CHECK(failing_.empty() == (!probe_at_ && !probing_),
                "failing ends by a probe, and nothing else probes");
  PROFFER_CHECK(!probe_at_ || !probing_, "one probe at a time");
}

}  // namespace proffer::agent
