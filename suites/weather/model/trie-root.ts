import { concatHex, type Hex, keccak256, size, toRlp } from 'viem'

/** Yellow Paper, appendix D: a leaf and an extension are pairs, a branch has seventeen members. */
type Node = (Hex | Node)[]
/** Digits of the key in hex, without 0x. */
type Entry = readonly [key: string, value: Hex]

const EMPTY = keccak256('0x80')

/** The root of a trie that holds these values under these keys; a key is not the beginning of another. */
export function trieRoot(entries: readonly (readonly [key: Hex, value: Hex])[]): Hex {
  if (entries.length === 0) return EMPTY
  return keccak256(toRlp(nodeOf(entries.map(([key, value]) => [key.slice(2), value]))))
}

/** The root of a list, as a header has it of its transactions and receipts. */
export function listRoot(values: readonly Hex[]): Hex {
  return trieRoot(
    values.map((value, index) => [toRlp(index === 0 ? '0x' : quantity(index)), value]),
  )
}

/** The root of a contract's storage. */
export function storageRoot(slots: readonly (readonly [slot: bigint, value: bigint])[]): Hex {
  return trieRoot(
    slots
      .filter(([, value]) => value > 0n)
      .map(([slot, value]) => [keccak256(word(slot)), toRlp(quantity(value))] as const),
  )
}

/** As many bytes as it takes. */
export function quantity(value: bigint | number): Hex {
  const digits = value.toString(16)
  return value === 0n || value === 0 ? '0x' : `0x${digits.length % 2 ? '0' : ''}${digits}`
}

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

function nodeOf(entries: readonly Entry[]): Node {
  const [[key, value]] = entries as [Entry]
  if (entries.length === 1) return [packed(key, true), value]
  const shared = sharedDigits(entries)
  const cut = entries.map(([key, value]): Entry => [key.slice(shared), value])
  if (shared > 0) return [packed(key.slice(0, shared), false), linkTo(cut)]
  const children = Array.from('0123456789abcdef', (digit) => {
    const below = entries.filter(([key]) => key[0] === digit)
    return below.length > 0
      ? linkTo(below.map(([key, value]): Entry => [key.slice(1), value]))
      : '0x'
  })
  return [...children, '0x']
}

function sharedDigits(entries: readonly Entry[]): number {
  const [[first]] = entries as [Entry]
  let shared = 0
  while (entries.every(([key]) => key[shared] === first[shared])) shared += 1
  return shared
}

/** Short nodes stand where others have their hash. */
function linkTo(entries: readonly Entry[]): Hex | Node {
  const node = nodeOf(entries)
  const bytes = toRlp(node)
  return size(bytes) < 32 ? node : keccak256(bytes)
}

/** Appendix C: whether it ends in a leaf, and whether the digits are odd in number, is said first. */
function packed(digits: string, isLeaf: boolean): Hex {
  const isOdd = digits.length % 2 === 1
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  return concatHex([`0x${flag}${isOdd ? '' : '0'}${digits}`])
}
