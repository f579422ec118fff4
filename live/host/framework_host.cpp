#include "proffer/live/framework_host.hpp"

#include <fmt/format.h>

#include "live/host/traced.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr Duration kDrainAtEnd = std::chrono::seconds(2);

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Follows the allocator to its catalog, and says in the event log who this is.
class FrameworkEffects final : public TracedEffects {
 public:
  void set_host(Host& host) { host_ = &host; }
  void on_arrival(PeerId from, const Envelope& envelope) override {
    const auto* subscribed = std::get_if<Subscribed>(&envelope.message);
    if (from != kAllocatorPeer || subscribed == nullptr) return;
    if (!subscribed->framework.value.is_nil()) on_trace(SessionBegan{subscribed->framework}, steady_now());
    if (auto connected = host_->connect(kCatalogPeer, subscribed->catalog_endpoint); !connected) {
      log::error("the allocator names a catalog that cannot be used: " + connected.error().message);
    }
  }

 private:
  Host* host_ = nullptr;
};

/// When to end, and when to show progress.
class Watch final : public LoopPart {
 public:
  Watch(const FrameworkHostConfig& config, const Framework& framework, Host& host, Loop& loop, Stop& stop)
      : config_(config), framework_(framework), host_(host), loop_(loop), stop_(stop), began_(steady_now()) {
    if (config.progress) progress_at_ = began_ + config.progress_every;
  }

  bool stopped() const { return stop_at_.has_value(); }

  void want(Wishes& wishes) override {
    if (!stop_at_) wishes.fd(stop_.fd());
    if (!stop_at_ && config_.input >= 0) wishes.fd(config_.input);
    wishes.at(progress_at_);
    wishes.at(stop_at_);
    if (config_.timeout) wishes.at(began_ + *config_.timeout);
    if (config_.unreachable_after && !framework_.subscribed())
      wishes.at(away_since_ + *config_.unreachable_after);
  }

  void turn(const Readiness& ready, Time now) override {
    if (config_.input >= 0 && ready.fd(config_.input)) {
      config_.read_input();
      host_.deliver(TimePassed{});
    }
    if (progress_at_ && *progress_at_ <= now) {
      progress_at_ = now + config_.progress_every;
      config_.progress();
    }
    if (framework_.finished()) return loop_.leave();
    if (stop_.requested()) note_stop(now);
    if (framework_.subscribed()) away_since_ = now;
    give_up(now);
  }

 private:
  void note_stop(Time now) {
    if (!stop_at_) {
      stop_at_ = config_.stop_requested ? now + config_.stop_grace : now;
      if (config_.stop_requested) config_.stop_requested();
      host_.deliver(TimePassed{});
    }
    if (*stop_at_ <= now) loop_.leave();
  }

  void give_up(Time now) {
    if (config_.timeout && now - began_ >= *config_.timeout) {
      loop_.fail({ErrorCode::timed_out, fmt::format("not done within {:g} s", seconds(*config_.timeout))});
    } else if (config_.unreachable_after && now - away_since_ >= *config_.unreachable_after) {
      loop_.fail(why_away());
    }
  }

  Error why_away() const {
    if (const auto& refused = framework_.refused()) {
      return {refused->code, "the allocator at " + config_.allocator + " takes no more: " + refused->message};
    }
    return {ErrorCode::unreachable, "no allocator answers at " + config_.allocator};
  }

  const FrameworkHostConfig& config_;
  const Framework& framework_;
  Host& host_;
  Loop& loop_;
  Stop& stop_;
  Time began_;
  Time away_since_ = began_;
  std::optional<Time> progress_at_;
  std::optional<Time> stop_at_;
};

}  // namespace

Result<FrameworkEnd> run_framework(Context& context, const FrameworkHostConfig& config, Scheduler& scheduler,
                                   Stop& stop) {
  FrameworkEffects effects;
  if (auto opened = effects.trace_to(config.event_log, "framework " + config.framework.name); !opened) {
    return opened.error();
  }
  Loop loop;
  effects.join(loop);
  Framework framework(config.framework, scheduler, seeded_random());
  Drive machine(framework);
  Host host(context, loop, machine, effects);
  effects.set_host(host);
  loop.add(host);
  Watch watch(config, framework, host, loop, stop);
  loop.add(watch);
  if (auto connected = host.connect(kAllocatorPeer, config.allocator); !connected) return connected.error();
  auto ended = loop.run();
  host.drain(kDrainAtEnd);
  if (config.progress) config.progress();
  if (!ended) return ended.error();
  return watch.stopped() ? FrameworkEnd::stopped : FrameworkEnd::finished;
}

}  // namespace proffer::live
