#define BOOST_DLL_USE_STD_FS
#include "proffer/plugins/load.hpp"

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "proffer/frameworks/policy_plugin.hpp"

namespace proffer {
namespace {

namespace dll = boost::dll;
namespace fs = std::filesystem;

constexpr const char* kAbi = "proffer_policies_abi";
constexpr const char* kEntry = "proffer_policies_v1";

Error wrong(const std::string& path, const std::string& sentence, ErrorCode code = ErrorCode::invalid) {
  return {code, path + ": " + sentence};
}

/// What the loader of the system complained of last, without the path in front of it.
std::string complaint(const std::string& path) {
  const char* said = ::dlerror();
  std::string text = said == nullptr ? "no reason was given" : said;
  return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
}

Result<std::string> read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in) return wrong(path, "cannot be read", ErrorCode::io);
  return bytes;
}

std::string fingerprint_of(const std::string& bytes) {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(bytes));
}

/// With all its symbols at once: what is missing is told of now, and not by the end of a long run.
Result<dll::shared_library> open(const std::string& path) {
  dll::shared_library library;
  dll::fs::error_code failed;
  library.load(path, dll::load_mode::rtld_now, failed);
  if (failed) return wrong(path, "it cannot be loaded: " + complaint(path));
  return library;
}

Result<> check_abi(const std::string& path, const dll::shared_library& library) {
  if (!library.has(kAbi)) return wrong(path, "it has no policies; end it in PROFFER_POLICY(...)");
  const std::string theirs = library.get<const char*()>(kAbi)();
  if (theirs == PROFFER_POLICY_ABI && library.has(kEntry)) return {};
  return wrong(path, "it was built for \"" + theirs +
                         "\", and this is \"" PROFFER_POLICY_ABI
                         "\"; build it again with the headers of this proffer");
}

struct Loaded {
  Plugin plugin;
  dll::shared_library library;
};

/// Never destroyed: policies may live longer than any order of destruction would allow.
std::vector<Loaded>& all_loaded() {
  static auto* all = new std::vector<Loaded>;
  return *all;
}

}  // namespace

Result<Plugin> load_policies(const std::string& path) {
  std::error_code failed;
  const auto whole = fs::canonical(path, failed).string();
  if (failed) return wrong(path, "there is no such plug-in", ErrorCode::not_found);
  for (const auto& loaded : all_loaded()) {
    if (loaded.plugin.path == whole) return loaded.plugin;
  }
  if (!fs::is_regular_file(whole, failed)) return wrong(path, "it is no file");
  const auto bytes = read_bytes(whole);
  if (!bytes) return bytes.error();
  if (!bytes->starts_with("\x7f"
                          "ELF"))
    return wrong(path, "it is no shared object");
  auto library = open(whole);
  if (!library) return library.error();
  if (auto checked = check_abi(path, *library); !checked) return checked.error();
  PolicyRegistry its;
  library->get<void(PolicyRegistry&)>(kEntry)(its);
  if (auto taken = policies().take(its, whole); !taken) {
    return wrong(path, taken.error().message, taken.error().code);
  }
  all_loaded().push_back({{whole, fingerprint_of(*bytes)}, std::move(*library)});
  return all_loaded().back().plugin;
}

}  // namespace proffer
