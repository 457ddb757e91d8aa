import type { Alloc } from '#protocol/types/account'
import type { Address, Hex } from '#protocol/types/bytes'

/** Small contracts, as bytecode by hand, at fixed addresses of the test chain's genesis. */
const at = (number: number): Address => `0x${(0xc0de00 + number).toString(16).padStart(40, '0')}`

/** Returns its calldata. */
export const ECHO = at(1)
/** 64 bytes: slot, value: stores. 32 bytes: slot: returns its value. */
export const STORAGE = at(2)
/** topic, topic, data: emits one log. */
export const LOGGER = at(3)
/** Reverts with its calldata. */
export const REVERTER = at(4)
/**
 * Returns NUMBER, TIMESTAMP, BASEFEE, CALLER, CALLVALUE, GASPRICE, COINBASE, GASLIMIT, PREVRANDAO,
 * BLOBBASEFEE and GAS, 32 bytes each.
 */
export const CONTEXT = at(5)
/** Runs INVALID. */
export const INVALID = at(6)
/** Loops until its gas is gone. */
export const LOOP = at(7)
/** block number: returns BLOCKHASH of it. */
export const BLOCKHASH = at(8)
/** address: passes the value it gets on. */
export const FORWARDER = at(9)
/** address: calls it without value or data and returns what it spent on that. */
export const PROBE = at(10)

const CODE: Record<Address, Hex> = {
  [ECHO]: '0x365f5f37365ff3',
  [STORAGE]: '0x602036116010575f35545f5260205ff35b6020355f355500',
  [LOGGER]: '0x604036038060405f376020355f35825fa200',
  [REVERTER]: '0x365f5f37365ffd',
  [CONTEXT]:
    '0x435f52426020524860405233606052346080523a60a0524160c0524560e05244610100524a610120525a610140526101605ff3',
  [INVALID]: '0xfe',
  [LOOP]: '0x5b5f56',
  [BLOCKHASH]: '0x5f35405f5260205ff3',
  [FORWARDER]: '0x5f5f5f5f345f355af100',
  [PROBE]: '0x5a5f5f5f5f5f5f355af1505a90035f5260205ff3',
}

export const CONTRACTS: Alloc = Object.fromEntries(
  Object.entries(CODE).map(([address, code]) => [address, { nonce: 1n, code }]),
)
