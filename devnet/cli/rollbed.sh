#!/bin/sh
# Starts rollbed on the Node that was installed with it, whatever Node the machine has: from source
# in a checkout, from dist/ in the published package.
script=$(readlink -f "$0") && cli=$(dirname "$script") && root=$(dirname "$(dirname "$cli")") || exit 3
main=$cli/main.ts
[ -f "$main" ] || main=$root/dist/devnet/cli/main.js
for node in "$root/node_modules/node/bin/node" "$root/../node/bin/node"; do
  [ -x "$node" ] && exec "$node" --disable-warning=ExperimentalWarning "$main" "$@"
done
echo "ENVIRONMENT_NODE: the Node.js that belongs to rollbed is not installed in $root. Run 'npm ci' there." >&2
exit 3
