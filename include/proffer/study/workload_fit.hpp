// A synthetic workload that is like a given one: a [[workload]] of an experiment that matches a trace in the
// sizes of jobs, their gaps, the times of tasks and the popularity of files; and how well it does so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "proffer/study/generate.hpp"
#include "proffer/study/workload.hpp"

namespace proffer::study {

/// The distance between a trace and a sample that the fitted workload makes, in one property.
struct FitDistance {
  std::string what;          ///< "maps a job", "gaps", ...
  std::uint64_t values = 0;  ///< number of values in the trace
  double mean = 0;           ///< mean of the trace, in the property's unit; seconds of times
  double sample_mean = 0;
  double cv = 0;  ///< standard deviation over mean, of the trace
  double sample_cv = 0;
  double ks = 0;  ///< distance of Kolmogorov and Smirnov, see ks_distance()
};

struct WorkloadFit {
  GenerateSpec spec;
  std::vector<FitDistance> distances;
};

/// Fits a workload of that name to a trace of one job at least. Bins are the pairs of maps and reduces, or,
/// where there are more than 60, the means of 60 equal parts. Times and gaps get the first of constant,
/// exponential and lognormal (by moments) that is no farther than 0.03 from the trace; else 51 quantiles, of
/// which the last is such that the mean is kept. Times do not depend on sizes, nor gaps on the hour.
/// Popularity: see fit_popularity. The sample is made with `seed`.
WorkloadFit fit_workload(const Workload& trace, const std::string& name, std::uint64_t seed);

/// Fits a distribution to times, as fit_workload does; constant(0s) for none.
Distribution fit_distribution(std::vector<Duration> times);

/// Fits Zipf's law to the numbers of jobs that read each file, by two figures that do not depend on which
/// files were seen: the exponent is the one with which two reads are of one file as often as here, given how
/// many files there are; and that number is the least with which so many reads are expected to be of so many
/// different files. `reads`: not empty, each above 0.
Popularity fit_popularity(std::span<const std::uint64_t> reads);

/// The [[workload]] section of an experiment that generates `spec`, of which it has what fit_workload sets.
std::string write_workload_section(const GenerateSpec& spec);

}  // namespace proffer::study
