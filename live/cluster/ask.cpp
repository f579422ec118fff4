#include "live/cluster/ask.hpp"

#include <utility>

#include "proffer/formats/codec.hpp"

namespace proffer::live {

Result<> ask_allocator(Context& context, const std::string& endpoint, Message question, Duration timeout,
                       const std::function<bool(Message&)>& take, const std::function<void()>& again) {
  auto port = ConnectedPort::connect(context, endpoint);
  if (!port) return port.error();
  Envelope envelope;
  envelope.message = std::move(question);
  std::string bytes;
  encode(envelope, bytes);
  (*port)->send(PeerId{0}, bytes);
  Poller poller;
  for (const auto deadline = steady_now() + timeout; steady_now() < deadline;) {
    while (auto frame = (*port)->receive()) {
      auto answer = decode(frame->bytes);
      if (!answer) return answer.error();
      if (auto* refused = std::get_if<ErrorMessage>(&answer->message)) return refused->error;
      if (take(answer->message)) return {};
    }
    if ((*port)->take_lost()) {
      again();
      (*port)->send(PeerId{0}, bytes);
    }
    (*port)->flush();
    poller.wait({{port->get(), -1}}, deadline - steady_now());
  }
  return Error{ErrorCode::unreachable, "no allocator answers at " + endpoint};
}

}  // namespace proffer::live
