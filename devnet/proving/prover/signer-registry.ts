import { decodeFunctionResult, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Clock } from '#protocol/clock/clock'
import type { Address } from '#protocol/types/bytes'
import { withDeadline } from './with-deadline.ts'

/** The part of TEEProverRegistry that decides where proofs are made. */
export interface SignerRegistry {
  /** Registered, and under the image hash of the game implementation that is active now. */
  isValidSigner(signer: Address): Promise<boolean>
}

const ABI = parseAbi(['function isValidSigner(address signer) view returns (bool)'])

/** Milliseconds for one registry call; as on deployed hosts. */
const CALL_TIMEOUT = 10_000

/** Asks L1 on every call: nothing is cached, so a rotation takes effect at once (ROT-04). */
export function signerRegistry(options: {
  l1: RpcClient
  address: Address
  clock: Clock
}): SignerRegistry {
  const { l1, address, clock } = options
  return {
    async isValidSigner(signer) {
      const data = encodeFunctionData({ abi: ABI, args: [signer] })
      const onTimeout = () => new Error('request timed out')
      const output = await withDeadline({ clock, delay: CALL_TIMEOUT, onTimeout }, (signal) =>
        l1.request('eth_call', [{ to: address, data }, 'latest'], signal),
      )
      if (!isHex(output) || output === '0x') throw new Error(`no registry at ${address}`)
      return decodeFunctionResult({ abi: ABI, data: output as Hex })
    },
  }
}
