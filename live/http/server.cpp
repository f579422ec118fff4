#include "live/http/server.hpp"

// The one source that includes it: its classes are laid out by macros that the build takes from pkg-config.
#include <httplib.h>

#include <array>
#include <atomic>
#include <charconv>
#include <functional>
#include <string_view>
#include <thread>
#include <utility>

#include "live/http/assets.hpp"
#include "live/http/connection.hpp"
#include "live/http/hosts.hpp"
#include "live/http/metrics.hpp"
#include "live/http/workers.hpp"
#include "live/os/block_signals.hpp"
#include "live/os/event_fd.hpp"
#include "proffer/formats/api_json.hpp"
#include "proffer/live/log.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::live {
namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t kThreads = 12;
constexpr std::size_t kWaiting = 32;  // connections that wait for a thread; further ones wait in the kernel
constexpr int kStreams = 8;           // of events: each holds a thread
constexpr int kRequestsPerConnection = 100;
constexpr Duration kPatience = std::chrono::seconds(2);  // for the allocator's loop to make a snapshot
constexpr Duration kEventPause = std::chrono::seconds(1);
constexpr int kPausesPerSign = 15;  // a stream says at least so often that it is alive

constexpr const char* kJson = "application/json";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the library reads from and writes to.
class BoundedStream final : public httplib::Stream {
 public:
  explicit BoundedStream(Connection& connection) : connection_(connection) {}
  bool is_readable() const override { return connection_.readable(); }
  bool is_writable() const override { return connection_.writable(); }
  ssize_t read(char* into, std::size_t size) override { return connection_.read(into, size); }
  ssize_t write(const char* from, std::size_t size) override { return connection_.write(from, size); }
  // Nobody asks who the client is.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_.socket(); }

 private:
  Connection& connection_;
};

class BoundedQueue final : public httplib::TaskQueue {
 public:
  explicit BoundedQueue(Workers& workers) : workers_(workers) {}
  void enqueue(std::function<void()> connection) override { workers_.add(std::move(connection)); }
  void shutdown() override { workers_.finish(); }

 private:
  Workers& workers_;
};

/// Takes from a request what would make its answer dear: parts of a text, which may be asked for thousands of
/// times at once, and Brotli, which the library does at its slowest.
void simplify(Request& request) {
  request.ranges.clear();
  const bool gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
  request.headers.erase("Accept-Encoding");
  if (gzip) request.set_header("Accept-Encoding", "gzip");
}

/// The connection that this thread serves, and whether the request that it answers is the last of it. The
/// library tells its handlers of neither.
struct Served {
  const Connection* connection = nullptr;
  bool last = false;
};
thread_local Served served;

/// The library's server, with bounds on what it reads.
class BoundedServer final : public httplib::Server {
 public:
  explicit BoundedServer(const EventFd& stop) : stop_(stop) {
    new_task_queue = [this] { return new BoundedQueue(workers_); };
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket, stop_.fd());
    BoundedStream stream(connection);
    bool closed = false;
    served = {&connection, false};
    // Who came first may keep the connection only while nobody waits for its thread.
    int others = Connection::kNobody;
    for (int n = 1; n <= kRequestsPerConnection && !closed && connection.next_request(others); ++n) {
      others = workers_.crowded();
      if (!process_request(stream, n == kRequestsPerConnection, closed, simplify)) break;
      if (served.last) break;
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return true;
  }

  const EventFd& stop_;
  Workers workers_{kThreads, kWaiting};
};

struct Address {
  std::string host;
  int port = 0;
};

/// Takes HOST:PORT apart; brackets of IPv6 are not part of the host.
Result<Address> address_in(const std::string& text) {
  const Error wrong{ErrorCode::invalid, "http: " + text + " is no address such as 127.0.0.1:5152"};
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return wrong;
  Address address{text.substr(0, colon)};
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
  if (read.ec != std::errc() || read.ptr != end || address.port < 0 || address.port > 65535) return wrong;
  if (address.host == "*") address.host = "0.0.0.0";
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  return address;
}

void refuse(Response& response, int status, const std::string& sentence) {
  response.status = status;
  response.set_content(error_json(sentence), kJson);
}

}  // namespace

struct HttpServer::Impl {
  explicit Impl(Board& of) : board(of), server(stop) {}

  void set_up(bool loopback);
  /// Answers with what `write` makes of a new snapshot.
  httplib::Server::Handler with_snapshot(const char* type, std::string (*write)(const Snapshot&));
  void stream_events(Response& response);
  /// Says the next thing of a stream; false: it is over.
  bool next_event(httplib::DataSink& sink, std::uint64_t& told);

  Board& board;
  EventFd stop;
  BoundedServer server;
  std::string address;
  std::atomic<int> streams{0};
  std::atomic<bool> ended{false};
  std::atomic<bool> stopping{false};
  std::thread thread;
};

httplib::Server::Handler HttpServer::Impl::with_snapshot(const char* type,
                                                         std::string (*write)(const Snapshot&)) {
  return [this, type, write](const Request&, Response& response) {
    const auto snapshot = board.fresh(kPatience);
    if (!snapshot) return refuse(response, 503, "the allocator is busy; ask again in a moment");
    response.set_content(write(*snapshot), type);
  };
}

