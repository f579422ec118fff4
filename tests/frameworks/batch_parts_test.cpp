// The parts of a bag of commands: what its instances run, and what they wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frameworks/batch/instance_work.hpp"
#include "frameworks/batch/kept_outputs.hpp"

namespace proffer::batch {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;

BatchSpec echo(std::string argument) {
  BatchSpec spec;
  spec.command.argv = {"echo", std::move(argument)};
  return spec;
}

TEST(InstanceWork, AnInstanceFindsItsIndexInItsArguments) {
  const auto work = work_of(echo("{}-of-{}").command, 12);
  const auto& command = std::get<CommandWork>(*work);
  EXPECT_THAT(command.argv, ElementsAre("echo", "12-of-12"));
  EXPECT_THAT(command.env, Contains(Pair("PROFFER_TASK_INDEX", "12")));
}

TEST(InstanceWork, FewerLargeInstancesFitIntoAMessage) {
  EXPECT_EQ(most_per_message(echo("x")), limits::kTasksPerAccept);
  EXPECT_EQ(most_per_message(echo(std::string(kTaskBytesPerMessage / 3, 'x'))), 2u);
  EXPECT_EQ(most_per_message(echo(std::string(2 * kTaskBytesPerMessage, 'x'))), 1u);
}

struct KeptOutputsTest : ::testing::Test {
  Random random{1};
  std::uint64_t next_request = 1;
  Driver driver{Time{}, random, next_request};
  KeptOutputs outputs;
  const TaskId task{"run-00000_0"};

  std::size_t acknowledged() {
    std::size_t count = 0;
    for (const auto& call : driver.take_calls())
      count += std::holds_alternative<Driver::AcknowledgeCall>(call);
    return count;
  }
};

TEST_F(KeptOutputsTest, AKeptOutputIsAcknowledgedOnceItIsHandedOn) {
  outputs.keep(driver, task);
  EXPECT_FALSE(outputs.empty());
  outputs.handed_on(task);
  outputs.acknowledge(driver);
  outputs.acknowledge(driver);
  EXPECT_EQ(acknowledged(), 1u);
  EXPECT_TRUE(outputs.empty());
}

TEST_F(KeptOutputsTest, WhatIsNotKeptIsNotAcknowledged) {
  outputs.handed_on(task);
  EXPECT_TRUE(outputs.has_handed_on());
  outputs.acknowledge(driver);
  EXPECT_EQ(acknowledged(), 0u);
  EXPECT_FALSE(outputs.has_handed_on());
}

}  // namespace
}  // namespace proffer::batch
