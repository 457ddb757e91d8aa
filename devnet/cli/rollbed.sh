#!/bin/sh
# Starts rollbed on the Node that was installed with it, whatever Node the machine has: from source
# in a checkout, from dist/ in the published package.
script=$(readlink -f "$0") && cli=$(dirname "$script") && root=$(dirname "$(dirname "$cli")") || exit 3
main=$cli/main.ts
[ -f "$main" ] || main=$root/dist/devnet/cli/main.js

# The package `node` fetches its binary outside of the lock file: it is checked against the SHA-512 of
# Node 24.21.0 before its first use, and again whenever it has changed.
case $(uname -sm) in
  'Linux x86_64') sum=9e11f1c01b93b4f39a4bb7a0d2202cf91be7587e3690f612b34a51e33c6195d8010231a822d75303320c6518c4f3f4276f536f0111fbac85dc55b1f5c62342f7 ;;
  'Linux aarch64') sum=255629c01dd03d864c486636fc5cdb54eaf2126e0098b037dcefde4363d7fbd360bcf56c492ce3c47449e666f51c262522b10075d1a57ade8820ded444621dfe ;;
  *) sum= ;;
esac
checked=${XDG_CACHE_HOME:-$HOME/.cache}/rollbed/checked-node
is_genuine() {
  [ -n "$sum" ] && command -v sha512sum >/dev/null || return 0
  seen="$sum $(ls -lLi "$1")"
  [ -O "$checked" ] && [ "$(cat "$checked")" = "$seen" ] && return 0
  [ "$(sha512sum <"$1")" = "$sum  -" ] || return 1
  { mkdir -p -m 700 "${checked%/*}" && printf '%s\n' "$seen" >"$checked"; } 2>/dev/null || :
}

for node in "$root/node_modules/node/bin/node" "$root/../node/bin/node"; do
  [ -x "$node" ] || continue
  if ! is_genuine "$node"; then
    echo "NODE_NOT_GENUINE: $node is not the Node.js that rollbed was made with. Remove node_modules and run 'npm ci' again." >&2
    exit 3
  fi
  # Under load short-lived objects fill whatever they are given: 120 MB by default.
  exec "$node" --disable-warning=ExperimentalWarning --max-semi-space-size=16 "$main" "$@"
done
echo "ENVIRONMENT_NODE: the Node.js that belongs to rollbed is not installed in $root. Run 'npm ci' there." >&2
exit 3
