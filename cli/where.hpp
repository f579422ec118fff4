// Finding the cluster.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::cli {

/// The catalog named, or else the one the allocator knows. `unreachable`; `not_found` when the cluster has
/// none.
Result<std::string> catalog_endpoint(live::Context& context, const Where& where);
Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& where);

}  // namespace proffer::cli
