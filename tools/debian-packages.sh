#!/usr/bin/env bash
# Install the Debian packages that some targets need, as root: tools/debian-packages.sh TARGET...
#
#   engines   a Java runtime of version 17 or newer, for PySpark
#   browser   Chromium and its driver, for `make browser`
#   clients   Node.js with npm and a Java runtime, for `make clients`
#   load      wrk, for `make load`
#
# `make run`, `make test` and `make check` need none of them.
set -euo pipefail

packages_of() {
  case "$1" in
    engines) echo default-jre-headless ;;
    browser) echo chromium chromium-driver ;;
    clients) echo nodejs npm default-jre-headless ;;
    load) echo wrk ;;
    *) echo "unknown target $1; known: engines browser clients load" >&2; return 2 ;;
  esac
}

if (($# == 0)); then
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

packages=()
for target in "$@"; do
  names=$(packages_of "$target")
  read -ra found <<< "$names"
  packages+=("${found[@]}")
done

apt-get update --quiet
apt-get install --quiet --yes --no-install-recommends "${packages[@]}"
