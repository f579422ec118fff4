// The times within which the allocator notices what is wrong, on a clock of the test's own. Each test prints
// its figure, for docs/FAILURES.md.
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::IsEmpty;

constexpr Duration kTick = std::chrono::milliseconds(10);

/// The smallest and the largest of some times.
struct Span {
  Duration least = Duration::max();
  Duration most{};
  void add(Duration time) {
    least = std::min(least, time);
    most = std::max(most, time);
  }
};

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

void print(const std::string& what, const Span& span) {
  fmt::print("[  figure  ] {}: {:.2f} to {:.2f} s\n", what, seconds(span.least), seconds(span.most));
}

/// Lets time pass until something holds, at most for two minutes; returns how long it took.
Duration until(Stage& s, const std::function<bool()>& holds) {
  const auto begin = s.now();
  while (!holds() && s.now() - begin < 120 * kSecond) s.pass(kTick);
  return s.now() - begin;
}

/// Calls `cut` for cuts at all times within a beat.
void at_each_phase(const std::function<void(Duration)>& cut) {
  for (Duration phase{}; phase < kSecond; phase += 2 * kTick) cut(phase);
}

TEST(Figures, AnAgentThatIsCutOffIsUnreachableAfterThirtySecondsAndItsOffersAreGoneAfterFive) {
  Span unreachable;
  Span rescinded;
  at_each_phase([&](Duration phase) {
    Stage s(with_long_offers());
    s.agent("a1", 2);
    s.framework("f", {.demand = 2});
    s.run("f", "a1", "t1");
    s.offers("f");
    s.revive("f");
    s.pass(5 * kSecond + phase);
    ASSERT_FALSE(s.held("f").empty());
    s.client("a1").mute = true;
    const auto gone = until(s, [&] { return s.held("f").empty(); });
    rescinded.add(gone);
    unreachable.add(gone + until(s, [&] { return s.updates("f") == "t1 UNREACHABLE(agent-lost)"; }));
  });
  print("cut off -> UNREACHABLE", unreachable);
  print("cut off -> its offers are gone", rescinded);
  EXPECT_GE(unreachable.least, 29 * kSecond);
  EXPECT_LE(unreachable.most, 31 * kSecond);
  EXPECT_LE(rescinded.most, 6 * kSecond);
}

/// A framework that is offered all slots and answers nothing, beside another one that wants them.
struct Hoard {
  Stage s;
  Hoard() : s(AllocatorConfig()) {
    s.framework("hoarder");
    for (const auto* agent : {"a1", "a2", "a3", "a4", "a5"}) s.agent(agent, 2);
    s.framework("other", {.demand = 10});
  }
  /// Returns how long it takes until the other one has been offered all ten slots.
  Duration all_are_back() {
    std::int64_t offered = 0;
    return until(s, [&] {
      for (const auto& message : s.take<Offers>("other")) {
        for (const auto& offer : message.offers) offered += offer.resources[kMap];
      }
      return offered == 10;
    });
  }
};

TEST(Figures, SlotsOfAHoarderAreBackAfterThirtySecondsAndThoseOfAGhostAfterFive) {
  Span hoarder;
  Span ghost;
  at_each_phase([&](Duration phase) {
    Hoard alive;
    hoarder.add(alive.all_are_back());
    EXPECT_THAT(alive.s.held("other"), ::testing::Not(IsEmpty()));
    Hoard gone;
    gone.s.pass(phase);
    gone.s.client("hoarder").mute = true;
    ghost.add(gone.all_are_back());
  });
  print("slots of a hoarder are offered to another", hoarder);
  print("slots of a ghost are offered to another", ghost);
  EXPECT_LE(hoarder.most, 31 * kSecond);
  EXPECT_LE(ghost.most, 6 * kSecond);
}

/// The other one declines at once, and asks again whenever it is offered nothing: however the hoarder keeps
/// what it gets, there is a next offer in time.
TEST(Figures, BesideAHoarderNobodyWaitsForAnOfferLongerThanTwoTimeoutsAndFiveSeconds) {
  Hoard alive;
  Span waits;
  for (int i = 0; i < 50; ++i) {
    waits.add(until(alive.s, [&] { return !alive.s.held("other").empty(); }));
    for (const auto* agent : {"a1", "a2", "a3", "a4", "a5"}) {
      if (!alive.s.held("other", agent).empty()) alive.s.decline("other", agent);
    }
    alive.s.revive("other");
  }
  print("beside a hoarder, to the next offer", waits);
  EXPECT_LE(waits.most, 65 * kSecond);
}

}  // namespace
}  // namespace proffer
