import { RLP } from '@ethereumjs/rlp'
import type { L1Contracts } from '#devnet/base/options/devnet-description'
import { batchInbox } from '#fixtures/chain/constants'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Address } from '#protocol/types/bytes'

/** What the deployer creates first: all that derivation and the L2 genesis depend on. */
export const bridgeContracts = [
  'optimismPortal',
  'systemConfig',
  'l1CrossDomainMessenger',
  'l1StandardBridge',
  'l1ERC721Bridge',
] as const

/** What it creates next, once the L2 genesis and the enclaves' image are known. */
export const proofContracts = [
  'disputeGameFactory',
  'anchorStateRegistry',
  'delayedWETH',
  'teeProverRegistry',
  'teeVerifier',
  'zkVerifier',
  'aggregateVerifier',
  'attestationVerifier',
] as const

/** What it creates last, where L2 has upgrades. */
const scheduleContracts = ['protocolVersions'] as const

export type L1ContractName = (typeof bridgeContracts)[number] | (typeof proofContracts)[number]
export type L1Addresses = L1Contracts &
  Record<L1ContractName, Address> &
  Partial<Record<(typeof scheduleContracts)[number], Address>>

/**
 * Where the contracts are (or will be): a deployer that starts at nonce 0 makes them in order.
 * @param hasSchedule whether L2 has upgrades
 */
export function l1ContractAddresses(deployer: Address, hasSchedule = false): L1Addresses {
  const names = [...bridgeContracts, ...proofContracts, ...(hasSchedule ? scheduleContracts : [])]
  const created = names.map((name, nonce) => [name, createAddress(deployer, nonce)])
  return { batchInbox, ...Object.fromEntries(created) } as L1Addresses
}

/** CREATE: the last 20 bytes of keccak256(rlp([sender, nonce])). */
function createAddress(sender: Address, nonce: number): Address {
  return bytesToHex(keccak256(RLP.encode([hexToBytes(sender), nonce])).subarray(12))
}
