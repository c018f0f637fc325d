#!/usr/bin/env bash
# Does what the Dockerfile says in a chroot, where no container runtime is: as root, on Linux, in about two minutes.
#   sudo build/container/in-chroot.sh
# The root of the chroot is a layer over this system's; nothing of it is changed. It wants node, npm, ip, curl, setpriv.
set -euo pipefail

cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "as root: it makes mounts and networks" >&2; exit 2; }

# A mount namespace of its own: whatever happens, its mounts end with it.
if [ "${IN_NAMESPACE:-}" = "" ]; then
  IN_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
fi

WORK=$(mktemp -d /tmp/tandem-container.XXXXXX)
INSIDE=tandem-in-$$
BESIDE=tandem-by-$$
GATEWAY=
ended() {
  [ -z "$GATEWAY" ] || kill -KILL "$GATEWAY" 2>/dev/null || true
  ip netns del "$INSIDE" 2>/dev/null || true
  ip netns del "$BESIDE" 2>/dev/null || true
  umount -R "$WORK" 2>/dev/null || true
  rmdir "$WORK" 2>/dev/null || true
}
trap ended EXIT
say() { printf '\n== %s\n' "$*"; }
must() { # must <what> <expected> <seen>
  if [ "$2" = "$3" ]; then echo "ok   $1: $3"; else echo "FAIL $1: expected $2, saw $3"; exit 1; fi
}

say "a root of its own"
mount -t tmpfs -o size=3g tandem "$WORK"
mkdir "$WORK"/upper "$WORK"/work "$WORK"/root
mount -t overlay tandem -o "lowerdir=/,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/root"
ROOT=$WORK/root
for name in proc dev sys; do mount --rbind "/$name" "$ROOT/$name"; done
mount -t tmpfs tandem "$ROOT/tmp"
mount -t tmpfs tandem "$ROOT/run"

# What a runtime may have left on this system.
rm -f "$ROOT/.dockerenv"

say "the archive, as in the stage 'build'"
npm run --silent build
npm run --silent release
mkdir -p "$ROOT/app"
tar -xzf dist/release/*.tgz -C "$ROOT/app" --strip-components=1
cp /etc/resolv.conf "$ROOT/etc/resolv.conf" 2>/dev/null || true
chroot "$ROOT" sh -c 'cd /app && npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node build/native.cjs'

say "the user and the data folder"
chroot "$ROOT" sh -c '
  groupadd --gid 10001 tandem
  useradd --uid 10001 --gid tandem --home-dir /data --shell /usr/sbin/nologin tandem
  install -d -m 0700 -o tandem -g tandem /data
  ln -sf /app/build/tandem.cjs /usr/local/bin/tandem'
install -d -m 0755 "$ROOT/run/secrets"
head -c 32 /dev/urandom | base64 > "$ROOT/run/secrets/tandem_passphrase"
# As Compose mounts it: another user's file, which the image's user may read.
chown 0:0 "$ROOT/run/secrets/tandem_passphrase"
chmod 0644 "$ROOT/run/secrets/tandem_passphrase"

say "two networks: the container's, and a service beside it"
ip netns add "$INSIDE"
ip netns add "$BESIDE"
ip link add "ti$$" netns "$INSIDE" type veth peer name "tb$$" netns "$BESIDE"
ip -n "$INSIDE" addr add 10.97.13.1/24 dev "ti$$"
ip -n "$BESIDE" addr add 10.97.13.2/24 dev "tb$$"
for space in "$INSIDE" "$BESIDE"; do ip -n "$space" link set lo up; done
ip -n "$INSIDE" link set "ti$$" up
ip -n "$BESIDE" link set "tb$$" up

# What the Dockerfile's ENV and compose's options say.
inside() {
  ip netns exec "$INSIDE" chroot "$ROOT" setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/data NODE_ENV=production \
    container=oci TANDEM_CONTAINER=true TANDEM_DATA_DIR=/data TANDEM_PORT=7391 TANDEM_ALLOW_HOST=gateway \
    TANDEM_PASSPHRASE_FILE=/run/secrets/tandem_passphrase "$@"
}
beside() { # beside <Host> <path> [curl's arguments]
  local host=$1 path=$2
  shift 2
  ip netns exec "$BESIDE" curl -s -m 5 -o /dev/null -w '%{http_code}' -H "Host: $host" "$@" "http://10.97.13.1:7391$path" || true
}

say "what it refuses"
out=$(inside env -u TANDEM_PASSPHRASE_FILE tandem start 2>&1 || true)
must "without a passphrase" 1 "$(grep -c 'TANDEM_PASSPHRASE_FILE' <<< "$out")"
out=$(inside env -u container tandem start 2>&1 || true)
must "outside of a container" 1 "$(grep -c 'this is none' <<< "$out")"

say "the start"
inside tandem start > "$WORK/log" 2>&1 &
GATEWAY=$!
for _ in $(seq 100); do
  [ "$(beside gateway:7391 /ready)" = 200 ] && break
  sleep 0.2
done
must "ready, asked by the allowed name" 200 "$(beside gateway:7391 /ready)"
must "the usual name" 200 "$(beside 127.0.0.1:7391 /health)"
must "a foreign name" 421 "$(beside evil.example:7391 /health)"
must "the address itself" 421 "$(beside 10.97.13.1:7391 /health)"
must "a foreign origin" 403 "$(beside gateway:7391 /auth/login -H 'Origin: http://evil.example' -H 'content-type: application/json' -d '{}')"
must "nothing private without a key" 401 "$(beside gateway:7391 /trade-accounts)"

say "a user, a key, a basket"
inside TANDEM_PASSWORD=a-long-enough-password tandem keys create --email you@example.org --save > "$WORK/key"
inside tandem open --long BTC=500 --short ETH=500
KEY=$(grep -o 'tdm_[A-Za-z0-9_-]*' "$ROOT/data/cli.json")
must "read from beside with the key" 200 "$(beside gateway:7391 /trade-accounts -H "x-api-key: $KEY")"
must "secrets are sealed" 0 "$(ls "$ROOT/data" | grep -c '^vault.key$' || true)"
must "the data folder is closed" 700 "$(stat -c %a "$ROOT/data")"
must "health check" 0 "$(inside tandem status > /dev/null; echo $?)"

say "the stop"
NODE=$(pgrep -P "$GATEWAY" || echo "$GATEWAY")
kill -TERM $NODE
code=0
wait "$GATEWAY" || code=$?
GATEWAY=
must "exit code after SIGTERM" 0 "$code"
echo
echo "All of it holds."
