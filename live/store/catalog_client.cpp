// Requests to a catalog, one at a time.
#include <utility>

#include "live/store/patience.hpp"
#include "live/transport/envelope.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {

struct CatalogClient::Impl {
  std::unique_ptr<ConnectedPort> port;
  std::string endpoint;
  Duration timeout{};
  CatalogPatience patience;
  std::uint64_t requests = 0;
  bool answers = false;  // the catalog has answered before
  bool repeated = false;
  SessionId session;  // 0: none is open
  Poller poller;

  Error unreachable() const { return {ErrorCode::unreachable, "no catalog answers at " + endpoint}; }
  Result<> send(Message message);
  Result<Envelope> receive(Time deadline);
  Result<> greet();
  Result<Message> next_answer(std::uint64_t request);
  Result<Message> whole_answer(std::uint64_t request);
  Result<Message> ask_once(Message request);
  bool may_pass(const Error& error) const {
    if (error.code == ErrorCode::slow_down) return true;
    return error.code == ErrorCode::unreachable && (answers || patience.from_the_start);
  }
  Result<Message> ask(std::uint64_t number, const Message& request);
};

Result<> CatalogClient::Impl::send(Message message) {
  std::string bytes;
  encode(bare_envelope(std::move(message), session), bytes);
  if (port->send({}, std::move(bytes)) != Sent::yes) return unreachable();
  return {};
}

Result<Envelope> CatalogClient::Impl::receive(Time deadline) {
  while (true) {
    if (auto frame = port->receive()) {
      auto envelope = decode(frame->bytes);
      if (!envelope) return Error{ErrorCode::corrupt, "no catalog speaks at " + endpoint};
      if (const auto* error = std::get_if<ErrorMessage>(&envelope->message)) return error->error;
      answers = true;
      return envelope;
    }
    if (port->take_lost()) {
      session = {};
      return unreachable();
    }
    const auto left = deadline - steady_now();
    if (left <= Duration::zero()) return unreachable();
    poller.wait({{port.get(), -1}}, left);
    port->flush();
  }
}

/// Opens a session; it ends with the connection.
Result<> CatalogClient::Impl::greet() {
  session = {};
  if (auto sent = send(CatalogHello{}); !sent) return sent;
  for (const auto deadline = steady_now() + timeout; session == SessionId{};) {
    const auto answer = receive(deadline);
    if (!answer) return answer.error();
    if (std::holds_alternative<CatalogSession>(answer->message)) session = answer->session;
  }
  return {};
}

/// Returns the next message about this request; what is left of earlier ones is passed over.
Result<Message> CatalogClient::Impl::next_answer(std::uint64_t request) {
  const auto deadline = steady_now() + timeout;
  while (true) {
    auto answer = receive(deadline);
    if (!answer) return answer.error();
    if (request_of(answer->message) == request) return std::move(answer->message);
  }
}

Result<Message> CatalogClient::Impl::whole_answer(std::uint64_t request) {
  auto answer = next_answer(request);
  if (!answer) return answer;
  if (auto* done = std::get_if<CatalogDone>(&*answer); done && done->error) return *done->error;
  auto* listed = std::get_if<FilesListed>(&*answer);
  while (listed && listed->more) {
    auto page = next_answer(request);
    if (!page) return page;
    auto* next = std::get_if<FilesListed>(&*page);
    if (!next) return Error{ErrorCode::corrupt, "the catalog at " + endpoint + " broke off its listing"};
    append_page(*listed, std::move(*next));
  }
  return answer;
}

Result<Message> CatalogClient::Impl::ask(std::uint64_t number, const Message& request) {
  if (session == SessionId{}) {
    if (auto greeted = greet(); !greeted) return greeted.error();
  }
  if (auto sent = send(request); !sent) return sent.error();
  return whole_answer(number);
}

CatalogClient::CatalogClient() : impl_(new Impl) {}
CatalogClient::~CatalogClient() = default;

Result<std::unique_ptr<CatalogClient>> CatalogClient::connect(Context& context, const std::string& endpoint,
                                                              Duration timeout, CatalogPatience patience) {
  auto port = ConnectedPort::connect(context, endpoint);
  if (!port) return port.error();
  std::unique_ptr<CatalogClient> client(new CatalogClient);
  client->impl_->port = std::move(*port);
  client->impl_->endpoint = endpoint;
  client->impl_->timeout = timeout;
  client->impl_->patience = std::move(patience);
  return client;
}

Result<Message> CatalogClient::Impl::ask_once(Message request) {
  const auto number = ++requests;
  PROFFER_CHECK(request_of(request).has_value(), "a catalog is only asked numbered things");
  set_request(request, number);
  // A loss of long ago says nothing about this request.
  if (port->take_lost()) session = {};
  auto answer = ask(number, request);
  // The connection is another one, or the catalog: nothing has come of the request.
  if (answer || answer.error().code != ErrorCode::unknown_session) return answer;
  session = {};
  return ask(number, request);
}

Result<Message> CatalogClient::ask(Message request) {
  Patience waiting(impl_->patience);
  impl_->repeated = false;
  for (;;) {
    auto answer = impl_->ask_once(request);
    if (answer || !impl_->may_pass(answer.error()) || !waiting.again(answer.error().message)) return answer;
    impl_->repeated = true;
  }
}

bool CatalogClient::repeated() const { return impl_->repeated; }
const CatalogPatience& CatalogClient::patience() const { return impl_->patience; }

}  // namespace proffer::live
