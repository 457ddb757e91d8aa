#!/bin/sh
# Starts rollbed on the Node that was installed with it, whatever Node the machine has.
script=$(readlink -f "$0") && cli=$(dirname "$script") && root=$(dirname "$(dirname "$cli")") || exit 3
for node in "$root/node_modules/node/bin/node" "$root/../node/bin/node"; do
  [ -x "$node" ] && exec "$node" --disable-warning=ExperimentalWarning "$cli/main.ts" "$@"
done
echo "ENVIRONMENT_NODE: the Node.js that belongs to rollbed is not installed in $root. Run 'npm ci' there." >&2
exit 3
