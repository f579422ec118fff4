// The parts of an explanation, shared by the subjects.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "proffer/study/why.hpp"
#include "study/why/release_times.hpp"
#include "study/why/shortage.hpp"

namespace proffer::study::why {

/// Puts an explanation together.
class Account {
 public:
  Account(const Scene& scene, const Shortage& shortage) : scene_(scene), shortage_(shortage) {}

  const Scene& scene() const { return scene_; }
  const Shortage& shortage() const { return shortage_; }
  const std::string& cause() const { return made_.cause; }
  void about(std::string subject) { made_.subject = std::move(subject); }
  void answer(std::string_view cause, std::string sentence) {
    made_.cause = cause;
    made_.answer = std::move(sentence);
  }
  void part(std::string topic, std::string text) {
    made_.parts.push_back({std::move(topic), std::move(text)});
  }
  /// A whole number, seconds or another measure, or a text.
  template <class T>
  void fact(std::string name, T value) {
    if constexpr (std::is_integral_v<T>) {
      made_.facts.emplace_back(std::move(name), static_cast<std::int64_t>(value));
    } else {
      made_.facts.emplace_back(std::move(name), std::move(value));
    }
  }
  Explanation take() { return std::move(made_); }

  // Parts that several subjects have.
  void state_share(const FrameworkScene& framework, Kind kind);
  /// Adds the sentence of state_share() without its facts, which are those of one kind: each is named once.
  void mention_share(const FrameworkScene& framework, Kind kind);
  void state_offers(const FrameworkScene& framework, Kind kind);
  void state_hidden(const FrameworkScene& framework, Kind kind);
  void state_deficit(const Missed& missed, Kind kind);
  void state_free(const FrameworkScene& framework, Kind kind);

 private:
  const Scene& scene_;
  const Shortage& shortage_;
  Explanation made_;
};

/// An obstacle: what keeps a framework from another slot of a kind. The sentence begins with `who`.
struct Obstacle {
  std::string cause;
  std::string sentence;
};
Obstacle obstacle_of(const Scene& scene, const FrameworkScene& framework, Kind kind, const std::string& who);

/// A framework's place in line for the next slot, among those that would take one: not those that refuse all
/// agents or are silent.
struct Line {
  std::size_t place = 0;  // 1: the first
  std::size_t length = 0;
  std::size_t idle = 0;  // that refuse or are silent
};
Line line_of(const Scene& scene, const FrameworkScene& framework, Kind kind);
/// Returns the silence of a framework that let an offer of the kind expire and is shown none for a while;
/// null: it is not silent.
const SilenceScene* silence_of(const Scene& scene, const FrameworkScene& framework, Kind kind);

/// The ends of a framework's offers of a kind in the last kLately.
struct LateOffers {
  std::int64_t ended = 0;
  std::int64_t accepted = 0;
  std::int64_t declined = 0;
  std::int64_t expired = 0;
  std::int64_t rescinded = 0;
  std::string reasons;   // "no-node-local 33, too-small 2"
  Duration mean_held{};  // until the framework answered
};
LateOffers late_offers(const Scene& scene, const FrameworkScene& framework, Kind kind);

/// The state of the agents that a framework may have.
struct Free {
  std::int64_t agents = 0;  // that it may have, with slots of the kind
  std::int64_t slots = 0;   // of these
  std::int64_t free = 0;
  std::int64_t offered = 0;  // to anybody
  std::int64_t with_free = 0;
  std::int64_t hidden = 0;  // agents that it refuses
  std::int64_t hidden_with_free = 0;
  std::optional<Duration> next;  // until some slot may come free
};
Free free_for(const Scene& scene, const FrameworkScene& framework, Kind kind);

/// The kind of which `measure(kind)` is most; where all are equal, the first that the cluster has had.
template <class Measure>
Kind kind_of_most(const Scene& scene, const Measure& measure) {
  if (scene.kinds.empty()) return Kind("map");
  return *std::max_element(scene.kinds.begin(), scene.kinds.end(),
                           [&](Kind a, Kind b) { return measure(a) < measure(b); });
}
/// Returns the kind of which a framework wants most.
Kind pressing_kind(const Scene& scene, const FrameworkScene& framework);

/// "framework run", or "framework run (1f40c2aa)" where another is called so.
std::string called(const Scene& scene, const FrameworkScene& framework);

// One file each.
Explanation explain_job(Account account, const FrameworkScene& framework, JobId id);
Explanation explain_task(Account account, const FrameworkScene& framework, const TaskId& id);
Explanation explain_framework(Account account, const FrameworkScene& framework);
/// One sentence a framework: what tells it from others of its name, and what keeps it waiting.
std::string introduce(const Scene& scene, const FrameworkScene& framework);
Explanation explain_pool(Account account, const std::string& pool);

}  // namespace proffer::study::why
