// The wire's view of messages/framework.hpp: numbers from 1.
#pragma once

#include "formats/fields/field.hpp"
#include "formats/fields/work.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::formats {

template <>
struct Layout<Demand> {
  static constexpr std::string_view name = "demand";
  static constexpr auto fields = std::tuple{field("kinds", &Demand::kinds), field("task", &Demand::task),
                                            field("least", &Demand::least)};
};

template <>
struct Layout<Subscribe> {
  static constexpr std::uint8_t number = 1;
  static constexpr auto fields = std::tuple{field("framework", &Subscribe::framework),
                                            field("name", &Subscribe::name, Name{}),
                                            field("pool", &Subscribe::pool, Pool{}),
                                            field("user", &Subscribe::user, Short{}),
                                            field("failover_timeout", &Subscribe::failover_timeout),
                                            field("demand", &Subscribe::demand),
                                            field("priority", &Subscribe::priority, Short{}),
                                            field("secret", &Subscribe::secret),
                                            field("instance", &Subscribe::instance),
                                            field("framework_epoch", &Subscribe::framework_epoch),
                                            field("claims", &Subscribe::claims)};
};

template <>
struct Layout<Subscribed> {
  static constexpr std::uint8_t number = 2;
  static constexpr auto fields =
      std::tuple{field("framework", &Subscribed::framework),
                 field("framework_epoch", &Subscribed::framework_epoch),
                 field("heartbeat", &Subscribed::heartbeat),
                 field("catalog_endpoint", &Subscribed::catalog_endpoint, Endpoint{}),
                 field("secret", &Subscribed::secret),
                 field("incarnation", &Subscribed::incarnation)};
};

template <>
struct Layout<Standing> {
  static constexpr std::string_view name = "standing";
  static constexpr auto fields =
      std::tuple{field("kind", &Standing::kind),           field("used", &Standing::used),
                 field("fair", &Standing::fair),           field("starved", &Standing::starved),
                 field("contended", &Standing::contended), field("complete", &Standing::complete)};
};

template <>
struct Layout<Offer> {
  static constexpr std::string_view name = "offer";
  static constexpr auto fields =
      std::tuple{field("id", &Offer::id), field("agent", &Offer::agent),
                 field("resources", &Offer::resources), field("idle", &Offer::idle)};
};

template <>
struct Layout<Offers> {
  static constexpr std::uint8_t number = 3;
  static constexpr auto fields =
      std::tuple{field("offers", &Offers::offers, List<limits::kOffersPerMessage>{}),
                 field("standings", &Offers::standings)};
};

template <>
struct Layout<TaskSpec> {
  static constexpr std::string_view name = "task";
  static constexpr auto fields =
      std::tuple{field("id", &TaskSpec::id), field("resources", &TaskSpec::resources),
                 field("job", &TaskSpec::job), field("work", &TaskSpec::work)};
};

template <>
struct Layout<Accept> {
  static constexpr std::uint8_t number = 4;
  static constexpr auto fields =
      std::tuple{field("accept", &Accept::accept),
                 field("offers", &Accept::offers, List<limits::kOffersPerMessage>{}),
                 field("tasks", &Accept::tasks, List<limits::kTasksPerAccept>{}),
                 field("rest_reason", &Accept::rest_reason),
                 field("rest_refuse_for", &Accept::rest_refuse_for),
                 field("demand", &Accept::demand)};
};

template <>
struct Layout<AcceptVerdict> {
  static constexpr std::string_view name = "verdict";
  static constexpr auto fields =
      std::tuple{field("task", &AcceptVerdict::task), field("ok", &AcceptVerdict::ok),
                 field("state", &AcceptVerdict::state), field("reason", &AcceptVerdict::reason)};
};

template <>
struct Layout<Accepted> {
  static constexpr std::uint8_t number = 5;
  static constexpr auto fields =
      std::tuple{field("accept", &Accepted::accept),
                 field("verdicts", &Accepted::verdicts, List<limits::kTasksPerAccept>{})};
};

template <>
struct Layout<Decline> {
  static constexpr std::uint8_t number = 6;
  static constexpr auto fields = std::tuple{
      field("offers", &Decline::offers, List<limits::kOffersPerMessage>{}), field("reason", &Decline::reason),
      field("refuse_for", &Decline::refuse_for), field("demand", &Decline::demand)};
};

template <>
struct Layout<Rescind> {
  static constexpr std::uint8_t number = 7;
  static constexpr auto fields =
      std::tuple{field("offers", &Rescind::offers, List<limits::kOffersPerFramework>{})};
};

template <>
struct Layout<Revive> {
  static constexpr std::uint8_t number = 8;
  static constexpr auto fields =
      std::tuple{field("kinds", &Revive::kinds, List<limits::kKinds>{}), field("demand", &Revive::demand)};
};

template <>
struct Layout<Suppress> {
  static constexpr std::uint8_t number = 9;
  static constexpr auto fields = std::tuple{field("kinds", &Suppress::kinds, List<limits::kKinds>{})};
};

