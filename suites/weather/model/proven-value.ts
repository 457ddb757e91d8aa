import { fromRlp, type Hex, keccak256, size, slice } from 'viem'

type Item = Hex | readonly Item[]

/**
 * What a proof shows of a key: its value, or `0x` where there is none; undefined where it shows nothing.
 * Source: EIP-1186 and the Yellow Paper, appendix D. Every node but the root may stand in its parent.
 *
 * @param key before it is hashed
 */
export function provenValue(root: Hex, key: Hex, proof: readonly Hex[]): Hex | undefined {
  let digits = keccak256(key).slice(2)
  let link: Item = root
  for (const node of proof) {
    if (link !== keccak256(node)) return undefined
    let item: Item = fromRlp(node) as Item
    // Goes on as long as what follows stands in this node.
    for (;;) {
      const next = follow(item, digits)
      if (next.end !== undefined) return node === proof.at(-1) ? next.end : undefined
      digits = next.digits
      link = next.link
      if (typeof link === 'string') break
      item = link
    }
  }
  return root === EMPTY && proof.length === 0 ? '0x' : undefined
}

const EMPTY = keccak256('0x80')

type Step = { end: Hex; digits?: never; link?: never } | { end?: never; digits: string; link: Item }

function follow(node: Item, digits: string): Step {
  if (typeof node === 'string') return { end: '0x' }
  if (node.length === 17) {
    const link = node[digits === '' ? 16 : Number.parseInt(digits[0]!, 16)]!
    if (digits === '' || link === '0x') return { end: link as Hex }
    return { digits: digits.slice(1), link }
  }
  const [path, rest] = node as [Hex, Item]
  const flag = Number.parseInt(path[2]!, 16)
  const own = path.slice(flag % 2 === 1 ? 3 : 4)
  if (!digits.startsWith(own)) return { end: '0x' }
  const left = digits.slice(own.length)
  if (flag < 2) return { digits: left, link: rest }
  return { end: left === '' ? (rest as Hex) : '0x' }
}

export interface ProvenAccount {
  nonce: bigint
  balance: bigint
  storageRoot: Hex
}

/** The account under a key of a state's trie; that of nobody has nothing. undefined: the proof shows nothing. */
export function provenAccount(
  root: Hex,
  address: Hex,
  proof: readonly Hex[],
): ProvenAccount | undefined {
  const value = provenValue(root, address, proof)
  if (value === undefined) return undefined
  if (value === '0x') return { nonce: 0n, balance: 0n, storageRoot: EMPTY }
  const [nonce, balance, storageRoot] = fromRlp(value) as [Hex, Hex, Hex]
  return { nonce: numberOf(nonce), balance: numberOf(balance), storageRoot }
}

const numberOf = (bytes: Hex) => (size(bytes) === 0 ? 0n : BigInt(slice(bytes, 0)))
