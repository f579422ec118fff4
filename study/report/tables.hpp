// The tables of a page, as HTML; empty where there is nothing to tell.
#pragma once

#include <string>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

/// Means with their intervals: the measures that the experiment asks for, or the usual ones.
std::string cells_table(const ReportInput& input);
/// Every measure of every cell, and the difference to the baseline.
std::string measures_table(const ReportInput& input);
/// What each framework, pool and pool of jobs had, a table a level under its title.
std::string tenants_tables(const ReportInput& input);
/// The papers' figures beside ours.
std::string paper_table(const ReportInput& input);
/// The list of what the experiment claims of itself, and whether it holds.
std::string checks_list(const ReportInput& input);
/// Each run with its seed and digest.
std::string runs_table(const ReportInput& input);

}  // namespace proffer::study::reporting
