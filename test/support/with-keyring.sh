#!/usr/bin/env bash
# Runs a command inside a private session bus with an unlocked, empty keyring, and keeps its exit code:
#   test/support/with-keyring.sh <command> [arguments]
# Needs dbus, libsecret-1-0 and gnome-keyring (build/setup-system.sh installs them). Touches nothing of the user's own.
# With TANDEM_KEYRING=locked the keyring exists but stays locked; with =none the bus has no secret service.
set -euo pipefail

if [ "${TANDEM_KEYRING_STAGE:-}" != inside ]; then
  for tool in dbus-run-session dbus-send gnome-keyring-daemon; do
    if ! command -v "$tool" >/dev/null; then
      echo "with-keyring: $tool is missing; run build/setup-system.sh" >&2
      exit 127
    fi
  done
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  mkdir -m 700 "$home/run" "$home/data" "$home/config" "$home/cache"
  bus=()
  if [ "${TANDEM_KEYRING:-unlocked}" = none ]; then
    # The usual configuration starts an installed keyring on demand; this one knows no services at all.
    cat >"$home/bus.conf" <<'EOF'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
EOF
    bus=(--config-file="$home/bus.conf")
  fi
  code=0
  env -u DISPLAY -u WAYLAND_DISPLAY -u DBUS_SESSION_BUS_ADDRESS -u GNOME_KEYRING_CONTROL \
    HOME="$home" XDG_RUNTIME_DIR="$home/run" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" \
    XDG_CACHE_HOME="$home/cache" TANDEM_KEYRING_STAGE=inside \
    dbus-run-session "${bus[@]}" -- "$0" "$@" || code=$?
  exit "$code"
fi

daemon=
log="$HOME/keyring.log"
if [ "${TANDEM_KEYRING:-unlocked}" = unlocked ]; then
  echo -n 'a password for this run only' |
    gnome-keyring-daemon --foreground --unlock --components=secrets >"$log" 2>&1 &
  daemon=$!
elif [ "$TANDEM_KEYRING" = locked ]; then
  gnome-keyring-daemon --foreground --components=secrets >"$log" 2>&1 </dev/null &
  daemon=$!
fi

owned() {
  dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
    org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q 'boolean true'
}
if [ -n "$daemon" ]; then
  for _ in $(seq 1 100); do
    if owned; then break; fi
    sleep 0.1
  done
  if ! owned; then
    echo "with-keyring: the keyring did not come up:" >&2
    cat "$log" >&2
    kill "$daemon" 2>/dev/null || true
    exit 126
  fi
fi

code=0
"$@" || code=$?
if [ -n "$daemon" ]; then
  kill "$daemon" 2>/dev/null || true
  wait "$daemon" 2>/dev/null || true
fi
exit "$code"
