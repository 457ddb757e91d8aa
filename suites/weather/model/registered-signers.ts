import { type Hex, pad, slice, toEventSelector } from 'viem'
import type { LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { L1Tree } from './l1-tree.ts'

export const REGISTERED = toEventSelector('SignerRegistered(address)')
export const STRUCK_OFF = toEventSelector('SignerDeregistered(address)')

type Within<T> = (from: number, to: number) => T | undefined

/** Whose keys the registry of L1 had at some moment of a time; undefined where a block of then was never read. */
export function registeredWithin(events: readonly LoggedEvent[]): Within<ReadonlySet<Hex>> {
  const registries = registriesWithin(events)
  return (from, to) => {
    const within = registries(from, to)
    return within && new Set(within.flatMap((keys) => [...keys]))
  }
}

/** The same by each block that was L1's newest then, in milliseconds of the log; keys are in small letters. */
function registriesWithin(events: readonly LoggedEvent[]): Within<ReadonlySet<Hex>[]> {
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
    return within.map(({ hash }) => of(hash))
  }
}

interface Signer {
  signer: Hex
  /** What its enclave measures as. */
  imageHash: Hex
}

/** Milliseconds in which what a fault held up is over. */
const SETTLING = 15_000

/**
 * Who may have signed what was asked for and made at these milliseconds: keys that the registry of L1 had, and
 * those of enclaves that took another's place meanwhile, for a host asks for the key before it makes the witness.
 * Where an enclave was well and registered all the time, none that stands after it (ROUTE-03, ROUTE-08).
 */
export function possibleSigners(
  events: readonly LoggedEvent[],
): (asked: number, made: number) => Signer[] {
  const registries = registriesWithin(events)
  const faults = faultTimes(events)
  const boots = events.filter(({ what }) => what === 'booted')
  const keyOf = ({ data }: LoggedEvent) => String(data.signer).toLowerCase() as Hex
  /** By the number of its enclave, which hosts are told in that order. */
  const first = (asked: number, made: number, valid: readonly ReadonlySet<Hex>[]) => {
    const isUpset = faults.some(
      ({ target, from, to }) =>
        from <= made && (target.includes('enclave') || to + SETTLING >= asked),
    )
    if (isUpset) return undefined
    return boots
      .filter(({ t, who }) => t < asked && !isOver(events, who, t, made))
      .filter((boot) => valid.every((keys) => keys.has(keyOf(boot))))
      .map(({ who }) => who)
      .sort()[0]
  }
  return (asked, made) => {
    const valid = registries(asked, made)
    const last = valid && first(asked, made, valid)
    return boots
      .filter(({ who }) => last === undefined || who <= last)
      .filter((boot) => {
        const isNew = asked < boot.t && boot.t <= made
        return isNew || (valid?.some((keys) => keys.has(keyOf(boot))) ?? true)
      })
      .map(({ data }) => ({ signer: data.signer as Hex, imageHash: data.imageHash as Hex }))
  }
}

/** Whether what booted then is none any more, or another, at some moment until this one. */
const isOver = (events: readonly LoggedEvent[], of: string, booted: number, until: number) =>
  events.some(
    ({ t, who, what }) =>
      who === of && (what === 'ended' || what === 'booted') && t > booted && t <= until,
  )

function after(before: ReadonlySet<Hex>, said: readonly (readonly Hex[])[]): ReadonlySet<Hex> {
  const now = new Set(before)
  for (const [what, about = '0x'] of said) {
    const signer = slice(pad(about), 12)
    if (what === REGISTERED) now.add(signer)
    if (what === STRUCK_OFF) now.delete(signer)
  }
  return now
}
