// The command `proffer completion`, and "proffer __complete", which the shells ask.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/complete.hpp"
#include "cli/where.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::cli {
namespace {

/// The longest time for which somebody who has pressed the tab key waits for the cluster.
constexpr Duration kAnswerSoon = std::chrono::milliseconds(300);

constexpr const char* kBash =
    "_proffer() {\n"
    "  local IFS=$'\\n'\n"
    "  COMPREPLY=($(proffer __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null | cut -f1))\n"
    "  [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace\n"
    "}\n"
    "complete -o default -F _proffer proffer\n";

constexpr const char* kZsh =
    "#compdef proffer\n"
    "_proffer() {\n"
    "  local -a found\n"
    "  local word help\n"
    "  while IFS=$'\\t' read -r word help; do\n"
    "    found+=(\"${word//:/\\\\:}${help:+:$help}\")\n"
    "  done < <(proffer __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "  if (( $#found )); then _describe -V proffer found; else _files; fi\n"
    "}\n"
    "compdef _proffer proffer\n";

constexpr const char* kFish =
    "function __proffer_complete\n"
    "  set -l typed (commandline -opc)\n"
    "  set -l found (proffer __complete $typed[2..-1] (commandline -ct) 2>/dev/null)\n"
    "  if test (count $found) -gt 0\n"
    "    printf '%s\\n' $found\n"
    "  else\n"
    "    __fish_complete_path (commandline -ct)\n"
    "  end\n"
    "end\n"
    "complete -c proffer -f -a '(__proffer_complete)'\n";

/// Returns the cluster that the line so far names, or else the settings.
Result<Where> named_cluster(const std::vector<std::string>& words) {
  Where given;
  if (const char* set = std::getenv("PROFFER_ALLOCATOR")) given.allocator = set;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--allocator") given.allocator = words[i + 1];
    if (words[i].starts_with("--allocator=")) given.allocator = words[i].substr(words[i].find('=') + 1);
  }
  return find_cluster(given);
}

/// Returns the files and folders of the store beside the half typed path.
std::vector<Candidate> paths_near(const ClusterState& state, const std::string& begun) {
  const auto slash = begun.rfind('/');
  const auto folder = slash == 0 || slash == begun.npos ? std::string("/") : begun.substr(0, slash);
  if (state.catalog_endpoint.empty()) return {};
  live::Context context;
  const auto catalog = live::CatalogClient::connect(context, state.catalog_endpoint, kAnswerSoon);
  if (!catalog) return {};
  const auto entries = live::list_path(**catalog, folder, false);
  if (!entries) return {};
  std::vector<Candidate> found;
  for (const auto& entry : *entries) found.push_back({entry.path + (entry.is_folder ? "/" : ""), ""});
  return found;
}

std::vector<Candidate> names_of(Noun noun, const ClusterState& state, const std::string& begun) {
  std::vector<Candidate> found;
  switch (noun) {
    case Noun::agent:
      for (const auto& agent : state.agents) found.push_back({agent.name, "rack " + agent.rack});
      break;
    case Noun::framework:
      for (const auto& framework : state.frameworks) found.push_back({framework.name, framework.pool});
      break;
    case Noun::pool:
      for (const auto& pool : state.pools) {
        if (!pool.name.empty()) found.push_back({pool.name, ""});
      }
      break;
    case Noun::store:
      return paths_near(state, begun);
    case Noun::none:
      break;
  }
  return found;
}

/// Asks the cluster. Nobody answers soon: there are no names.
std::vector<Candidate> live_names(Noun noun, const std::vector<std::string>& words) {
  if (noun == Noun::none) return {};
  const auto where = named_cluster(words);
  if (!where) return {};
  live::Context context;
  const auto state = live::describe(context, where->allocator, kAnswerSoon);
  if (!state) return {};
  return names_of(noun, *state, words.empty() ? "" : words.back());
}

}  // namespace

int run_completion(const CompletionOptions& options) {
  const std::map<std::string, const char*> scripts{{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  std::fputs(scripts.at(options.shell), stdout);
  return kOk;
}

int run_complete(const CompleteOptions& options) {
  auto found = complete(options.known, options.words);
  const auto begun = options.words.empty() ? std::string() : options.words.back();
  for (auto& name : live_names(found.noun, options.words)) {
    if (name.word.starts_with(begun == "=" ? "" : begun)) found.candidates.push_back(std::move(name));
  }
  std::set<std::string> printed;
  for (const auto& [word, help] : found.candidates) {
    if (!printed.insert(word).second) continue;
    std::printf("%s%s%s\n", word.c_str(), help.empty() ? "" : "\t", help.c_str());
  }
  return kOk;
}

}  // namespace proffer::cli
