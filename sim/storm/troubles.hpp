// The faults of a storm's raging phase: each kind that is on comes again and again, at random.
#pragma once

#include "proffer/random.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/cluster.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

class Troubles {
 public:
  Troubles(const Plan& plan, Agenda& agenda, Record& record, Cluster& cluster)
      : plan_(plan), agenda_(agenda), record_(record), cluster_(cluster), random_(plan.random(50)) {}

  void begin();

 private:
  void come_again(Fault fault, Duration mean);
  /// Has a fault of that kind happen. False: there was nobody whom it could happen to.
  bool happen(Fault fault);
  bool crash(Fault fault);
  bool disturb_line(Fault fault);
  bool operate(Fault fault);
  bool fill_disk();
  void loop();
  Pid any_framework();
  Pid any_process();
  HostNo any_host();

  const Plan& plan_;
  Agenda& agenda_;
  Record& record_;
  Cluster& cluster_;
  Random random_;
};

}  // namespace proffer::sim::storm
