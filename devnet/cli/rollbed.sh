#!/bin/sh
# Starts rollbed on a Node that is new enough, whatever Node the machine has: from source in a checkout,
# from dist/ in the published package. First the one that a checkout installs, then one at hand, and where
# there is none it is fetched once into the user's cache.
version=24.21.0
# The package is JavaScript and runs on an older one, too; sources need the newer.
least=24.0
script=$(readlink -f "$0") && cli=$(dirname "$script") && root=$(dirname "$(dirname "$cli")") || exit 3
main=$cli/main.ts
# With fewer open files Node itself does not start, and says nothing that helps.
files=$(ulimit -H -n)
if [ "$files" != unlimited ] && [ "$files" -lt 48 ]; then
  echo "MACHINE_LIMIT: Of open files this process may have $files, and Node.js needs 48." >&2
  echo 'Allow more open files, such as with `ulimit -n 4096`.' >&2
  exit 3
fi
bundle=$root/node_modules/.cache/rollbed/up
[ -f "$main" ] || { main=$root/dist/devnet/cli/main.js && bundle=$root/dist/devnet/cli/up-program && least=22.15; }
# As one program it starts sooner; where a source has changed since, that leads to main.
case $1 in up | host | actors) [ ! -f "$bundle/start-up.mjs" ] || main=$bundle/start-up.mjs ;; esac

# The package `node` fetches its binary outside of the lock file: it is checked against the SHA-512 of
# that version before its first use, and again whenever it has changed.
# Of other systems no sum is known yet: there npm's own check of what it fetches has to do.
case $(uname -sm) in
  'Linux x86_64') sum=9e11f1c01b93b4f39a4bb7a0d2202cf91be7587e3690f612b34a51e33c6195d8010231a822d75303320c6518c4f3f4276f536f0111fbac85dc55b1f5c62342f7 ;;
  'Linux aarch64') sum=255629c01dd03d864c486636fc5cdb54eaf2126e0098b037dcefde4363d7fbd360bcf56c492ce3c47449e666f51c262522b10075d1a57ade8820ded444621dfe ;;
  *) sum= ;;
esac
cache=${XDG_CACHE_HOME:-$HOME/.cache}/rollbed
checked=$cache/checked-node
is_genuine() {
  [ -n "$sum" ] && command -v sha512sum >/dev/null || return 0
  seen="$sum $(ls -lLi "$1")"
  [ -O "$checked" ] && [ "$(cat "$checked")" = "$seen" ] && return 0
  [ "$(sha512sum <"$1")" = "$sum  -" ] || return 1
  { mkdir -p -m 700 "${checked%/*}" && printf '%s\n' "$seen" >"$checked"; } 2>/dev/null || :
}

# Under load short-lived objects fill whatever they are given: 120 MB by default.
# So do the allocator's pools of threads: by default there are up to eight for each core.
start() { # node, arguments…
  node=$1 && shift
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
  exec "$node" --disable-warning=ExperimentalWarning --max-semi-space-size=8 "$main" "$@"
}
refuse() { # node, what to do
  node=$1 advice=$2
  echo "NODE_NOT_GENUINE: $node is not the Node.js that rollbed was made with. $advice" >&2
  exit 3
}
is_new_enough() {
  found=$("$1" --version 2>/dev/null) || return 1
  found=${found#v} && minor=${found#*.}
  # As one number: minors have at most two digits.
  [ "$((${found%%.*} * 100 + ${minor%%.*}))" -ge "$((${least%%.*} * 100 + ${least#*.}))" ] 2>/dev/null
}

own=$root/node_modules/node/bin/node
if [ -x "$own" ]; then
  is_genuine "$own" || refuse "$own" "Remove node_modules and run 'npm ci' again."
  start "$own" "$@"
fi

for node in "$root/../node/bin/node" "$(command -v node)" "$npm_node_execpath"; do
  if [ -x "$node" ] && is_new_enough "$node"; then start "$node" "$@"; fi
done

fetched=$cache/node-$version
node=$fetched/node_modules/node/bin/node
if [ ! -x "$node" ] && command -v npm >/dev/null; then
  echo "rollbed: fetching Node $version, once, into $fetched (about 190 MB)." >&2
  partial=$fetched.$$
  trap 'rm -rf "$partial"; exit 3' INT TERM
  mkdir -p -m 700 "$cache" && npm install --prefix "$partial" --no-save --no-audit --no-fund --no-package-lock \
    --ignore-scripts=false --loglevel=error "node@$version" >&2 && { [ -e "$fetched" ] || mv "$partial" "$fetched"; }
  rm -rf "$partial"
  trap - INT TERM
fi
if [ -x "$node" ]; then
  is_genuine "$node" || refuse "$node" "Remove $fetched and start again."
  start "$node" "$@"
fi
echo "ENVIRONMENT_NODE: rollbed needs Node.js ${least%.0} or newer. None is on the PATH, and npm could not fetch one. Install it, or run 'npm install --save-dev node@${version%%.*}'." >&2
exit 3
