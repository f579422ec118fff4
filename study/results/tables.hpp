// The tables of a run as CSV.
#pragma once

#include <span>

#include "proffer/study/results.hpp"
#include "study/results/csv_table.hpp"

namespace proffer::study {

/// The columns of Batsim's jobs.csv first, so that tools for those read it; then ours.
std::span<const CsvColumn<JobRow>> job_columns();
std::span<const CsvColumn<TaskRow>> task_columns();
std::span<const CsvColumn<OfferRow>> offer_columns();
std::span<const CsvColumn<ShareRow>> share_columns();
std::span<const CsvColumn<TenantRow>> tenant_columns();
std::span<const CsvColumn<MachineRow>> machine_columns();

}  // namespace proffer::study
