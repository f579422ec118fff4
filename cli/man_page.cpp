#include "cli/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proffer::cli {
namespace {

/// Returns text as roff shows it unchanged: a backslash, a hyphen and a point at the begin of a line mean
/// something there.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else {
      out += text[i];
    }
  }
  return out;
}

bool has_line_end(const std::string& text) { return !text.empty() && text.back() == '\n'; }

void append(std::string& page, const std::string& text) {
  page += text;
  if (!has_line_end(page)) page += '\n';
}

void append_verbatim(std::string& page, const std::string& text) {
  page += ".nf\n";
  append(page, escaped(text));
  page += ".fi\n";
}

std::string argument_text(const CommandWords::Argument& argument) {
  const auto name = argument.name + (argument.repeats ? "..." : "");
  return argument.required ? name : "[" + name + "]";
}

std::string synopsis(const CommandWords& command, const std::string& line) {
  auto text = fmt::format(".B {}\n[OPTIONS]", escaped(line));
  if (!command.commands.empty()) text += command.alone ? " [COMMAND]" : " COMMAND";
  for (const auto& argument : command.arguments) text += " " + escaped(argument_text(argument));
  return text;
}

std::string option_text(const CommandWords::Option& option) {
  std::string names;
  for (const auto& name : option.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  }
  auto text = fmt::format(".TP\n{}{}{}\n", names, option.value.empty() ? "" : " ", escaped(option.value));
  append(text, escaped(option.help));
  if (!option.usual.empty()) append(text, fmt::format(".br\nDefault: {}.", escaped(option.usual)));
  if (!option.variable.empty()) {
    append(text, fmt::format(".br\nEnvironment: \\fB{}\\fR.", escaped(option.variable)));
  }
  return text;
}

ManPage page_of(const CommandWords& command, const std::string& line, const std::string& version) {
  auto name = line;
  for (auto& c : name) c = c == ' ' ? '-' : c;
  auto page = fmt::format(".TH \"{}\" 1 \"\" \"proffer {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", name,
                          version, escaped(name), escaped(command.help.substr(0, command.help.find('\n'))));
  page += ".SH SYNOPSIS\n";
  append(page, synopsis(command, line));
  page += ".SH DESCRIPTION\n";
  append(page, escaped(command.help));
  if (!command.arguments.empty()) page += ".SH ARGUMENTS\n";
  for (const auto& argument : command.arguments) {
    page += fmt::format(".TP\n\\fB{}\\fR\n", escaped(argument.name));
    append(page, escaped(argument.help));
  }
  page += ".SH OPTIONS\n";
  for (const auto& option : command.options) page += option_text(option);
  std::vector<std::string> below;
  for (const auto& next : command.commands) {
    if (next.hidden) continue;
    if (below.empty()) page += ".SH COMMANDS\n";
    below.push_back(fmt::format("\\fB{}\\-{}\\fR(1)", escaped(name), escaped(next.name)));
    page += fmt::format(".TP\n{}\n", below.back());
    append(page, escaped(next.help));
  }
  if (!command.footer.empty()) {
    page += ".SH NOTES\n";
    append_verbatim(page, command.footer);
  }
  if (line != "proffer") page += ".SH SEE ALSO\n\\fBproffer\\fR(1)\n";
  return {name, page};
}

void add_pages(const CommandWords& command, const std::string& line, const std::string& version,
               std::vector<ManPage>& pages) {
  pages.push_back(page_of(command, line, version));
  for (const auto& below : command.commands) {
    if (!below.hidden) add_pages(below, line + " " + below.name, version, pages);
  }
}

}  // namespace

std::vector<ManPage> man_pages(const CommandWords& root, const std::string& version) {
  std::vector<ManPage> pages;
  add_pages(root, "proffer", version, pages);
  return pages;
}

}  // namespace proffer::cli
