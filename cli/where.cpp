#include "cli/where.hpp"

#include "proffer/live/describe.hpp"

namespace proffer::cli {
namespace {
constexpr Duration kAnswerTimeout = std::chrono::seconds(5);
}

Result<std::string> catalog_endpoint(live::Context& context, const Where& where) {
  if (!where.catalog.empty()) return where.catalog;
  auto state = live::describe(context, where.allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (state->catalog_endpoint.empty()) {
    return Error{ErrorCode::not_found,
                 "the allocator at " + where.allocator +
                     " knows no catalog; start it with --catalog-endpoint, or name one with --catalog"};
  }
  return state->catalog_endpoint;
}

Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& where) {
  auto endpoint = catalog_endpoint(context, where);
  if (!endpoint) return endpoint.error();
  return live::CatalogClient::connect(context, *endpoint, kAnswerTimeout);
}

}  // namespace proffer::cli
