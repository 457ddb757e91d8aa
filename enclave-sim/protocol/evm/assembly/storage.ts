// SLOAD, SSTORE, TLOAD, TSTORE.
import { Exit } from './exit'
import { Frame } from './frame'
import { COLD_SLOT, UNPAYABLE, WARM_ACCESS } from './gas'
import { needSlot } from './need'
import { findSlot, Slot, slotOf } from './slot'
import { readTransient, writeTransient } from './transient'
import { copy, equal, isZero } from './word'

/** EIP-2200: with no more than this left, nothing can be stored. */
const STIPEND: i64 = 2_300
/** EIP-2200 with EIP-2929: a slot's first value, and another value; without access. */
const SET_GAS: i64 = 20_000
const RESET_GAS: i64 = 2_900
/** EIP-3529: for a slot that becomes zero. */
const CLEAR_REFUND: i64 = 4_800

/** What clearing and restoring slots gives back. */
export let refund: i64 = 0

export function setRefund(gas: i64): void {
  refund = gas
}

/** The slot that SLOAD is about, between its payment and its effect; null: none has a record yet. */
let read: Slot | null = null

export function sloadGas(frame: Frame): i64 {
  const slot = findSlot(frame.account, frame.stackTop - 32)
  read = slot
  return slot !== null && slot.isWarm ? WARM_ACCESS : COLD_SLOT
}

export function sload(frame: Frame): Exit {
  const key = <usize>frame.stackTop - 32
  const found = read
  const slot = found !== null ? found : slotOf(frame.account, key)
  if (!slot.isLoaded) return needSlot(slot)
  slot.warm()
  copy(key, slot.value)
  return Exit.NONE
}

/** The slot that SSTORE is about, between its payment and its effect. */
let stored: Slot = changetype<Slot>(0)

/** EIP-2200 as EIP-2929 and EIP-3529 changed it. What is negative is an exit. */
export function sstoreGas(frame: Frame): i64 {
  if (frame.isStatic) return -(<i64>Exit.STATIC_STATE_CHANGE)
  if (frame.gas <= STIPEND) return UNPAYABLE
  const slot = slotOf(frame.account, frame.stackTop - 32)
  if (!slot.isLoaded) return -(<i64>needSlot(slot))
  stored = slot
  const access = slot.isWarm ? 0 : COLD_SLOT
  if (equal(slot.value, frame.stackTop - 64) || !equal(slot.value, slot.base)) {
    return access + WARM_ACCESS
  }
  return access + (isZero(slot.base) ? SET_GAS : RESET_GAS)
}

export function sstore(frame: Frame): Exit {
  const value = <usize>frame.stackTop - 64
  const slot = stored
  slot.warm()
  if (!equal(slot.value, value)) {
    refund += refundFor(slot, value)
    slot.setValue(value)
  }
  frame.stackTop -= 64
  return Exit.NONE
}

/** EIP-3529. */
function refundFor(slot: Slot, value: usize): i64 {
  const isClean = equal(slot.value, slot.base)
  if (isClean) return !isZero(slot.base) && isZero(value) ? CLEAR_REFUND : 0
  let change: i64 = 0
  if (!isZero(slot.base)) {
    if (isZero(slot.value)) change -= CLEAR_REFUND
    else if (isZero(value)) change += CLEAR_REFUND
  }
  if (equal(slot.base, value)) {
    change += (isZero(slot.base) ? SET_GAS : RESET_GAS) - WARM_ACCESS
  }
  return change
}

/** EIP-1153. */
export function tload(frame: Frame): Exit {
  const key = <usize>frame.stackTop - 32
  readTransient(frame.account, key, key)
  return Exit.NONE
}

/** EIP-1153. */
export function tstore(frame: Frame): Exit {
  if (frame.isStatic) return Exit.STATIC_STATE_CHANGE
  const key = <usize>frame.stackTop - 32
  writeTransient(frame.account, key, key - 32)
  frame.stackTop -= 64
  return Exit.NONE
}