template <>
struct Layout<Preempt> {
  static constexpr std::uint8_t number = 18;
  static constexpr auto fields =
      std::tuple{field("slots", &Preempt::slots), field("within", &Preempt::within)};
};

template <>
struct Layout<TaskStatus> {
  static constexpr std::string_view name = "status";
  static constexpr auto fields = std::tuple{field("framework", &TaskStatus::framework),
                                            field("task", &TaskStatus::task),
                                            field("seq", &TaskStatus::seq),
                                            field("state", &TaskStatus::state),
                                            field("reason", &TaskStatus::reason),
                                            field("exit", &TaskStatus::exit),
                                            field("message", &TaskStatus::message, Text{}),
                                            field("agent", &TaskStatus::agent),
                                            field("run_time", &TaskStatus::run_time),
                                            field("result", &TaskStatus::result)};
};

template <>
struct Layout<Update> {
  static constexpr std::uint8_t number = 10;
  static constexpr auto fields = std::tuple{field("status", &Update::status)};
};

template <>
struct Layout<Acknowledge> {
  static constexpr std::uint8_t number = 11;
  static constexpr auto fields =
      std::tuple{field("framework", &Acknowledge::framework), field("task", &Acknowledge::task),
                 field("seq", &Acknowledge::seq)};
};

template <>
struct Layout<Kill> {
  static constexpr std::uint8_t number = 12;
  static constexpr auto fields = std::tuple{field("framework", &Kill::framework), field("task", &Kill::task),
                                            field("grace", &Kill::grace)};
};

template <>
struct Layout<TaskMessage> {
  static constexpr std::uint8_t number = 13;
  static constexpr auto fields =
      std::tuple{field("framework", &TaskMessage::framework), field("task", &TaskMessage::task),
                 field("payload", &TaskMessage::payload, Bytes<limits::kTextBytes>{})};
};

template <>
struct Layout<MoreInputs> {
  static constexpr std::uint8_t number = 19;
  static constexpr auto fields =
      std::tuple{field("framework", &MoreInputs::framework), field("task", &MoreInputs::task),
                 field("from", &MoreInputs::from),           field("to", &MoreInputs::to),
                 field("inputs", &MoreInputs::inputs),       field("synthetic", &MoreInputs::synthetic),
                 field("complete", &MoreInputs::complete)};
};

template <>
struct Layout<Release> {
  static constexpr std::uint8_t number = 14;
  static constexpr auto fields =
      std::tuple{field("framework", &Release::framework), field("job", &Release::job)};
};

template <>
struct Layout<Teardown> {
  static constexpr std::uint8_t number = 15;
  static constexpr std::tuple<> fields{};
};

template <>
struct Layout<TaskDigest> {
  static constexpr std::string_view name = "task digest";
  static constexpr auto fields =
      std::tuple{field("count", &TaskDigest::count), field("hash", &TaskDigest::hash)};
};

template <>
struct Layout<Heartbeat> {
  static constexpr std::uint8_t number = 16;
  static constexpr auto fields =
      std::tuple{field("beat", &Heartbeat::beat),
                 field("demand", &Heartbeat::demand),
                 field("tasks", &Heartbeat::tasks),
                 field("revives", &Heartbeat::revives),
                 field("suppressed", &Heartbeat::suppressed, List<limits::kKinds>{}),
                 field("all_suppressed", &Heartbeat::all_suppressed)};
};

template <>
struct Layout<TaskAt> {
  static constexpr std::string_view name = "task at";
  static constexpr auto fields = std::tuple{field("task", &TaskAt::task), field("agent", &TaskAt::agent)};
};

template <>
struct Layout<Reconcile> {
  static constexpr std::uint8_t number = 20;
  static constexpr auto fields =
      std::tuple{field("request", &Reconcile::request),
                 field("tasks", &Reconcile::tasks, List<limits::kTasksPerAccept>{})};
};

template <>
struct Layout<KnownTask> {
  static constexpr std::string_view name = "known task";
  static constexpr auto fields =
      std::tuple{field("task", &KnownTask::task),           field("agent", &KnownTask::agent),
                 field("known", &KnownTask::known),         field("state", &KnownTask::state),
                 field("resources", &KnownTask::resources), field("job", &KnownTask::job)};
};

template <>
struct Layout<Reconciled> {
  static constexpr std::uint8_t number = 21;
  static constexpr auto fields =
      std::tuple{field("request", &Reconciled::request),
                 field("tasks", &Reconciled::tasks, List<limits::kTasksPerAccept>{}),
                 field("last", &Reconciled::last), field("complete", &Reconciled::complete)};
};

template <>
struct Layout<Bye> {
  static constexpr std::uint8_t number = 22;
  static constexpr auto fields = std::tuple{field("why", &Bye::why, Text{})};
};

template <>
struct Layout<ErrorMessage> {
  static constexpr std::uint8_t number = 17;
  static constexpr auto fields =
      std::tuple{field("error", &ErrorMessage::error), field("about_seq", &ErrorMessage::about_seq)};
};

}  // namespace proffer::formats
