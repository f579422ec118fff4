// Open questions to the catalog.
#include "frameworks/mapreduce/catalog_talk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proffer::mapreduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct CatalogTalkTest : testing::Test {
  Random random{1};
  std::uint64_t next_request = 1;
  Driver driver{Time{}, random, next_request};
  CatalogTalk talk;

  void ask(std::uint32_t job, Step step) { talk.ask(driver, {JobId{job}, step}, ListFiles{0, "/in", true}); }
};

TEST_F(CatalogTalkTest, AnAnswerBelongsToTheQuestionOfItsNumber) {
  ask(1, Step::list_input);
  ask(2, Step::check_output);
  const auto question = talk.take_answered(FilesListed{2, {}, {}, false, {}});
  ASSERT_TRUE(question);
  EXPECT_EQ(question->job, JobId{2});
  EXPECT_EQ(question->step, Step::check_output);
}

TEST_F(CatalogTalkTest, AQuestionIsAnsweredOnce) {
  ask(1, Step::list_input);
  EXPECT_TRUE(talk.take_answered(CatalogDone{1, {}}));
  EXPECT_FALSE(talk.take_answered(CatalogDone{1, {}}));
}

TEST_F(CatalogTalkTest, WhatAnswersNoRequestAnswersNoQuestion) {
  ask(1, Step::list_input);
  EXPECT_FALSE(talk.take_answered(CatalogDone{9, {}}));
  EXPECT_FALSE(talk.take_answered(Revive{}));
}

TEST_F(CatalogTalkTest, AJobAsksUntilItsAnswerComes) {
  ask(1, Step::list_input);
  ask(2, Step::check_output);
  EXPECT_THAT(talk.asking(), ElementsAre(JobId{1}, JobId{2}));
  talk.take_answered(CatalogDone{1, {}});
  EXPECT_THAT(talk.asking(), ElementsAre(JobId{2}));
}

}  // namespace
}  // namespace proffer::mapreduce
