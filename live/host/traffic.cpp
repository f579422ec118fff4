#include "live/host/traffic.hpp"

#include "proffer/dispatch.hpp"

namespace proffer::live {
namespace {

/// LAUNCH and UPDATE are said again until they are acknowledged. OFFERS are taken back as soon as the
/// allocator knows that their framework takes no more.
using Updates = Types<Launch, Update, Offers>;
/// What tasks and frameworks say to each other may be lost.
using Loose = Types<TaskMessage>;
using Signs = Types<Heartbeat>;

}  // namespace

Traffic traffic_of(const Message& message) {
  if (holds_one_of(Updates{}, message)) return Traffic::update;
  if (holds_one_of(Loose{}, message)) return Traffic::loose;
  return holds_one_of(Signs{}, message) ? Traffic::sign : Traffic::control;
}

}  // namespace proffer::live
