// A value or an error. Operating errors are returned; nothing here throws.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "proffer/check.hpp"

namespace proffer {

/// The kinds of errors, a closed list; also the code of an ERROR message.
enum class ErrorCode : std::uint8_t {
  invalid = 0,            ///< a value breaks a rule
  version = 1,            ///< the peer speaks another protocol version
  type = 2,               ///< unknown message type
  body = 3,               ///< the body of the message cannot be read
  wrong_cluster = 4,      ///< the peer belongs to another cluster
  unknown_session = 5,    ///< no session of that number: the peer should say hello again
  unknown_framework = 6,  ///< no such framework id here
  unknown_pool = 7,
  unknown_kind = 8,
  name_in_use = 9,  ///< two agents, or two frameworks, have one name
  not_found = 10,
  exists = 11,
  refused = 12,      ///< wrong token, or not allowed
  slow_down = 13,    ///< a bound was hit
  unreachable = 14,  ///< nobody answers there
  timed_out = 15,
  io = 16,
  corrupt = 17,      ///< a checksum or a format does not hold
  no_space = 18,     ///< a disk is full: nothing has changed, and it may be tried again later
  disk = 19,         ///< a disk fails, or may not be written to any more
  fenced = 20,       ///< another process has the id now: the peer must stop for good
  agent_gone = 21,   ///< an operator has declared the agent gone: its id is void
  split_brain = 22,  ///< two servers of one cluster and epoch: one runs on a copied folder
};
std::string_view to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::invalid;
  std::string message;  ///< one clear sentence for a person
  bool operator==(const Error&) const = default;
};

template <class T = std::monostate>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}
  Result()
    requires std::is_same_v<T, std::monostate>
      : held_(std::in_place_index<0>) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const T& value() const& {
    PROFFER_CHECK(ok(), error_text());
    return std::get<0>(held_);
  }
  T& value() & {
    PROFFER_CHECK(ok(), error_text());
    return std::get<0>(held_);
  }
  T&& value() && {
    PROFFER_CHECK(ok(), error_text());
    return std::get<0>(std::move(held_));
  }
  const Error& error() const {
    PROFFER_CHECK(!ok(), "a result without an error was asked for it");
    return std::get<1>(held_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::string_view error_text() const { return ok() ? "" : std::string_view(std::get<1>(held_).message); }
  std::variant<T, Error> held_;
};

}  // namespace proffer
