import { PLACED_ACCOUNTS } from '../drivers/reading-driver.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import type { Placed } from '../wire/place-probes.ts'
import {
  BALANCE_PROBE,
  CONTEXT_PROBE,
  COUNTER_PROBE,
  ECHO_PROBE,
  FORWARD_PROBE,
  GAS_PROBE,
  LOG_PROBE,
  LOOP_PROBE,
  REVERT_PROBE,
  STORE_PROBE,
} from './contracts.ts'

/** What each probe runs. */
export const PROBE_CODE = {
  context: CONTEXT_PROBE,
  echo: ECHO_PROBE,
  gas: GAS_PROBE,
  revert: REVERT_PROBE,
  store: STORE_PROBE,
  /** No transaction goes there, so that its count tells what calls and simulations left behind. */
  counter: COUNTER_PROBE,
  balance: BALANCE_PROBE,
  loop: LOOP_PROBE,
  forward: FORWARD_PROBE,
  /** Three emitters of the sealed history, which counts their logs: nobody else sends there. */
  logA: LOG_PROBE,
  logB: LOG_PROBE,
  logC: LOG_PROBE,
  logPending: LOG_PROBE,
  logStream: LOG_PROBE,
  /** Where cases log that look at their own transaction alone. */
  logOther: LOG_PROBE,
  /** Where the watch logs and writes, and no case. */
  logWatched: LOG_PROBE,
  storeWatched: STORE_PROBE,
}

export type ProbeName = keyof typeof PROBE_CODE

/** Where a probe stands when it is put in place by an override: no chain has anything there. */
export function placedAddress(name: ProbeName): Hex {
  return `0x${keccak256(Buffer.from(`rollbed probe ${name}`)).slice(26)}`
}

const PLENTY: Hex = '0x21e19e0c9bab2400000'

/** Money for these accounts, as state overrides. */
export function richAccounts(accounts: readonly Hex[]): Placed {
  return Object.fromEntries(accounts.map((account) => [account, { balance: PLENTY }]))
}

/** All probes and funded senders, as state overrides. */
export const PLACED: Placed = Object.fromEntries([
  ...Object.entries(PROBE_CODE).map(([name, code]) => [placedAddress(name as ProbeName), { code }]),
  ...Object.entries(richAccounts(PLACED_ACCOUNTS)),
])
