import { bytesToHex, concatBytes } from '@ethereumjs/util'
import { privateKeyToAddress } from 'viem/accounts'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { randomProgram } from './random-code.ts'
import type { RandomSource } from './random-source.ts'

export const CHAIN_ID = 84_538_453
export const COINBASE: Address = '0x4200000000000000000000000000000000000011'
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
export const DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const PROBER: Address = '0x00000000000000000000000000000000000b0be5'
/** EIP-2935. */
export const HISTORY_STORAGE: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** EIP-2935, "Block processing": the deployed code. */
const HISTORY_STORAGE_CODE: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'

/** Of L1Block: base fee, scalars, blob base fee, operator fee (OP spec, "L1 attributes predeployed contract"). */
export const FEE_SLOTS = [1, 3, 7, 8] as const

export interface Actor {
  key: Hex
  address: Address
}

/** Everyone and everything a seed's transactions deal with. */
export interface RandomAccounts {
  senders: Actor[]
  /**
   * Sign EIP-7702 authorizations. They exist from the start: anvil refunds for every authority as if
   * it existed, where EIP-7702 refunds for existing ones only.
   */
  authorities: Actor[]
  contracts: Address[]
  /** Reads the balances of the three addresses in its calldata: what is warm costs less. */
  prober: Address
  /** Targets for calls and transfers: all of the above, precompiles, nobodies. */
  everyone: Address[]
  alloc: Alloc
}

export function randomAccounts(random: RandomSource): RandomAccounts {
  const actors = (count: number) => Array.from({ length: count }, () => actor(random))
  const senders = actors(6)
  const authorities = actors(4)
  const contracts = Array.from({ length: 12 }, () => bytesToHex(random.bytes(20)))
  const nobodies = Array.from({ length: 4 }, () => bytesToHex(random.bytes(20)))
  const everyone = [
    ...senders.map(({ address }) => address),
    ...authorities.map(({ address }) => address),
    ...contracts,
    ...nobodies,
    COINBASE,
    L1_BLOCK,
    PROBER,
    ...[1, 2, 3, 4, 5, 6, 7, 9, 256].map(precompile),
  ]
  const alloc: Alloc = {
    [PROBER]: { code: '0x5f35315060203531506040353150', nonce: 1n },
    [L1_BLOCK]: { code: l1BlockCode(), nonce: 1n },
    [HISTORY_STORAGE]: { code: HISTORY_STORAGE_CODE, nonce: 1n },
  }
  for (const { address } of [...senders, ...authorities]) alloc[address] = { balance: 10n ** 24n }
  for (const address of contracts) alloc[address] = contract(random, everyone)
  return { senders, authorities, contracts, prober: PROBER, everyone, alloc }
}

function actor(random: RandomSource): Actor {
  const key = bytesToHex(random.bytes(32))
  return { key, address: privateKeyToAddress(key).toLowerCase() as Address }
}

function precompile(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}

function contract(random: RandomSource, everyone: readonly Address[]): Alloc[Address] {
  const storage: Record<Hash, Hash> = {}
  for (let slot = 0; slot < 6; slot++) {
    if (random.oneIn(2)) storage[word(slot)] = word(1 + random.below(1000))
  }
  const code = bytesToHex(concatBytes(randomProgram(random, everyone), Uint8Array.of(0)))
  return { nonce: 1n, balance: BigInt(random.below(1000)), code, storage }
}

function word(value: number): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Stores four words of calldata in the slots that hold the fee parameters. */
function l1BlockCode(): Hex {
  const stores = FEE_SLOTS.map((slot, index) => `60${byte(32 * index)}3560${byte(slot)}55`)
  return `0x${stores.join('')}00`
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
