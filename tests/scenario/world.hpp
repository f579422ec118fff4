// A third world, for tests: real machines, a clock that the script moves, and messages that wait until the
// script has them delivered. No latency: what is in flight arrives in the order in which it was sent.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "proffer/agent/agent.hpp"
#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "tests/scenario/bag.hpp"
#include "tests/scenario/printer.hpp"

namespace proffer::scenario {

class World {
 public:
  void start_allocator(AllocatorConfig config);
  /// Ends the allocator without a word and starts it again with what it has kept; its peers learn that the
  /// connection is lost. `empty`: its folder was lost as well.
  void restart_allocator(bool empty = false);
  /// Starts the catalog; to be called before the allocator starts, which tells everybody of it.
  void start_catalog(const ReplicationConfig& replication = {});
  void start_agent(AgentConfig config);
  void start_framework(FrameworkConfig config, const PolicySpec& policy, const std::vector<Job>& jobs);
  void start_mapreduce(FrameworkConfig config, MapReduceConfig settings, const std::vector<JobSpec>& jobs);
  /// Submits a further job to a MapReduce framework; it begins at once.
  void submit(const std::string& framework, const JobSpec& job);

  /// Delivers what is in flight, and what that sends, until nothing is; at most `limit` events.
  void deliver(int limit = 1 << 20);
  /// Loses the next `count` messages in flight.
  void lose(int count);
  /// Delivers, then moves the clock, stopping at each deadline on the way.
  void advance(Duration duration);

  /// Ends a process on an agent. One that ends well has made what its work asks for.
  void exit(const std::string& agent, const std::string& task, ExitStatus status);
  /// Lets an agent start nothing from now on, for that reason; empty: it can again.
  void set_trouble(const std::string& agent, const std::string& why);
  /// Ends a program without a word, as by kill -9.
  void kill(const std::string& name);
  /// Stops all messages to a client and from it until heal(); the client goes on running.
  void cut(const std::string& name);
  void heal(const std::string& name);
  /// Ends the connection between a client and the allocator, and both learn of it.
  void disconnect(const std::string& name);
  /// Asks the allocator for its state, as `proffer status` does.
  ClusterState describe();
  /// Puts a block that an agent was to fetch on its disk, or lets the fetch fail.
  void store(const std::string& agent, BlockId block);
  void fail_fetch(const std::string& agent, BlockId block);
  /// Asks the allocator for a change, as an operator does.
  AdminDone operate(Message change);
  /// Asks for a change that the allocator must ask others about: the operator is told later.
  void ask_for(Message change);
  /// Makes a complete file in the store: a block on each of these agents.
  void write_file(const std::string& path, const std::vector<std::string>& holders);
  std::vector<FileInfo> files(const std::string& below);
  void remove_files(const std::string& below);
  /// Sets the room on a server's disk for what it persists.
  void set_room(const std::string& server, Room room);

  Bag& bag(const std::string& framework);
  /// Lets a framework do at once what its Bag was told.
  void wake(const std::string& framework);
  const Printer& names() const { return names_; }
  std::string rack_of(const std::string& agent) const;

  /// Returns what happened since the last call, a line each, with "at 5s" whenever the time has changed.
  std::string take_lines();
  void show_heartbeats() { heartbeats_shown_ = true; }

 private:
  struct Run {
    LaunchId launch;
    WorkPtr work;
  };
  struct Client {
    PeerId peer;                           // as the allocator knows it
    PeerId catalog_peer;                   // as the catalog does
    std::string rack;                      // of agents
    std::map<std::string, Run> runs;       // of agents: what was started, by task
    std::string trouble;                   // of agents: why they start nothing
    std::unique_ptr<Agent> agent;          // or
    std::unique_ptr<Scheduler> scheduler;  // of frameworks
    Bag* bag = nullptr;                    // that scheduler, if it is one
    std::unique_ptr<Framework> framework;
  };
  struct Flight {
    std::string to;
    Event event;
  };

  void step(const std::string& name, const Event& event);
  void step_machine(const std::string& name, const Event& event, Actions& actions);
  std::optional<Time> deadline_of(const std::string& name) const;
  std::optional<Time> next_deadline() const;
  void pass_time_at_deadlines();
  std::vector<std::string> machines() const;  // in a fixed order

  void add_framework(FrameworkConfig config, std::unique_ptr<Scheduler> scheduler, Bag* bag);
  void carry_out(const std::string& from, Action action);
  void send(const std::string& from, Send send);
  void start_run(const std::string& agent, const StartRun& run);
  void signal_run(const std::string& agent, const SignalRun& signal);
  /// Returns what a server answers to somebody without a session.
  Message ask(const std::string& server, Message question);
  /// Returns the result of a run that has ended well.
  ResultPtr made_by(const Work& work);
  PeerId connect(const std::string& name);
  void add_client(const std::string& name, Client client);
  void say(const std::string& line);

  Time now_{};
  std::optional<Time> said_at_;
  std::string lines_;
  bool heartbeats_shown_ = false;

  std::map<std::string, std::map<KeptKey, Kept>> records_;  // what each machine keeps over its restarts
  AllocatorConfig allocator_config_;
  Epoch epoch_{1};
  std::unique_ptr<Allocator> allocator_;
  std::unique_ptr<Catalog> catalog_;
  std::map<std::string, Client> clients_;
  std::vector<std::string> order_;       // of start
  std::map<PeerId, std::string> peers_;  // whose connection it is or was
  std::set<std::string> cut_;
  std::uint64_t next_peer_ = 10;
  std::uint64_t next_seed_ = 1;
  std::deque<Flight> in_flight_;
  std::optional<Message> answered_;  // to a person
  Printer names_;
};

}  // namespace proffer::scenario
