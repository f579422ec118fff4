// Collects what a scheduler asks for in one callback.
#include <utility>

#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"
#include "proffer/frameworks/scheduler.hpp"

namespace proffer {
namespace {

/// Requests that a client may send to the catalog.
using CatalogRequest =
    Types<CreateFile, AddBlock, SealBlock, CompleteFile, ListFiles, RenameFiles, RemoveFiles>;

}  // namespace

void Driver::accept(std::vector<OfferId> offers, std::vector<TaskSpec> tasks, DeclineReason rest,
                    std::optional<Duration> rest_refuse_for) {
  PROFFER_CHECK(!offers.empty(), "an accept names at least one offer");
  calls_.push_back(AcceptCall{std::move(offers), std::move(tasks), rest, rest_refuse_for});
}

void Driver::decline(OfferId offer, DeclineReason reason, std::optional<Duration> refuse_for) {
  calls_.push_back(DeclineCall{offer, reason, refuse_for});
}

void Driver::set_demand(Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0, "demand is never negative");
  calls_.push_back(DemandCall{kind, units});
}

void Driver::set_task_size(Resources most, Resources least) {
  calls_.push_back(TaskSizeCall{std::move(most), std::move(least)});
}

void Driver::revive(std::vector<Kind> kinds) { calls_.push_back(Revive{std::move(kinds), {}}); }

void Driver::suppress(std::vector<Kind> kinds) { calls_.push_back(Suppress{std::move(kinds)}); }

void Driver::kill(TaskId task, Duration grace) { calls_.push_back(Kill{{}, std::move(task), grace}); }

void Driver::send_to_task(TaskId task, std::string payload) {
  calls_.push_back(TaskMessage{{}, std::move(task), std::move(payload)});
}

void Driver::send_inputs(MoreInputs inputs) { calls_.push_back(std::move(inputs)); }

void Driver::release(JobId job) { calls_.push_back(Release{{}, job}); }

std::uint64_t Driver::ask_catalog(Message request) {
  PROFFER_CHECK(holds_one_of(CatalogRequest{}, request), "ask_catalog() takes only requests to the catalog");
  const auto number = next_request_++;
  set_request(request, number);
  calls_.push_back(CatalogCall{std::move(request)});
  return number;
}

void Driver::tell_catalog(BlocksUsed used) { calls_.push_back(TellCatalogCall{std::move(used)}); }

void Driver::hold(TaskId task) { calls_.push_back(HoldCall{std::move(task)}); }

void Driver::acknowledge(TaskId task) { calls_.push_back(AcknowledgeCall{std::move(task)}); }

void Driver::keep(std::string key, std::string value) {
  calls_.push_back(KeepCall{std::move(key), std::move(value)});
}

void Driver::forget(std::string key) { calls_.push_back(ForgetCall{std::move(key)}); }

void Driver::trace(Trace trace) { calls_.push_back(std::move(trace)); }

void Driver::stop() { calls_.push_back(StopCall{}); }

std::vector<Driver::Call> Driver::take_calls() { return std::exchange(calls_, {}); }

}  // namespace proffer