bool HttpServer::Impl::next_event(httplib::DataSink& sink, std::uint64_t& told) {
  for (int pauses = 0; pauses < kPausesPerSign; ++pauses) {
    const auto snapshot = board.fresh(kPatience);
    if (snapshot && snapshot->version != std::exchange(told, snapshot->version)) {
      const auto text =
          "event: version\nid: " + std::to_string(told) + "\ndata: " + version_json(*snapshot) + "\n\n";
      return sink.write(text.data(), text.size()) && served.connection->quiet(kEventPause);
    }
    if (!served.connection->quiet(kEventPause)) return false;
  }
  constexpr std::string_view kSign = ": still here\n\n";
  return sink.write(kSign.data(), kSign.size());
}

void HttpServer::Impl::stream_events(Response& response) {
  if (streams.fetch_add(1) >= kStreams) {
    streams.fetch_sub(1);
    response.set_header("Retry-After", "10");
    return refuse(response, 503,
                  "as many streams of events are open as there may be; ask for /api/v1/cluster");
  }
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, told = std::uint64_t{0}](std::size_t, httplib::DataSink& sink) mutable {
        return next_event(sink, told);
      },
      [this](bool) { streams.fetch_sub(1); });
}

void HttpServer::Impl::set_up(bool loopback) {
  // The library would share the port with any other program of this user.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(1024);
  // What the library tells clients; Connection keeps to it.
  server.set_keep_alive_timeout(
      std::chrono::duration_cast<std::chrono::seconds>(Connection::kIdleTime).count());
  server.set_keep_alive_max_count(kRequestsPerConnection);
  server.set_default_headers({{"Content-Security-Policy", kPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([loopback](const Request& request, Response& response) {
    using Next = httplib::Server::HandlerResponse;
    if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      served.last = true;  // what such a request carries is not read
      refuse(response, 405, "only GET and HEAD are answered: nothing is changed here");
      return Next::Handled;
    }
    if (loopback && !is_loopback_name(request.get_header_value("Host"))) {
      refuse(response, 403, "the name in the header Host is not of this machine's loopback");
      return Next::Handled;
    }
    return Next::Unhandled;
  });
  server.set_error_handler([](const Request& request, Response& response) {
    // What follows a request that is not understood may be its rest.
    if (response.status != 404) served.last = true;
    if (response.body.empty()) {
      response.set_content(error_json(response.status == 404 ? "there is no " + request.path
                                                             : "the request is not understood"),
                           kJson);
    }
  });
  for (const auto& asset : assets()) {
    server.Get(std::string(asset.path), [&asset](const Request&, Response& response) {
      response.set_content(asset.text.data(), asset.text.size(), std::string(asset.type));
    });
  }
  server.Get("/api/v1/cluster", with_snapshot(kJson, cluster_json));
  server.Get("/api/v1/pools", with_snapshot(kJson, pools_json));
  server.Get("/api/v1/frameworks", with_snapshot(kJson, frameworks_json));
  server.Get("/api/v1/agents", with_snapshot(kJson, agents_json));
  server.Get("/api/v1/offers", with_snapshot(kJson, offers_json));
  server.Get("/api/v1/tasks", with_snapshot(kJson, tasks_json));
  server.Get("/metrics", with_snapshot("text/plain; version=0.0.4; charset=utf-8", metrics_text));
  server.Get("/healthz", with_snapshot(kJson, version_json));
  server.Get("/api/v1/events", [this](const Request&, Response& response) { stream_events(response); });
  server.Get("/api/v1/history", [this](const Request& request, Response& response) {
    double since = 0;
    const auto text = request.get_param_value("since");
    const auto read = std::from_chars(text.data(), text.data() + text.size(), since);
    if (!text.empty() &&
        (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(since >= 0 && since <= 1e12))) {
      return refuse(response, 400, "since: a number of seconds since 1970 is wanted");
    }
    response.set_content(history_json(board.history(static_cast<std::int64_t>(since * 1000))), kJson);
  });
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const std::string& text, Board& board) {
  const auto address = address_in(text);
  if (!address) return address.error();
  auto impl = std::make_unique<Impl>(board);
  if (!impl->stop.open()) return Error{ErrorCode::io, "http: this process has no descriptor left"};
  auto& server = impl->server;
  impl->set_up(only_from_here("tcp://" + text));
  const int port = address->port == 0
                       ? server.bind_to_any_port(address->host)
                       : (server.bind_to_port(address->host, address->port) ? address->port : -1);
  if (port < 0) {
    return Error{ErrorCode::exists,
                 "http: the address " + text + " is in use by another program, or is not of this machine"};
  }
  impl->address = text.substr(0, text.rfind(':')) + ":" + std::to_string(port);
  impl->thread = std::thread([own = impl.get()] {
    block_signals();
    own->server.listen_after_bind();
    own->ended = true;
    if (!own->stopping)
      log::warn("the dashboard at " + own->address + " has ended: it cannot accept connections any more");
  });
  // A server that was not yet running could not be stopped.
  while (!server.is_running() && !impl->ended) std::this_thread::yield();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

HttpServer::~HttpServer() {
  impl_->stopping = true;
  impl_->board.close();
  impl_->stop.notify();
  impl_->server.stop();
  impl_->thread.join();
}

const std::string& HttpServer::address() const { return impl_->address; }

}  // namespace proffer::live
