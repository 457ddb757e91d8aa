import { equalsBytes } from '@ethereumjs/util'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { StateView } from '#protocol/execution/tracer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { toQuantity, ZERO_HASH } from '../json/hex.ts'
import type { PrestateTracerConfig } from './trace-options.ts'

/** An account as a transaction found it. */
export interface SeenAccount {
  nonce: bigint
  balance: bigint
  code: Uint8Array
  storage: ReadonlyMap<Hash, Hash>
}

/** As go-ethereum writes it: what is zero or empty is left out, but for the balance. */
export interface AccountJson {
  balance?: Hex
  code?: Hex
  codeHash?: Hash
  nonce?: number
  storage?: Record<Hash, Hash>
}

type Accounts = Record<Address, AccountJson>

/** What `prestateTracer` answers: the accounts that were there. */
export function prestateJson(
  seen: ReadonlyMap<Address, SeenAccount>,
  config: PrestateTracerConfig,
): Accounts {
  const shown = [...seen].filter(([, account]) => config.includeEmpty || !isEmpty(account))
  return Object.fromEntries(
    shown.map(([address, account]) => [address, accountJson(account, config)]),
  )
}

/**
 * What it answers in diff mode: accounts that changed, before and after.
 * @param deleted contracts that are gone: they have no after
 */
export async function prestateDiffJson(
  seen: ReadonlyMap<Address, SeenAccount>,
  deleted: ReadonlySet<Address>,
  state: StateView,
  config: PrestateTracerConfig,
): Promise<{ post: Accounts; pre: Accounts }> {
  const pre: Accounts = {}
  const post: Accounts = {}
  for (const [address, before] of seen) {
    if (deleted.has(address)) {
      if (!isEmpty(before)) pre[address] = accountJson(before, config)
      continue
    }
    const change = await findChange(address, before, state)
    if (!change) continue
    post[address] = changeJson(before, change, config)
    // Only slots that changed, and only what was there.
    const storage = new Map(change.slots.flatMap(([slot, old]) => shownSlot(slot, old)))
    if (!isEmpty(before)) pre[address] = accountJson({ ...before, storage }, config)
  }
  return { post, pre }
}

/** An account as the transaction left it, and the slots that are not as they were. */
interface Change {
  nonce: bigint
  balance: bigint
  code: Uint8Array
  slots: [slot: Hash, before: Hash, after: Hash][]
}

async function findChange(
  address: Address,
  before: SeenAccount,
  state: StateView,
): Promise<Change | undefined> {
  const { nonce, balance, code } = await state.account(address)
  const slots: Change['slots'] = []
  for (const [slot, old] of before.storage) {
    const word = await state.storage(address, slot)
    if (word !== old) slots.push([slot, old, word])
  }
  const isSame =
    nonce === before.nonce &&
    balance === before.balance &&
    slots.length === 0 &&
    equalsBytes(code, before.code)
  return isSame ? undefined : { nonce, balance, code, slots }
}

function changeJson(
  before: SeenAccount,
  { nonce, balance, code, slots }: Change,
  config: PrestateTracerConfig,
): AccountJson {
  const hasNewCode = !equalsBytes(code, before.code)
  const storage = slots.flatMap(([slot, , word]) => shownSlot(slot, word))
  return {
    ...(balance !== before.balance && { balance: toQuantity(balance) }),
    ...(hasNewCode && !config.disableCode && { code: bytesToHex(code) }),
    ...(hasNewCode && { codeHash: keccak256Hex(code) }),
    ...(nonce !== before.nonce && nonce > 0n && { nonce: Number(nonce) }),
    ...(storage.length > 0 && { storage: Object.fromEntries(storage) }),
  }
}

function shownSlot(slot: Hash, word: Hash): [Hash, Hash][] {
  return word === ZERO_HASH ? [] : [[slot, word]]
}

function isEmpty({ nonce, balance, code }: SeenAccount): boolean {
  return nonce === 0n && balance === 0n && code.length === 0
}

function accountJson(account: SeenAccount, config: PrestateTracerConfig): AccountJson {
  const { balance, nonce, code, storage } = account
  return {
    balance: toQuantity(balance),
    ...(code.length > 0 && !config.disableCode && { code: bytesToHex(code) }),
    ...(code.length > 0 && { codeHash: keccak256Hex(code) }),
    ...(nonce > 0n && { nonce: Number(nonce) }),
    ...(storage.size > 0 && { storage: Object.fromEntries(storage) }),
  }
}
