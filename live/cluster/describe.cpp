#include "proffer/live/describe.hpp"

#include <iterator>
#include <utility>

#include "live/cluster/ask.hpp"

namespace proffer::live {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T>&& page) {
  all.insert(all.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
}

/// Adds a page; true when it was the last.
bool join(ClusterState& whole, ClusterState&& page) {
  const bool last = !page.more;
  whole.catalog_endpoint = std::move(page.catalog_endpoint);
  whole.event_log = std::move(page.event_log);
  whole.preemption = std::move(page.preemption);
  whole.fair_share_timeout = page.fair_share_timeout;
  whole.fair_share_threshold_milli = page.fair_share_threshold_milli;
  whole.preemption_deadline = page.preemption_deadline;
  whole.agents_known = page.agents_known;
  whole.agents_back = page.agents_back;
  whole.recovers_for = page.recovers_for;
  whole.degraded = std::move(page.degraded);
  whole.http = std::move(page.http);
  whole.living = page.living;
  append(whole.tasks, std::move(page.tasks));
  append(whole.agents, std::move(page.agents));
  append(whole.frameworks, std::move(page.frameworks));
  append(whole.pools, std::move(page.pools));
  return last;
}

}  // namespace

Result<ClusterState> describe(Context& context, const std::string& allocator_endpoint, Duration timeout,
                              std::uint64_t tasks) {
  ClusterState whole;
  const auto take = [&](Message& answer) {
    auto* page = std::get_if<ClusterState>(&answer);
    return page != nullptr && page->request == kRequest && join(whole, std::move(*page));
  };
  auto asked = ask_allocator(context, allocator_endpoint, Describe{kRequest, tasks}, timeout, take,
                             [&] { whole = {}; });
  if (!asked) return asked.error();
  return whole;
}

}  // namespace proffer::live
