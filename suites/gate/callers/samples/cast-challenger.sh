#!/bin/sh
# A challenger by Foundry's cast: it looks once at every game, nullifies the first that claims a wrong root, and
# ends. It knows the contracts, a rollup node and a prover host, and nothing of who runs them.
#
#     ./cast-challenger.sh devnet.json
set -eu
devnet=${1:-devnet.json}

# member NAME [WHICH]: the string of that name in the JSON of standard input, the first one or the one asked for.
member() { grep -o "\"$1\": *\"[^\"]*\"" | sed -n "${2:-1}s/.*\"\([^\"]*\)\"\$/\1/p"; }

L1=$(member l1RpcUrl <"$devnet")
ROLLUP=$(member rollupRpcUrl <"$devnet")
PROVER=$(member proverUrl <"$devnet")
FACTORY=$(member disputeGameFactory <"$devnet")
# One that nullifies has to be on the registry's list of proposers.
KEY=$(member privateKey 2 <"$devnet")
ME=$(cast wallet address "$KEY")

# What a contract answers: words alone, without what cast says beside them.
read_l1() { cast call --rpc-url "$L1" "$@" | cut -d' ' -f1; }
output_at() { cast rpc --rpc-url "$ROLLUP" optimism_outputAtBlock "$(cast to-hex "$1")"; }

# nullify GAME INDEX FROM TO INTERVAL: one interval, from the last root that is right.
nullify() {
  head=$(read_l1 "$1" 'l1Head()(bytes32)')
  number=$(cast block --rpc-url "$L1" "$head" --field number)
  agreed=$(output_at "$3")
  root=$(output_at "$4" | member outputRoot)
  image=$(read_l1 "$1" 'TEE_IMAGE_HASH()(bytes32)')
  # A proof may take half an hour.
  proof=$(cast rpc --rpc-url "$PROVER" --rpc-timeout 1800 prover_prove "{
    \"l1_head\": \"$head\",
    \"l1_head_number\": $number,
    \"agreed_l2_head_hash\": \"$(echo "$agreed" | member hash)\",
    \"agreed_l2_output_root\": \"$(echo "$agreed" | member outputRoot)\",
    \"claimed_l2_output_root\": \"$root\",
    \"claimed_l2_block_number\": $4,
    \"proposer\": \"$ME\",
    \"intermediate_block_interval\": $5,
    \"image_hash\": \"$image\"
  }")
  signature=$(echo "$proof" | grep -o '"aggregate_proposal": *{[^}]*}' | member signature)
  rs=$(echo "$signature" | cut -c3-130)
  v=$(printf '%02x' $((27 + 0x$(echo "$signature" | cut -c131-132))))
  # The proof took its time: somebody may have been faster. Its gas is estimated, so what L1 refuses is not sent.
  # A game that L1 lost meanwhile answers nothing, and takes any call.
  case "$(read_l1 "$1" 'teeProver()(address)')" in "$NOBODY" | '') return ;; esac
  cast send --rpc-url "$L1" --private-key "$KEY" "$1" 'nullify(bytes,uint256,bytes32)' "0x00$rs$v" "$2" "$root"
}

# What was sent before a crash may still be without a block: a second call would revert behind it.
mined=$(cast nonce --rpc-url "$L1" "$ME")
[ "$(cast nonce --rpc-url "$L1" --block pending "$ME")" = "$mined" ] || exit 1

NOBODY=0x0000000000000000000000000000000000000000
IN_PROGRESS=0
games=$(read_l1 "$FACTORY" 'gameCount()(uint256)')
at=0
while [ "$at" -lt "$games" ]; do
  game=$(cast call --rpc-url "$L1" "$FACTORY" 'gameAtIndex(uint256)(uint32,uint64,address)' "$at" | tail -n 1)
  at=$((at + 1))
  # Nobody can dispute one that is resolved, and has to dispute one whose proof is gone: it was nullified.
  [ "$(read_l1 "$game" 'status()(uint8)')" = "$IN_PROGRESS" ] || continue
  [ "$(read_l1 "$game" 'teeProver()(address)')" = "$NOBODY" ] && continue
  from=$(cast call --rpc-url "$L1" "$game" 'startingOutputRoot()(bytes32,uint256)' | tail -n 1 | cut -d' ' -f1)
  interval=$(read_l1 "$game" 'INTERMEDIATE_BLOCK_INTERVAL()(uint256)')
  count=$(read_l1 "$game" 'intermediateOutputRootsCount()(uint256)')
  index=0
  while [ "$index" -lt "$count" ]; do
    to=$((from + interval))
    claimed=$(read_l1 "$game" 'intermediateOutputRoot(uint256)(bytes32)' "$index")
    truth=$(output_at "$to" | member outputRoot)
    # A node that has not got there yet has said nothing against the game.
    [ -n "$truth" ] || exit 1
    if [ "$claimed" != "$truth" ]; then
      nullify "$game" "$index" "$from" "$to" "$interval"
      exit
    fi
    from=$to
    index=$((index + 1))
  done
done
