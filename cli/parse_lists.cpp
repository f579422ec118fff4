// The command line of lists, of `show` and of `status`.
#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <string>

#include "cli/listed.hpp"
#include "cli/parse_parts.hpp"

namespace proffer::cli {
namespace {

struct ListWords {
  const char* name;
  const char* argument;
  const char* help;
  const char* example;
};

constexpr std::array<ListWords, 4> kLists{
    {{"agents", "AGENT", "The agents: their slots, what uses them, and whether they are well",
      "Example: proffer agents list --columns agent,state,tasks"},
     {"frameworks", "FRAMEWORK", "The frameworks: their shares, offers and tasks, and why they decline",
      "Example: proffer frameworks list -o wide"},
     {"pools", "POOL", "The pools: weights, fair shares and what is used",
      "Example: proffer pools list -o csv"},
     {"tasks", "TASK", "The tasks that have not ended, the newest first",
      "Example: proffer tasks list -o jsonl"}}};

void add_list_format(CLI::App& app, ListOptions& options) {
  app.add_option("-o,--output-format", options.format,
                 "table, fitted to the terminal; wide: all columns; json; jsonl: an object a line; csv")
      ->check(one_of({std::begin(kListFormats), std::end(kListFormats)}))
      ->capture_default_str();
}

void add_allocator(CLI::App& app, ListOptions& options) {
  app.add_option("--allocator", options.allocator,
                 "Where frameworks reach the allocator (default tcp://127.0.0.1:5150)")
      ->envname("PROFFER_ALLOCATOR");
}

}  // namespace

void add_list_verb(CLI::App& above, Command& command, const std::string& list) {
  auto* app = above.add_subcommand("list", "All of them");
  auto options = std::make_shared<ListOptions>();
  options->list = list;
  add_allocator(*app, *options);
  add_list_format(*app, *options);
  app->add_option("--columns", options->columns,
                  "Headings of those to show, e.g. " + list.substr(0, list.size() - 1))
      ->delimiter(',');
  app->callback([&command, options] { choose(command, options); });
}

void add_lists(CLI::App& root, Command& command) {
  for (const auto& words : kLists) {
    auto* app = root.add_subcommand(words.name, words.help)->group("Look");
    app->require_subcommand(1);
    add_list_verb(*app, command, words.name);
    auto* show = app->add_subcommand("show", "All that the allocator knows of one");
    auto options = std::make_shared<ListOptions>();
    options->list = words.name;
    add_allocator(*show, *options);
    add_list_format(*show, *options);
    show->add_option(words.argument, options->id, "Its name, or what its id begins with")->required();
    show->callback([&command, options] { choose(command, options); });
    app->footer(words.example);
  }
}

void add_status(CLI::App& root, Command& command) {
  auto* app = root.add_subcommand("status", "Agents, pools and frameworks, as the allocator sees them")
                  ->group("Look");
  auto options = std::make_shared<ListOptions>();
  add_allocator(*app, *options);
  add_list_format(*app, *options);
  app->add_option("ID", options->id,
                  "Show one agent, framework, pool or task: its name, or what its id begins with");
  app->callback([&command, options] { choose(command, options); });
}

}  // namespace proffer::cli
