#include "proffer/live/describe.hpp"

#include <iterator>
#include <utility>

#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {

constexpr std::uint64_t kRequest = 1;

template <class T>
void append(std::vector<T>& all, std::vector<T>&& page) {
  all.insert(all.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
}

/// Adds a page; true when it was the last.
bool join(ClusterState& whole, ClusterState&& page) {
  const bool last = !page.more;
  whole.catalog_endpoint = std::move(page.catalog_endpoint);
  append(whole.agents, std::move(page.agents));
  append(whole.frameworks, std::move(page.frameworks));
  append(whole.pools, std::move(page.pools));
  return last;
}

}  // namespace

Result<ClusterState> describe(Context& context, const std::string& allocator_endpoint, Duration timeout) {
  auto port = ConnectedPort::connect(context, allocator_endpoint);
  if (!port) return port.error();
  Envelope question;
  question.message = Describe{kRequest};
  std::string bytes;
  encode(question, bytes);
  (*port)->send(PeerId{0}, bytes);

  ClusterState whole;
  Poller poller;
  for (const auto deadline = steady_now() + timeout; steady_now() < deadline;) {
    while (auto frame = (*port)->receive()) {
      auto answer = decode(frame->bytes);
      if (!answer) return answer.error();
      if (auto* refused = std::get_if<ErrorMessage>(&answer->message)) return refused->error;
      auto* page = std::get_if<ClusterState>(&answer->message);
      if (page != nullptr && page->request == kRequest && join(whole, std::move(*page))) return whole;
    }
    if ((*port)->take_lost()) {  // the question, too: an allocator may be about to start
      whole = {};
      (*port)->send(PeerId{0}, bytes);
    }
    (*port)->flush();
    poller.wait({{port->get(), -1}}, deadline - steady_now());
  }
  return Error{ErrorCode::unreachable, "no allocator answers at " + allocator_endpoint};
}

}  // namespace proffer::live
