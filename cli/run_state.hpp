// The folder in which `proffer mr` and `proffer run` keep what another process needs to go on: the command,
// and the framework's records.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/options.hpp"
#include "proffer/frameworks/drivers.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// A command that another process can go on with.
struct SavedCommand {
  std::string folder;              ///< the folder in which it was typed
  std::string allocator;           ///< address of the allocator
  std::string token;               ///< lets whoever shows it fetch what its tasks write
  std::vector<std::string> words;  ///< as it was typed
};

/// The folder of one command. It stays unless remove() is called: whatever ends this process, another one can
/// go on with it.
class RunState {
 public:
  /// Makes the folder of a command that begins: that of --state-dir, which must be new or empty, or one of
  /// its own. None, with a warning, when the latter cannot be made: then the command cannot be gone on with.
  static Result<std::optional<RunState>> begin(const FrameworkOptions& options, const SavedCommand& saved);
  /// Finds the folder that --resume names, or the only one of a command of that verb ("mr", "run").
  /// `not_found` with what there is.
  static Result<RunState> find(const FrameworkOptions& options, const std::string& verb);

  /// The command. `corrupt` when that cannot be read, `invalid` when it is not of that verb.
  Result<SavedCommand> command(const std::string& verb) const;
  const std::string& path() const { return path_; }
  /// Says on stderr how to go on, should this process end.
  void tell(const std::string& verb) const;
  /// Removes the folder: all has ended.
  void remove() const;

 private:
  explicit RunState(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Goes to the folder where a command was typed. `not_found` when it is not there any more.
Result<> enter_folder(const std::string& folder);

std::string current_folder();

/// A command as it is to be run by this process, and where it keeps its state.
template <class Options>
struct RunPlan {
  Options options;
  std::string token;
  std::optional<RunState> state;  ///< none before it began, or when it cannot be gone on with
  std::optional<Driving> driving =
      {};  ///< this process drives a detached job: others go on from the beginning
};

/// Returns the command that is to be gone on with, read anew from its words, in the folder where it was
/// typed.
template <class Options>
Result<RunPlan<Options>> plan_of_resumed(const Options& asked, const std::string& verb) {
  auto state = RunState::find(asked.framework, verb);
  if (!state) return state.error();
  auto saved = state->command(verb);
  if (!saved) return saved.error();
  if (auto entered = enter_folder(saved->folder); !entered) return entered.error();
  auto command = parse(saved->words);
  auto* options = std::get_if<Options>(&command);
  if (options == nullptr) {
    return Error{ErrorCode::corrupt, state->path() + " holds a command that this version does not take"};
  }
  auto& where = options->framework.where;
  where.allocator =
      asked.framework.where.allocator.empty() ? saved->allocator : asked.framework.where.allocator;
  return RunPlan<Options>{std::move(*options), std::move(saved->token), std::move(*state)};
}

/// Makes the folder of a command that begins now, and says how to go on with it. `exists` and `io` for that
/// of --state-dir. No effect for one that is gone on with.
template <class Options>
Result<> begin_or_resume(RunPlan<Options>& plan, const std::string& allocator) {
  if (plan.state || plan.driving) return {};
  const auto& options = plan.options.framework;
  auto begun = RunState::begin(options, {current_folder(), allocator, plan.token, options.words});
  if (!begun) return begun.error();
  plan.state = std::move(*begun);
  bool quiet = false;
  if constexpr (requires { plan.options.quiet; }) quiet = plan.options.quiet;
  if (plan.state && !quiet) plan.state->tell(options.words.front());
  return {};
}

/// Returns whether nothing is left with which another process could go on, after an end for that reason;
/// none: all was done, or ended by the user. `resumed`: it was gone on with already.
bool is_over(const std::optional<Error>& why, bool resumed);

}  // namespace proffer::cli
