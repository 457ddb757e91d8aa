import { decodeFunctionResult, encodeFunctionData, type Hex, keccak256, slice, toHex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import type { TrackedRequests } from './tracked-requests.ts'

const CALL = { abi: teeProverRegistryAbi, functionName: 'getRegisteredSigners' } as const

/** Whether L1 has registered the keys of the enclaves that the host has, and no others. */
export async function signersAgree(
  { facts }: World,
  requests: TrackedRequests,
): Promise<Error | undefined> {
  const to = facts.contracts.teeProverRegistry
  const [keys, registered] = await Promise.all([
    requests.rpc('probe', 'host', 'enclave_signerPublicKey', []),
    requests.rpc('probe', 'l1', 'eth_call', [{ to, data: encodeFunctionData(CALL) }, 'latest']),
  ])
  const error = keys.error ?? registered.error
  if (error) return error
  // A deep reorganization takes contracts away, too.
  if (registered.result === '0x') return new Error('L1 has no registry of signers.')
  const running = (keys.result as number[][]).map(addressOf).sort()
  const data = registered.result as Hex
  const known = decodeFunctionResult({ ...CALL, data })
    .map((each) => each.toLowerCase())
    .sort()
  if (String(running) === String(known)) return undefined
  return new Error(`L1 has registered ${known}, and the enclaves' keys are of ${running}.`)
}

/** Of a key that is not compressed: 4, then its two numbers. */
const addressOf = (key: readonly number[]): string =>
  slice(keccak256(toHex(Uint8Array.from(key.slice(1)))), 12)
