// What a message sees of its block and its transaction.
import { epoch } from './account'
import { Exit } from './exit'
import { Frame } from './frame'
import { needBlockHash } from './need'
import { copy, equal, isSmall, isZero, setSmall, sub } from './word'

/** Words that the host writes, in this order. */
export const enum Environment {
  ORIGIN,
  GAS_PRICE,
  // From here on in the order of their opcodes.
  COINBASE,
  TIMESTAMP,
  NUMBER,
  PREV_RANDAO,
  GAS_LIMIT,
  CHAIN_ID,
  BASE_FEE,
  BLOB_BASE_FEE,
}

export const ENVIRONMENT: usize = memory.data(320, 16)

// @ts-ignore: decorator
@inline
export function environment(word: Environment): usize {
  return ENVIRONMENT + (<usize>word << 5)
}

/** The number of the block whose hash the host has told last, and the hash. */
export const BLOCK_HASH: usize = memory.data(64, 16)
let answeredIn: u32 = 0
/** How many blocks back BLOCKHASH sees. */
const HISTORY: u32 = 256

export function tellBlockHash(): void {
  answeredIn = epoch
}

const distance: usize = memory.data(32, 16)

export function blockHash(frame: Frame): Exit {
  const number = <usize>frame.stackTop - 32
  sub(environment(Environment.NUMBER), number, distance)
  if (!isSmall(distance) || isZero(distance) || load<u32>(distance) > HISTORY) {
    setSmall(number, 0)
    return Exit.NONE
  }
  if (answeredIn != epoch || !equal(BLOCK_HASH, number)) return needBlockHash(number)
  copy(number, BLOCK_HASH + 32)
  return Exit.NONE
}
