#include "proffer/live/operate.hpp"

#include <optional>
#include <utility>

#include "live/cluster/ask.hpp"
#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"

namespace proffer::live {
namespace {

/// Messages by which operators change something.
using OfOperators = Types<ChangePool, ReloadPools, MoveFramework, KillJob, MoveJob, ChangeAgent>;

}  // namespace

Result<AdminDone> operate(Context& context, const std::string& allocator_endpoint, Message change,
                          Duration timeout) {
  PROFFER_CHECK(holds_one_of(OfOperators{}, change), "operate() takes what operators say");
  set_request(change, kRequest);
  std::optional<AdminDone> done;
  const auto take = [&](Message& answer) {
    auto* mine = std::get_if<AdminDone>(&answer);
    if (mine != nullptr && mine->request == kRequest) done = std::move(*mine);
    return done.has_value();
  };
  auto asked = ask_allocator(context, allocator_endpoint, std::move(change), timeout, take, [] {});
  if (!asked) return asked.error();
  if (done->error) return *done->error;
  return std::move(*done);
}

}  // namespace proffer::live
