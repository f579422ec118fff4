#include "proffer/live/framework_host.hpp"

#include <fmt/format.h>

#include <utility>

#include "live/host/daemon.hpp"
#include "live/host/keeping.hpp"
#include "live/host/state_dir.hpp"
#include "proffer/frameworks/policy_failed.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/log.hpp"
#include "proffer/session/own_time.hpp"

namespace proffer::live {
namespace {

constexpr Duration kDrainAtEnd = std::chrono::seconds(2);
constexpr Duration kFarewell = std::chrono::seconds(5);  // the wait for an allocator that is away at the end

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Follows the allocator to its catalog, and says in the event log who this is.
class FrameworkEffects final : public KeepingEffects {
 public:
  void set_host(Host& host) { host_ = &host; }
  void on_arrival(PeerId from, const Envelope& envelope) override {
    const auto* subscribed = std::get_if<Subscribed>(&envelope.message);
    if (from != kAllocatorPeer || subscribed == nullptr) return;
    admitted_ = true;
    if (!subscribed->framework.value.is_nil()) on_trace(SessionBegan{subscribed->framework}, steady_now());
    if (auto connected = host_->connect(kCatalogPeer, subscribed->catalog_endpoint); !connected) {
      log::error("the allocator names a catalog that cannot be used: " + connected.error().message);
    }
  }

  /// True once there has been a session, however short.
  bool admitted() const { return admitted_; }

 private:
  Host* host_ = nullptr;
  bool admitted_ = false;
};

/// Watches whether the allocator answers, and logs for people when it does not. Counts in own time: while
/// this process does not run, nobody else is silent.
class Absence {
 public:
  Absence(const FrameworkHostConfig& config, Time now) : config_(config), since_(now), tick_(now + kTick) {}

  Time next() const { return own_.to_world(tick_); }

  /// False once it has been away for too long at the start.
  bool look(bool subscribed, bool admitted, Time world) {
    const auto now = own_.at(world, tick_, kPause);
    tick_ = now + kTick;
    began_ = admitted;
    if (subscribed) {
      if (logged_at_) log::warn(fmt::format("the allocator at {} answers again", config_.allocator));
      logged_at_.reset();
      here_ = true;
      return true;
    }
    if (std::exchange(here_, false)) since_ = now;
    if (began_) log_absence(now);
    return began_ || !config_.unreachable_after || now - since_ < *config_.unreachable_after;
  }
  /// True when the allocator has answered once and does not now.
  bool cut_off() const { return began_ && !here_; }

 private:
  static constexpr Duration kTick = std::chrono::milliseconds(500);
  static constexpr Duration kPause =
      std::chrono::seconds(1);  // a longer gap between turns: the process did not run

  void log_absence(Time now) {
    const auto due =
        logged_at_ ? *logged_at_ + config_.say_waiting_every : since_ + config_.say_waiting_after;
    if (now < due) return;
    logged_at_ = now;
    const auto waited = std::chrono::round<std::chrono::seconds>(now - since_).count();
    log::warn(fmt::format(
        "no allocator answers at {}, for {} s by now; waiting for it, and what runs goes on meanwhile",
        config_.allocator, waited));
  }

  const FrameworkHostConfig& config_;
  session::OwnTime own_;
  Time since_;  // the allocator was last there
  Time tick_;
  std::optional<Time> logged_at_;
  bool began_ = false;
  bool here_ = false;
};

/// Ends the framework when it is done, late or stopped, and shows progress meanwhile.
class Watch final : public LoopPart {
 public:
  Watch(const FrameworkHostConfig& config, Framework& framework, const FrameworkEffects& effects, Host& host,
        Loop& loop, Stop& stop)
      : config_(config),
        framework_(framework),
        effects_(effects),
        host_(host),
        loop_(loop),
        stop_(stop),
        began_(steady_now()),
        absence_(config, began_) {
    if (config.progress) progress_at_ = began_ + config.progress_every;
  }

  bool stopped() const { return stopped_; }

  void prepare(PollSet& polled) override {
    if (!stopped_) polled.add_fd(stop_.fd());
    if (!stopped_ && config_.input >= 0) polled.add_fd(config_.input);
    polled.wake_at(progress_at_);
    polled.wake_at(end_at_);
    polled.wake_at(leave_at_);
    polled.wake_at(absence_.next());
    if (config_.timeout && !end_at_ && !leave_at_) polled.wake_at(began_ + *config_.timeout);
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
    if (framework_.finished()) return ended();
    if (!absence_.look(framework_.subscribed(), effects_.admitted(), now)) return loop_.fail(why_away());
    if (stop_.requested()) note_stop(now);
    const bool late = config_.timeout && now - began_ >= *config_.timeout;
    if (late || (end_at_ && *end_at_ <= now)) end(now, late);
    // The scheduler has stopped while there was no session: nobody would answer its farewell, so it waits
    // only so long.
    if (framework_.leaving() && !leave_at_) leave_at_ = now + kFarewell;
    if (leave_at_ && *leave_at_ <= now) ended();
  }

