import { type Hex, pad, slice, toEventSelector } from 'viem'
import type { LoggedEvent } from '../checkers/checker.ts'
import { L1Tree } from './l1-tree.ts'

export const REGISTERED = toEventSelector('SignerRegistered(address)')
export const STRUCK_OFF = toEventSelector('SignerDeregistered(address)')

type Within = (from: number, to: number) => ReadonlySet<Hex> | undefined

/**
 * Whose keys the registry of L1 had at some moment of a time, in milliseconds of the log, in small letters;
 * undefined where a block of then was never read.
 */
export function registeredWithin(events: readonly LoggedEvent[]): Within {
  const l1 = new L1Tree(events)
  const heads = events
    .filter(({ who, what }) => who === 'l1' && what === 'block')
    .map(({ t, data }) => ({ t, hash: data.hash as Hex }))
  const known = new Map<Hex, ReadonlySet<Hex>>()
  const of = (hash: Hex): ReadonlySet<Hex> => {
    const block = l1.get(hash)
    if (!block) return new Set()
    const own = known.get(hash) ?? after(of(block.parent), block.registry ?? [])
    known.set(hash, own)
    return own
  }
  return (from, to) => {
    const first = heads.findLastIndex(({ t }) => t < from)
    const within = first < 0 ? [] : heads.slice(first).filter(({ t }) => t <= to)
    if (within.length === 0 || within.some(({ hash }) => !l1.get(hash))) return undefined
    return new Set(within.flatMap(({ hash }) => [...of(hash)]))
  }
}

interface Signer {
  signer: Hex
  /** What its enclave measures as. */
  imageHash: Hex
}

/**
 * Who may have signed what was asked for and made at these milliseconds: keys that the registry of L1 had, and
 * those of enclaves that took another's place meanwhile, for a host asks for the key before it makes the witness.
 */
export function possibleSigners(
  events: readonly LoggedEvent[],
): (asked: number, made: number) => Signer[] {
  const registered = registeredWithin(events)
  const boots = events.filter(({ what }) => what === 'booted')
  return (asked, made) => {
    const valid = registered(asked, made)
    return boots
      .filter(({ t, data }) => {
        const isNew = asked < t && t <= made
        return isNew || (valid?.has(String(data.signer).toLowerCase() as Hex) ?? true)
      })
      .map(({ data }) => ({ signer: data.signer as Hex, imageHash: data.imageHash as Hex }))
  }
}

function after(before: ReadonlySet<Hex>, said: readonly (readonly Hex[])[]): ReadonlySet<Hex> {
  const now = new Set(before)
  for (const [what, about = '0x'] of said) {
    const signer = slice(pad(about), 12)
    if (what === REGISTERED) now.add(signer)
    if (what === STRUCK_OFF) now.delete(signer)
  }
  return now
}
