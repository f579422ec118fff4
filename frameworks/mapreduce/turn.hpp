// A turn: all that the conversations of a MapReduce framework get in one callback. Each conversation has a
// header and a file of its own; an include only points down in this list, which tests/tidy/floors.cpp checks:
//
//   queue        jobs coming and going, and what is due after each callback
//   operating    what operators want of jobs
//   resuming     what a former process has left, and what was told of its tasks before their job was planned
//   statuses     tasks that run or have ended, and what follows for their job
//   feeding      reduces that are started before all maps are done
//   offers       offers, and what is launched on them
//   phases       the way of one job through its phases
//   adopting     a former process's tasks, as those of a job that is planned now
//   cached       files that agents keep, and who prefers to be where they are
//   hot_blocks   blocks in demand: what the catalog is told of them, and tells
//   speculating  maps that run for long, and get a backup
//   pending      tasks that begin to wait for a slot, or no longer do
//   next_step    rules: what a job does after an answer of the catalog
#pragma once

#include "frameworks/mapreduce/state.hpp"
#include "proffer/frameworks/scheduler.hpp"

namespace proffer::mapreduce {

struct Turn {
  Turn(State& of, Driver& calls) : state(of), driver(calls), now(calls.now()) {}

  State& state;
  Driver& driver;
  const Time now;
};

}  // namespace proffer::mapreduce
