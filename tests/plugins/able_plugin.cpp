// Policies with each optional base of policy_abilities.hpp, from a plug-in with hidden visibility.
#include "proffer/frameworks/policy_abilities.hpp"
#include "tests/plugins/eager.hpp"

namespace {

/// Takes tasks of its choice, namely the newest, and remembers all that it was told.
class Able final : public Eager,
                   public ChoosesTasks,
                   public PlansOffers,
                   public KillsTasks,
                   public LooksSeveralTimes,
                   public AsksForOffers,
                   public HoldsOffers,
                   public NeedsForesight {
 public:
  using Eager::Eager;

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override {
    if (look_ == 0) return Pass{DeclineReason::policy};
    auto choice = Eager::consider(slot, jobs, now);
    auto* take = std::get_if<Take>(&choice);
    if (take == nullptr) return choice;
    tasks_->each_waiting(take->job, slot.kind, slot.agent, Locality::any, 100,
                         [&](const WaitingTask& task) { take->task = task.id; });
    return choice;
  }
  void choose_among(const TaskView& tasks) override { tasks_ = &tasks; }
  void shown(std::span<const Offer> offers, const Candidates&, Time) override { offers_ += offers.size(); }
  std::optional<Time> victims_at(const Candidates&) const override { return Time(std::chrono::seconds(9)); }
  std::vector<TaskId> victims(const Candidates&, Time now) override {
    std::vector<TaskId> all;
    if (now < Time(std::chrono::seconds(9))) return all;
    tasks_->each_running(Kind("map"), [&](const RunningTask& task) { all.push_back(task.id); });
    return all;
  }
  int looks() const override { return 2; }
  void begin_look(int number) override { look_ = number; }
  bool take_widened(Kind) override { return offers_ > 1; }
  Duration holds_offers() const override { return std::chrono::seconds(7); }
  void foresee(const Foresight& foresight) override {
    foresight.each_slot(Kind("map"), Time::max(), [this](AgentId, Time) { ++offers_; });
  }

 private:
  const TaskView* tasks_ = nullptr;
  std::size_t offers_ = 0;  ///< how many were shown or foreseen
  int look_ = 0;
};

}  // namespace

PROFFER_POLICIES(registry) {
  registry.add<Able>("able", "has every optional base");
  registry.add<Eager>("plain", "has none");
}
