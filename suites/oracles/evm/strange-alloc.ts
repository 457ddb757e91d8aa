import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import { l2Alloc } from '#devnet/l2/genesis/l2-alloc'
import type { Alloc, AllocAccount } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { RandomSource } from '../differential/random-source.ts'
import { randomProgram } from './random-program.ts'

const NOBODY: Address = '0x00000000000000000000000000000000000000aa'

/** What is at home on an L2: predeploys, system contracts, preinstalls. */
const AT_HOME = l2Alloc({
  ...{ fork: 'isthmus', chainId: 84_538_453, accounts: [], feeRecipient: NOBODY },
  ...{ l1CrossDomainMessenger: NOBODY, l1StandardBridge: NOBODY, l1ERC721Bridge: NOBODY },
})
const HOMES = Object.keys(AT_HOME) as Address[]

/** Those of Prague, P256VERIFY, and the two numbers beside them where nothing is. */
const PRECOMPILES = [...Array.from({ length: 0x13 }, (_, index) => index), 0x100].map(
  (number): Address => `0x${number.toString(16).padStart(40, '0')}`,
)
/** KZG: @ethereumjs/evm needs a library for it. */
const WITHOUT = '0x000000000000000000000000000000000000000a'
const PROXIES = [1, 2, 3].map((number): Address => `0x${'bb'.repeat(19)}0${number}`)
/** keccak256('eip1967.proxy.implementation') - 1. */
const IMPLEMENTATION: Hash = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a923c2ff5a18ce5cc0'
/** Passes its calldata on by DELEGATECALL to what that slot names, and gives back what comes. */
const PROXY: Hex = `0x365f5f375f5f365f7f${IMPLEMENTATION.slice(2)}545af43d5f5f3e3d5ffd`

export interface StrangeState {
  alloc: Alloc
  addresses: readonly Address[]
}

/**
 * A state that no chain begins with, though cheats and genesis files can make it: code, storage, nonce
 * and balance at precompiles, at contracts of the system, and at tokens behind proxies.
 */
export function strangeAlloc(random: RandomSource, others: readonly Address[]): StrangeState {
  const addresses = [...PRECOMPILES.filter((one) => one !== WITHOUT), ...HOMES, ...PROXIES]
  const everyone = [...others, ...addresses]
  const alloc: Alloc = {}
  for (const address of PRECOMPILES) {
    if (address !== WITHOUT && !random.oneIn(4)) alloc[address] = strangeAccount(random, everyone)
  }
  for (const address of HOMES) {
    const { storage, ...rest } = random.oneIn(6)
      ? strangeAccount(random, everyone)
      : AT_HOME[address]!
    alloc[address] = {
      ...rest,
      balance: BigInt(random.below(100)),
      storage: { ...storage, ...strangeStorage(random) },
    }
  }
  for (const address of PROXIES) {
    const target = random.pick(addresses)
    const storage = { [IMPLEMENTATION]: `0x${target.slice(2).padStart(64, '0')}` as Hash }
    alloc[address] = { nonce: 1n, code: PROXY, storage: { ...strangeStorage(random), ...storage } }
  }
  return { alloc, addresses }
}

function strangeAccount(random: RandomSource, everyone: readonly Address[]): AllocAccount {
  const account: AllocAccount = {}
  if (random.oneIn(2)) account.balance = BigInt(random.below(1000))
  if (random.oneIn(2)) account.nonce = BigInt(random.below(3))
  // An account with storage and nothing else is empty (EIP-161): it goes when it is touched.
  if (random.oneIn(3) && (account.balance || account.nonce))
    account.storage = strangeStorage(random)
  const kind = random.below(4)
  if (kind === 0) account.code = `0xef0100${random.pick(everyone).slice(2)}`
  if (kind > 1) account.code = bytesToHex(randomProgram(random, everyone))
  return account
}

function strangeStorage(random: RandomSource): Record<Hash, Hash> {
  const slots = Array.from({ length: random.below(4) }, () => random.below(8))
  return Object.fromEntries(slots.map((slot) => [word(slot), word(1 + random.below(255))]))
}

/** Calldata for whoever is there: one of the selectors in its code, and words. */
export function strangeInput(
  random: RandomSource,
  account: AllocAccount | undefined,
  everyone: readonly Address[],
): Uint8Array {
  const selectors = [...(account?.code?.matchAll(/63([0-9a-f]{8})14/g) ?? [])].map(
    ([, one]) => one!,
  )
  if (selectors.length === 0) return random.bytes(random.below(100))
  const words = Array.from({ length: random.below(5) }, () =>
    hexToBytes(
      random.oneIn(2)
        ? word(random.below(64))
        : `0x${random.pick(everyone).slice(2).padStart(64, '0')}`,
    ),
  )
  return concatBytes(hexToBytes(`0x${random.pick(selectors)}`), ...words)
}

function word(value: number): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}
