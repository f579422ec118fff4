#include "proffer/live/operate.hpp"

#include <optional>
#include <utility>

#include "live/cluster/ask.hpp"
#include "proffer/check.hpp"

namespace proffer::live {

Result<AdminDone> operate(Context& context, const std::string& allocator_endpoint, Message change,
                          Duration timeout) {
  std::visit(
      []<class M>(M& message) {
        if constexpr (std::is_same_v<M, ChangePool> || std::is_same_v<M, ReloadPools> ||
                      std::is_same_v<M, MoveFramework> || std::is_same_v<M, KillJob> ||
                      std::is_same_v<M, MoveJob>) {
          message.request = kRequest;
        } else {
          PROFFER_CHECK(false, "operate() takes what operators say");
        }
      },
      change);
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
