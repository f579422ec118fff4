#!/usr/bin/env bash
# Counts the comments that cannot be read alone: a comment should begin with the thing that it is about.
#
#   scripts/comments.sh                 a table by top folder; fails when a folder reaches its limit below
#   scripts/comments.sh --list [PATH]   one line per comment that begins badly, as FILE:LINE: KIND: TEXT
#
# A block is a run of lines that hold nothing but a `//` or `///` comment, or a `///<` comment behind code; in
# include/ also a `//` comment behind code. (Behind code in sources, `//` is a note on that line, whose subject
# stands beside it, and is not counted.) Comments that talk to tools (clang-format, NOLINT) or close a
# namespace are no blocks; the contents of string literals are no comments. A block begins badly when its first
# word makes it
#   - a pronoun      It, They, This, Those, Its, ...: only who knows what "it" is can read the comment;
#   - a fragment     Of, With, From, By, ...: a preposition whose subject stands somewhere else;
#   - headless       What, Who, Whether, How, When, ...: a clause without its main clause.
# The script does not look for a main clause later in the sentence: such a sentence can be turned round.
# Words of code, in `backquotes`, and numbers begin a comment well. Tests, whose names are their comments, and
# third_party/ are not counted.
set -euo pipefail
cd "$(dirname "$0")/.."

max_in_include=3  # percent; public headers are read by people who know nothing else
max_elsewhere=8   # percent, of each other folder

list=0
path=.
case ${1:-} in
  '') ;;
  --list) list=1 path=${2:-.} ;;
  *)
    echo "usage: scripts/comments.sh [--list [PATH]]" >&2
    exit 2
    ;;
esac

git ls-files -- "$path" | grep -E '\.(cpp|hpp)$' | grep -vE '^(tests|third_party)/' |
  awk -v list="$list" -v max_in_include="$max_in_include" -v max_elsewhere="$max_elsewhere" '
    BEGIN {
      add("pronoun", "it its they them their this that these those he she his her we you")
      add("fragment", "of with without within among amongst for from by in into to at on upon besides beside between")
      add("headless", "what whatever who whom whose whoever whether where which whichever how why when if")
    }
    function add(kind, words,   list_of, n, i) {
      n = split(words, list_of, " ")
      for (i = 1; i <= n; i++) kinds[list_of[i]] = kind
    }

    # The code of a line goes, up to the comment: strings that look like comments are passed over, raw ones
    # also over several lines. Gives the comment, or nothing; in_front says whether there was code.
    function comment_of(line,   at, c, rest, end) {
      in_front = 0
      at = 1
      while (at <= length(line)) {
        if (raw != "") {
          end = index(substr(line, at), raw)
          in_front = 1
          if (!end) return ""
          at += end + length(raw) - 1
          raw = ""
          continue
        }
        rest = substr(line, at)
        c = substr(rest, 1, 1)
        if (substr(rest, 1, 2) == "//") return rest
        if (match(rest, /^R"[^( ]*\(/)) {
          raw = ")" substr(rest, 3, RLENGTH - 3) "\""
          at += RLENGTH
          in_front = 1
        } else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^\047([^\047\\]|\\.)\047/)) {
          at += RLENGTH
          in_front = 1
        } else {
          if (c != " " && c != "\t") in_front = 1
          at++
        }
      }
      return ""
    }
    function no_prose(text) {
      return text ~ /^(namespace|NOLINT|clang-format|IWYU|!|-+$|$)/
    }
    function read_block(text, line,   word, kind) {
      if (no_prose(text)) return
      word = tolower(text)
      sub(/^[^a-z`0-9]+/, "", word)
      word = match(word, /^[a-z]+/) ? substr(word, 1, RLENGTH) : ""
      kind = kinds[word]
      ++blocks[folder]
      if (kind == "") return
      ++bad[folder]
      ++count[folder, kind]
      if (list) print file ":" line ": " kind ": " text
    }

    function read_file(   line, number, comment, open) {
      folder = file
      if (!sub(/\/.*/, "", folder)) folder = "."
      if (!(folder in seen)) { seen[folder] = 1; order[++folders] = folder }
      raw = ""
      open = 0
      number = 0
      while ((getline line < file) > 0) {
        ++number
        comment = raw == "" && !index(line, "//") && !index(line, "R\"") ? "" : comment_of(line)
        if (comment == "") { open = 0; continue }
        doc = comment ~ /^\/\/\/</
        sub(/^\/\/+[<!]?[ \t]*/, "", comment)
        if (in_front) {
          if (doc || folder == "include") read_block(comment, number)
          open = 1
          continue
        }
        if (!open && !no_prose(comment)) { read_block(comment, number); open = 1 }
        if (no_prose(comment)) open = 0
      }
      close(file)
    }

    function row(name, of, kind1, kind2, kind3, all) {
      printf "%-12s %7d %8d %9d %9d %8.1f %%\n", name, of, kind1, kind2, kind3, of ? 100 * all / of : 0
    }

    { file = $0; read_file() }

    END {
      if (list) exit 0
      printf "%-12s %7s %8s %9s %9s %10s\n", "folder", "blocks", "pronoun", "fragment", "headless", "share"
      for (i = 1; i <= folders; i++) {
        f = order[i]
        row(f, blocks[f], count[f, "pronoun"], count[f, "fragment"], count[f, "headless"], bad[f])
        of_all += blocks[f]
        wrong += bad[f]
        all_p += count[f, "pronoun"]; all_f += count[f, "fragment"]; all_h += count[f, "headless"]
      }
      row("all", of_all, all_p, all_f, all_h, wrong)
      for (i = 1; i <= folders; i++) {
        failed += judge(order[i], order[i] == "include" ? max_in_include : max_elsewhere)
      }
      exit failed > 0
    }
    function judge(f, limit,   share) {
      share = blocks[f] ? 100 * bad[f] / blocks[f] : 0
      if (share < limit) return 0
      printf "comments: %.1f %% of the comments in %s begin with a pronoun, a fragment or a headless clause;" \
             " the limit is %d %% (scripts/comments.sh --list %s shows them)\n", share, f, limit, f > "/dev/stderr"
      return 1
    }'
