#!/usr/bin/env bash
# Installs the Debian packages that Tandem and its tests can use, as far as they are missing:
#   dbus, libsecret-1-0, gnome-keyring   the OS keychain vault, and a private keyring for its tests
#   g++, make, python3                   compiling SQLite's driver, where there is no prebuilt one
#   chromium-headless-shell (where there is none: chromium), fonts-dejavu-core          the browser tests
#   firefox-esr (where there is one)     the browser tests in a second engine
#   curl, jq, openssl                    the examples of README and docs, and their tests
#   python3-httpx, python3-websockets    the Python library; with pandas its tables, with mypy the check of its types
# Needs root or sudo only when something is missing. On other systems it says what to install and ends well.
set -euo pipefail

packages=(dbus dbus-bin libsecret-1-0 gnome-keyring g++ make python3 chromium-headless-shell firefox-esr fonts-dejavu-core curl jq openssl
  python3-httpx python3-websockets python3-requests python3-pandas mypy)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup-system: not a Debian system; install the equivalents of: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  if [ "$state" != installed ]; then missing+=("$package"); fi
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "setup-system: nothing to do (${packages[*]})"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup-system: run as root (no sudo here) to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup-system: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
# The shell without a window's furniture takes a fifth less time; older systems have the whole browser only.
if ! apt-cache show chromium-headless-shell >/dev/null 2>&1; then
  missing=("${missing[@]/chromium-headless-shell/chromium}")
fi
# Debian has it; elsewhere a Firefox of one's own in PATH does as well.
if ! apt-cache show firefox-esr >/dev/null 2>&1; then
  kept=()
  for package in "${missing[@]}"; do
    if [ "$package" != firefox-esr ]; then kept+=("$package"); fi
  done
  missing=(${kept[@]+"${kept[@]}"})
fi
if [ "${#missing[@]}" -eq 0 ]; then
  echo "setup-system: nothing more to install here"
  exit 0
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup-system: installed ${missing[*]}"
