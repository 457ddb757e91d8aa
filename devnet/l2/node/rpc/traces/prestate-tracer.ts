import { generateAddress2 } from '@ethereumjs/util'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { isDelegation } from '#protocol/execution/apply-authorizations'
import { createdAddress } from '#protocol/execution/created-address'
import {
  memorySlice,
  type StateView,
  type Step,
  wordToAddress,
  wordToHash,
} from '#protocol/execution/tracer'
import type { Address, Hash } from '#protocol/types/bytes'
import { prestateDiffJson, prestateJson, type SeenAccount } from './prestate-json.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'
import type { PrestateTracerConfig } from './trace-options.ts'

type GrowingAccount = SeenAccount & { storage: Map<Hash, Hash> }

const ACCOUNT_BYTES = 300
const SLOT_BYTES = 140
/** EXTCODECOPY, EXTCODEHASH, EXTCODESIZE, BALANCE, SELFDESTRUCT. */
const ADDRESS_ON_TOP = new Set([0x3c, 0x3f, 0x3b, 0x31, 0xff])
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const STORAGE = new Set([0x54, 0x55])
const CREATE = 0xf0
const CREATIONS = new Set([CREATE, 0xf5])
const SELFDESTRUCT = 0xff

/**
 * `prestateTracer`: every account a transaction deals with, as it was before; in diff mode what has
 * changed, before and after (eth/tracers/native/prestate.go). Beside what go-ethereum knows of, the
 * vaults that get OP's fees.
 */
export function prestateTracer(config: PrestateTracerConfig, budget: TraceBudget): ResultTracer {
  const seen = new Map<Address, GrowingAccount>()
  const created = new Set<Address>()
  const deleted = new Set<Address>()
  let state: StateView
  let result: unknown
  /** Takes back what the last step has made us look at. */
  let forget: (() => void)[] = []

  const look = async (address: Address): Promise<GrowingAccount> => {
    const known = seen.get(address)
    if (known) return known
    const account = { ...(await state.account(address)), storage: new Map<Hash, Hash>() }
    budget.spend(ACCOUNT_BYTES + (config.disableCode ? 0 : 2 * account.code.length))
    seen.set(address, account)
    forget.push(() => seen.delete(address))
    return account
  }
  /** Also at whose code runs for it (EIP-7702). */
  const lookAtTarget = async (address: Address): Promise<void> => {
    const { code } = await look(address)
    if (isDelegation(code)) await look(bytesToHex(code.subarray(3)))
  }
  const lookAtSlot = async (address: Address, slot: Hash): Promise<void> => {
    const { storage } = await look(address)
    if (config.disableStorage || storage.has(slot)) return
    budget.spend(SLOT_BYTES)
    storage.set(slot, await state.storage(address, slot))
    forget.push(() => storage.delete(slot))
  }
  const lookAtNew = async (address: Address): Promise<void> => {
    created.add(address)
    await look(address)
  }
  const lookAround = async ({ op, stack, memory, address }: Step): Promise<void> => {
    const [first = 0n, second = 0n, third = 0n, fourth = 0n] = stack.toReversed()
    if (STORAGE.has(op)) {
      await lookAtSlot(address, wordToHash(first))
    } else if (ADDRESS_ON_TOP.has(op)) {
      await look(wordToAddress(first))
      // EIP-6780.
      if (op === SELFDESTRUCT && created.has(address)) deleted.add(address)
    } else if (CALLS.has(op)) {
      await lookAtTarget(wordToAddress(second))
    } else if (op === CREATE) {
      const { nonce } = await state.account(address)
      await lookAtNew(createdAddress(address, nonce))
    } else {
      const initCode = memorySlice(memory, second, third)
      const salt = hexToBytes(wordToHash(fourth))
      await lookAtNew(bytesToHex(generateAddress2(hexToBytes(address), salt, initCode)))
    }
  }
  return {
    async onStart({ from, to, isCreation, feeRecipients, authorities }, view) {
      state = view
      if (isCreation) created.add(to)
      await lookAtTarget(to)
      for (const address of [from, ...feeRecipients, ...authorities]) await look(address)
    },
    onStep(step) {
      forget = []
      return touchesState(step.op) ? lookAround(step).then(() => budget.step()) : budget.step()
    },
    onFault() {
      for (const undo of forget) undo()
    },
    async onEnd() {
      result = config.diffMode
        ? await prestateDiffJson(seen, deleted, state, config)
        : prestateJson(seen, config)
    },
    result: () => result,
  }
}

/** What the transaction itself does not name, opcodes do. */
function touchesState(op: number): boolean {
  return STORAGE.has(op) || ADDRESS_ON_TOP.has(op) || CALLS.has(op) || CREATIONS.has(op)
}
