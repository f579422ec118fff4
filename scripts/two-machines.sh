#!/usr/bin/env bash
# two-machines.sh COMMAND...: runs COMMAND --machines FILE, where FILE names two machines, m1 and m2, each a network
# namespace of this machine. They and this one are joined by a bridge. All of it is gone afterwards, whatever happens.
# Needs root and iproute2; exit code 77 where namespaces cannot be made.
set -uo pipefail
[ $# -gt 0 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }

id=pf$$
net=198.18.$(($$ % 256)) # a range that is set aside for benchmarks, RFC 2544
folder=$(mktemp -d)
child=

tidy() {
  trap '' INT TERM HUP
  [ -n "$child" ] && kill "$child" 2>/dev/null && wait "$child"
  for n in 1 2; do
    ip link del "${id}v$n" 2>/dev/null
    ip netns del "${id}m$n" 2>/dev/null
  done
  ip link del "${id}b" 2>/dev/null
  rm -rf "$folder"
}
trap tidy EXIT
trap 'exit 130' INT TERM HUP

machine() { # NUMBER: a namespace at the address $net.(NUMBER + 1)
  ip netns add "${id}m$1" &&
    ip link add "${id}v$1" type veth peer name eth0 netns "${id}m$1" &&
    ip link set "${id}v$1" master "${id}b" up &&
    ip -n "${id}m$1" link set lo up &&
    ip -n "${id}m$1" addr add "$net.$(($1 + 1))/24" dev eth0 &&
    ip -n "${id}m$1" link set eth0 up &&
    printf '\n[[machine]]\nname = "m%s"\naddress = "%s"\nrun = "ip netns exec %s"\n' \
      "$1" "$net.$(($1 + 1))" "${id}m$1" >>"$folder/machines.toml"
}

printf 'address = "%s.1"\ninsecure = true\n' "$net" >"$folder/machines.toml"
{ ip link add "${id}b" type bridge && ip addr add "$net.1/24" dev "${id}b" && ip link set "${id}b" up &&
  machine 1 && machine 2; } || { echo "two-machines.sh: no network namespaces can be made here" >&2; exit 77; }

"$@" --machines "$folder/machines.toml" &
child=$!
wait "$child"
code=$?
child=
exit "$code"
