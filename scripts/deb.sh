#!/usr/bin/env bash
# deb.sh: builds the Debian packages proffer and proffer-dev into build/deb. With TRY=1, as root, also installs them in a
# clean chroot (debootstrap), and runs a cluster there.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh deb
(cd build/deb && cpack --config CPackConfig.cmake -B .)
ls -l build/deb/*.deb
[ -n "${TRY:-}" ] || exit 0

root=$(mktemp -d)
unmounted() { umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"; }
trap unmounted EXIT
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase "$release" "$root" "${MIRROR:-http://deb.debian.org/debian}"
mount -t proc proc "$root/proc"
cp build/deb/*.deb "$root/tmp/"
cp /etc/resolv.conf "$root/etc/"
[ -d /etc/apt/apt.conf.d ] && cp -r /etc/apt/apt.conf.d "$root/etc/apt/"
within() { chroot "$root" /usr/bin/env HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
within apt-get update -q
within sh -c 'apt-get install -q -y --no-install-recommends /tmp/proffer_*.deb'
within getent passwd proffer
within sh -c 'proffer --version && ls /usr/share/man/man1/proffer-run.1* /lib/systemd/system/proffer-agent.service'
for role in allocator catalog agent; do within proffer "$role" --config "/etc/proffer/$role.toml" --print-config >/dev/null; done
within proffer dev --nodes 2 --port 0 -- sh -c 'proffer run -n 4 -- echo from {} && proffer put /usr/share/common-licenses /texts &&
  proffer mr --quiet -input /texts -output /out -mapper "tr -cs A-Za-z \"\\n\"" -reducer "uniq -c" && proffer cat /out | wc -l'
within apt-get remove -q -y proffer
echo "installed, used and removed in a clean chroot"
