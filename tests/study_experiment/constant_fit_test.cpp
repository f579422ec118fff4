// The search for constants with which published figures come out.
#include "proffer/study/constant_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace proffer::study {
namespace {

Environment with(std::vector<FittedConstant> fitted) {
  Environment environment;
  environment.path = "env.toml";
  environment.fitted = std::move(fitted);
  return environment;
}

TEST(FitAxes, AreReadInTheirUnits) {
  const auto axes = fit_axes(with({{"cost.remote_rate", "8MB/s", "60MB/s", "22MB/s"},
                                   {"allocator.report_period", "500ms", "12s", "3s"},
                                   {"cost.any_factor", "1", "3", "1.5"}}));
  ASSERT_TRUE(axes) << axes.error().message;
  EXPECT_EQ(axes->at(0).setting(17.34e6), "cost.remote_rate=17300KB/s");
  EXPECT_EQ(axes->at(1).setting(4.256), "allocator.report_period=4.26s");
  EXPECT_EQ(axes->at(2).text(axes->at(2).value), "1.5");
}

TEST(FitAxes, BoundsThatAreNoneAreRefused) {
  for (const auto& wrong : {FittedConstant{"k", "8MB/s", "12s", "9MB/s"}, FittedConstant{"k", "3", "2", "2"},
                            FittedConstant{"k", "0", "2", "1"}, FittedConstant{"k", "often", "2", "1"}}) {
    EXPECT_FALSE(fit_axes(with({wrong})).ok()) << wrong.from << " " << wrong.to;
  }
}

TEST(Misfit, IsTheRootMeanSquareOfLogarithmsOfRatios) {
  ComparedFigure exact;
  exact.paper = 2;
  exact.ours = Estimate{3, 2, {}};
  auto twice = exact;
  twice.ours = Estimate{3, 4, {}};
  ComparedFigure unmeasured;
  unmeasured.paper = 1;
  EXPECT_NEAR(*misfit({exact, twice, unmeasured}), std::log(2) / std::sqrt(2), 1e-12);
  EXPECT_FALSE(misfit({unmeasured}));
}

double value_in(const std::string& setting) {
  return std::strtod(setting.c_str() + setting.find('=') + 1, nullptr);
}

TEST(LeastMisfit, FindsTheValuesAndAsksForNoneTwice) {
  auto axes = fit_axes(with({{"a", "1", "100", "50"}, {"b", "0.1", "10", "5"}}));
  ASSERT_TRUE(axes);
  std::set<std::vector<std::string>> asked;
  const auto found = least_misfit(*axes, [&](const std::vector<std::string>& settings) -> Result<double> {
    EXPECT_TRUE(asked.insert(settings).second) << settings[0] << settings[1];
    return std::abs(std::log(value_in(settings[0]) / 12)) + std::abs(std::log(value_in(settings[1]) / 0.7));
  });
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at(0).value, 12, 0.5);
  EXPECT_NEAR(found->at(1).value, 0.7, 0.03);
}

TEST(LeastMisfit, EndsWithTheFirstError) {
  auto axes = fit_axes(with({{"a", "1", "100", "50"}}));
  const auto found = least_misfit(*axes, [](const auto&) -> Result<double> {
    return Error{ErrorCode::io, "no room"};
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no room");
}

}  // namespace
}  // namespace proffer::study
