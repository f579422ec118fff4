// The questions of all jobs to the catalog that are not answered yet.
//
// Invariant: a question is here from ask() until its answer comes, under the number of its request, which no
// other question has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "frameworks/mapreduce/step.hpp"
#include "proffer/frameworks/scheduler.hpp"
#include "proffer/ids.hpp"

namespace proffer::mapreduce {

struct Question {
  JobId job;
  Step step = Step::check_output;
};

class CatalogTalk {
 public:
  /// Sends the request for that question of a job.
  void ask(Driver& driver, Question question, Message request);
  /// The question that this message answers, once; none when it answers no open one.
  std::optional<Question> take_answered(const Message& answer);
  /// Jobs with a question that is not answered.
  std::set<JobId> asking() const;

 private:
  std::map<std::uint64_t, Question> open_;  ///< open questions, by the number of their request
};

}  // namespace proffer::mapreduce
