// Loading plug-ins, and each sentence with which one is refused.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/plugins/vocabulary.hpp"

namespace proffer {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::load;
using ::testing::Not;
using testing::plugin;
using testing::refusal;
using ::testing::StartsWith;

/// A folder that goes with the test.
class PluginLoading : public ::testing::Test {
 protected:
  PluginLoading() {
    auto pattern = ::testing::TempDir() + "proffer-plugins-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~PluginLoading() override { fs::remove_all(folder_); }
  fs::path folder_;
};

Error error_of(const std::string& path) {
  const auto loaded = load_policies(path);
  return loaded ? Error{} : loaded.error();
}

TEST_F(PluginLoading, PoliciesAreThereAfterwards) {
  const auto loaded = load("coin_flip");
  EXPECT_THAT(policy_names(), Contains("coin-flip"));
  EXPECT_EQ(refusal("coin-flip,part=0.3,hold=500ms"), "nothing is wrong");
  EXPECT_EQ(policy_registry().describe("coin-flip")->origin, loaded.path);
  EXPECT_TRUE(fs::path(loaded.path).is_absolute());
}

TEST_F(PluginLoading, AFileThatIsLoadedIsJustToldOfAgain) {
  const auto loaded = load("coin_flip");
  const auto link = folder_ / "link.so";
  fs::create_symlink(loaded.path, link);
  const auto again = load_policies(link);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->path, loaded.path);
  EXPECT_EQ(again->fingerprint, loaded.fingerprint);
}

TEST_F(PluginLoading, ACopyOfItIsRefusedForItsNames) {
  const auto loaded = load("coin_flip");
  const auto copy = folder_ / "copy.so";
  fs::copy_file(loaded.path, copy);
  const auto error = error_of(copy);
  EXPECT_EQ(error.code, ErrorCode::exists);
  EXPECT_EQ(error.message, copy.string() + ": there is a policy 'coin-flip' already, from " + loaded.path);
}

TEST_F(PluginLoading, ATakenNameRefusesTheWholePlugin) {
  const auto path = plugin("taken");
  EXPECT_EQ(error_of(path), (Error{ErrorCode::exists, path + ": there is a policy 'wait' already"}));
  EXPECT_THAT(policy_names(), Not(Contains("eager")));
}

TEST_F(PluginLoading, ABadNameIsRefused) {
  EXPECT_EQ(error_of(plugin("bad_name")).message,
            plugin("bad_name") +
                ": 'Eager,now' is no name for a policy: up to 64 of a-z 0-9 and -, "
                "beginning with a letter");
}

TEST_F(PluginLoading, AMissingFileIsNotFound) {
  const auto path = (folder_ / "none.so").string();
  EXPECT_EQ(error_of(path), (Error{ErrorCode::not_found, path + ": there is no such plug-in"}));
  EXPECT_EQ(error_of(folder_).message, folder_.string() + ": it is no file");
}

TEST_F(PluginLoading, WhatIsNoSharedObjectIsRefused) {
  const auto path = (folder_ / "text.so").string();
  std::ofstream(path) << "int main() {}\n";
  EXPECT_EQ(error_of(path), (Error{ErrorCode::invalid, path + ": it is no shared object"}));
  std::ofstream(path) << "\x7f"
                         "ELF and no more";
  EXPECT_THAT(error_of(path).message, StartsWith(path + ": it cannot be loaded: "));
}

TEST_F(PluginLoading, ASharedObjectOfSomethingElseIsRefused) {
  EXPECT_EQ(error_of(plugin("no_policies")).message,
            plugin("no_policies") + ": it has no policies; end it in PROFFER_POLICY(...)");
}

TEST_F(PluginLoading, AnotherInterfaceIsRefused) {
  EXPECT_THAT(error_of(plugin("other_interface")).message,
              HasSubstr(": it was built for \"policies 0, libstdc++\", and this is \"policies 9, "));
}

TEST_F(PluginLoading, AMissingSymbolIsToldOfAtOnce) {
  EXPECT_THAT(error_of(plugin("unresolved")).message,
              HasSubstr(": it cannot be loaded: undefined symbol: nobody_has_this"));
}

TEST_F(PluginLoading, WhatAConstructorThrowsBecomesASentence) {
  load("throwing");
  EXPECT_EQ(refusal("throwing"), "policy throwing cannot be made: there is no moon tonight");
  EXPECT_EQ(refusal("throwing,nodes=many"),
            "setting nodes of policy throwing = 'many' is not a whole number from 0 to 1000000000");
  EXPECT_EQ(policy_registry().describe("throwing")->settings.size(), 1u);
}

}  // namespace
}  // namespace proffer