 private:
  void note_stop(Time now) {
    if (std::exchange(stopped_, true)) return;
    if (config_.leaves_at_stop) return loop_.leave();
    end_at_ = config_.stop_requested ? now + config_.stop_grace : now;
    if (config_.stop_requested) config_.stop_requested();
    host_.deliver(TimePassed{});
  }

  /// The allocator is told that all is over, so that nothing of it stays in the cluster.
  void end(Time now, bool late) {
    end_at_.reset();
    if (leave_at_) return;
    if (late) {
      failure_ =
          Error{ErrorCode::timed_out, fmt::format("not done within {:g} s", seconds(*config_.timeout))};
    }
    leave_at_ = now + kFarewell;
    progress_at_.reset();
    framework_.end();
    host_.deliver(TimePassed{});
  }

  void ended() {
    if (!framework_.finished() && absence_.cut_off()) {
      log::warn(fmt::format(
          "the allocator at {} could not be told that framework {} has ended; what it runs goes on "
          "for {} s after its connection was lost",
          config_.allocator, config_.framework.name, seconds(config_.framework.failover_timeout)));
    }
    if (failure_) return loop_.fail(*failure_);
    loop_.leave();
  }

  Error why_away() const {
    if (const auto& refused = framework_.refused()) {
      return {refused->code, "the allocator at " + config_.allocator + " takes no more: " + refused->message};
    }
    return {ErrorCode::unreachable, "no allocator answers at " + config_.allocator};
  }

  const FrameworkHostConfig& config_;
  Framework& framework_;
  const FrameworkEffects& effects_;
  Host& host_;
  Loop& loop_;
  Stop& stop_;
  Time began_;
  Absence absence_;
  bool stopped_ = false;
  std::optional<Error> failure_;
  std::optional<Time> progress_at_;
  std::optional<Time> end_at_;    // the scheduler has until then to stop by itself
  std::optional<Time> leave_at_;  // the allocator has until then to be there
};

/// The folder of a framework; without one, it keeps nothing.
class FrameworkDisk {
 public:
  Result<> open(const std::string& folder) {
    if (folder.empty()) return {};
    auto locked = StateDir::lock(folder, "a framework");
    if (!locked) return locked.error();
    ballast_.emplace(locked->file(kBallastFile), limits::kSmallBallastBytes);
    auto opened = ballast_->with_room([&] { return RecordStore::open(locked->file(kFrameworkRecords)); });
    if (!opened) return opened.error();
    dir_ = std::move(*locked);
    records_ = std::move(*opened);
    return {};
  }
  bool keeps() const { return records_ != nullptr; }
  std::vector<Kept> records() { return keeps() ? records_->records() : std::vector<Kept>(); }
  void serve(FrameworkEffects& effects, Loop& loop, Host& host) {
    if (!keeps()) return;
    effects.keep_in(*records_, *ballast_);
    loop.add(*ballast_);
    ballast_->serve(host);
  }

 private:
  std::optional<StateDir> dir_;
  std::optional<Ballast> ballast_;
  std::unique_ptr<RecordStore> records_;
};

Result<> run_loop(Loop& loop) {
  try {
    return loop.run();
  } catch (const PolicyFailed& failed) {
    return Error{ErrorCode::io, failed.what()};
  }
}

}  // namespace

Result<FrameworkEnd> run_framework(Context& context, const FrameworkHostConfig& config, Scheduler& scheduler,
                                   Stop& stop) {
  FrameworkEffects effects;
  if (auto opened = effects.trace_to(config.event_log, "framework " + config.framework.name); !opened) {
    return opened.error();
  }
  FrameworkDisk disk;
  if (auto opened = disk.open(config.state_dir); !opened) return opened.error();
  auto its = config.framework;
  its.keeps = disk.keeps();
  Loop loop;
  effects.join(loop);
  Framework framework(std::move(its), scheduler, seeded_random(), disk.records());
  MachineAdapter machine(framework);
  Host host(context, loop, machine, effects);
  effects.set_host(host);
  loop.add(host);
  Watch watch(config, framework, effects, host, loop, stop);
  loop.add(watch);
  disk.serve(effects, loop, host);
  if (auto connected = host.connect(kAllocatorPeer, config.allocator); !connected) return connected.error();
  auto ended = run_loop(loop);
  if (ended) {
    host.settle();
    ended = loop.take_failure();
  }
  host.drain(kDrainAtEnd);
  if (config.progress) config.progress();
  if (!ended) return ended.error();
  return watch.stopped() ? FrameworkEnd::stopped : FrameworkEnd::finished;
}

}  // namespace proffer::live
