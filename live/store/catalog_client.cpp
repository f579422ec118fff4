// Requests to a catalog, one at a time.
#include <type_traits>
#include <utility>

#include "live/store/patience.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

template <class M>
concept Numbered = requires(M message) { message.request; };

void set_request(Message& message, std::uint64_t number) {
  std::visit(
      [number](auto& one) {
        if constexpr (Numbered<std::decay_t<decltype(one)>>) one.request = number;
      },
      message);
}

/// None for messages that have no number.
std::optional<std::uint64_t> request_of(const Message& message) {
  return std::visit(
      [](const auto& one) -> std::optional<std::uint64_t> {
        if constexpr (Numbered<std::decay_t<decltype(one)>>) return one.request;
        return {};
      },
      message);
}

}  // namespace

struct CatalogClient::Impl {
  std::unique_ptr<ConnectedPort> port;
  std::string endpoint;
  Duration timeout{};
  CatalogPatience patience;
  std::uint64_t requests = 0;
  bool answers = false;  // it has ever done so
  bool repeated = false;
  Poller poller;

  Error unreachable() const { return {ErrorCode::unreachable, "no catalog answers at " + endpoint}; }
  Result<Message> next_answer(std::uint64_t request);
  Result<Message> whole_answer(std::uint64_t request);
  Result<Message> ask_once(Message request);
  bool may_pass(const Error& error) const {
    if (error.code == ErrorCode::slow_down) return true;
    return error.code == ErrorCode::unreachable && (answers || patience.from_the_start);
  }
};

/// The next message about this request; what is left of earlier ones is passed over.
Result<Message> CatalogClient::Impl::next_answer(std::uint64_t request) {
  const auto deadline = steady_now() + timeout;
  while (true) {
    while (auto frame = port->receive()) {
      auto envelope = decode(frame->bytes);
      if (!envelope) return Error{ErrorCode::corrupt, "no catalog speaks at " + endpoint};
      if (const auto* error = std::get_if<ErrorMessage>(&envelope->message)) return error->error;
      if (request_of(envelope->message) != request) continue;
      answers = true;
      return std::move(envelope->message);
    }
    if (port->take_lost()) return unreachable();
    const auto left = deadline - steady_now();
    if (left <= Duration::zero()) return unreachable();
    poller.wait({{port.get(), -1}}, left);
    port->flush();
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
  std::string bytes;
  encode({{}, {}, {}, 0, std::move(request)}, bytes);
  // A loss of long ago says nothing about this request.
  static_cast<void>(port->take_lost());
  if (port->send({}, std::move(bytes)) != Sent::yes) return unreachable();
  return whole_answer(number);
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
