import { isHex, numberToHex } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rawHeader } from '#devnet/l1/raw-header'
import { predeploys } from '#fixtures/chain/constants'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { readAccount } from '#protocol/execution/account-reader'
import { decodeHeader } from '#protocol/execution/header'
import { outputRoot } from '#protocol/execution/output-root'
import type { Hash } from '#protocol/types/bytes'
import type { Output } from '../rollup-client.ts'

/**
 * The output root at an L2 block, from the block's header and the proof of the message passer's
 * account. The node is believed which hash the block has, and nothing beyond that.
 * @throws L2Inconsistent, BlockUnavailable
 */
export async function recomputeOutput(l2: RpcClient, number: bigint): Promise<Output> {
  const block = await l2.request('eth_getBlockByNumber', [numberToHex(number), false])
  const { hash } = Object(block) as { hash?: unknown }
  if (!isHex(hash)) throw new L2Inconsistent(number, 'has no such block')
  const header = decodeHeader(await rawHeader(l2, hash))
  if (header.number !== number) throw new L2Inconsistent(number, `answers block ${header.number}`)

  const withdrawalsRoot = await provenStorageRoot(l2, number, hash, header.stateRoot)
  // Since Isthmus the header says the same (OP spec: isthmus/exec-engine).
  if (withdrawalsRoot !== header.withdrawalsRoot)
    throw new L2Inconsistent(number, 'has a proof that contradicts the header')
  return {
    blockHash: hash,
    outputRoot: outputRoot({ stateRoot: header.stateRoot, withdrawalsRoot, hash }),
  }
}

async function provenStorageRoot(
  l2: RpcClient,
  number: bigint,
  blockHash: Hash,
  stateRoot: Hash,
): Promise<Hash> {
  const address = predeploys.l2ToL1MessagePasser
  const answer = await l2.request('eth_getProof', [address, [], { blockHash }])
  const { accountProof } = Object(answer) as { accountProof?: unknown }
  if (!Array.isArray(accountProof) || !accountProof.every((node) => isHex(node)))
    throw new L2Inconsistent(number, 'answers no account proof')
  const nodes = new Map(
    accountProof.map((node) => hexToBytes(node)).map((node) => [keccak256Hex(node), node]),
  )
  try {
    const account = readAccount({ get: (hash) => nodes.get(hash) }, stateRoot, address)
    if (account) return account.storageRoot
  } catch (cause) {
    throw new L2Inconsistent(number, 'has an account proof that does not fit the header', cause)
  }
  throw new L2Inconsistent(number, 'has no message passer')
}

/** The L2 node's answers do not hold together: nothing can be judged by them. */
export class L2Inconsistent extends RollbedError {
  constructor(number: bigint, problem: string, cause?: unknown) {
    super('L2_INCONSISTENT', `The L2 node ${problem}, at block ${number}.`, {
      hint: 'The node may have pruned the state: use an archive node.',
      cause,
    })
  }
}
