import { type Hex, pad, slice } from 'viem'
import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { faultTimes } from '../checkers/fault-times.ts'
import { eventsOf, type L1BlockSeen } from './events-of.ts'
import { L1Tree } from './l1-tree.ts'
import { REGISTERED, STRUCK_OFF } from './registered-signers.ts'

/** With these on it an enclave boots with what it can attest to nobody. */
const UNATTESTED = new Set(['foreign_root', 'short_pcr0'])

/** An enclave's life, by its key; milliseconds of the log. */
interface Life {
  signer: Hex
  from: number
  to: number
  isAttested: boolean
}

export const signersAreRight: Checker = {
  name: 'signers-are-right',
  says: 'L1 registers keys of enclaves that attest them, strikes none off that runs, and the host is well no sooner.',
  safety(events) {
    const lives = livesOf(events)
    const strikes = events.filter(({ what }) => what === 'strike.sent')
    const lies = events.some(({ who }) => who === 'liar')
    const l1 = new L1Tree(events)
    const said = l1.blocks.flatMap(({ t, registry = [] }): Found[] =>
      registry.flatMap(([what, about = '0x']): Found[] => {
        if (what !== REGISTERED && what !== STRUCK_OFF) return []
        const signer = slice(pad(about), 12)
        const own = lives.filter((life) => life.signer === signer && life.from <= t)
        if (what === STRUCK_OFF) {
          const isRunning = own.some(({ to }) => t < to)
          // The registry's owner may.
          if (strikes.some(({ data }) => String(data.signer).toLowerCase() === signer)) return []
          return isRunning ? [{ t, problem: `${signer} runs and was struck off.` }] : []
        }
        // Who lies has a key of his own.
        if (own.length === 0 && lies) return []
        const isAttested = own.some((life) => life.isAttested)
        return isAttested ? [] : [{ t, problem: `${signer} is registered, and nobody attests it.` }]
      }),
    )
    return [...said, ...tooSoon(events, l1.blocks, lives)]
  },
}

function livesOf(events: readonly LoggedEvent[]): Life[] {
  const faults = faultTimes(events).filter(({ fault }) => UNATTESTED.has(fault))
  const lives: (Life & { who: string })[] = []
  for (const { t, who, what, data } of events) {
    if (what !== 'booted' && what !== 'ended') continue
    const before = lives.findLast((life) => life.who === who)
    if (before && t < before.to) before.to = t
    if (what === 'ended') continue
    const isWrong = faults.some(
      ({ target, from, to }) => target === who.replace('.', ':') && from <= t && t < to,
    )
    const signer = (data.signer as Hex).toLowerCase() as Hex
    lives.push({ who, signer, from: t, to: Number.POSITIVE_INFINITY, isAttested: !isWrong })
  }
  return lives
}

/** Healthy by a key that L1 did not have yet. What L1 took back meanwhile nobody may have read. */
function tooSoon(
  events: readonly LoggedEvent[],
  blocks: readonly L1BlockSeen[],
  lives: readonly Life[],
): Found[] {
  const [known] = eventsOf(events, 'chain.known')
  // In a real world L1's seconds are not the log's.
  if (!known || known.isReal) return []
  const keys = new Set(lives.map(({ signer }) => signer))
  const first = Math.min(
    ...blocks
      .filter(({ registry = [] }) =>
        registry.some(
          ([what, about = '0x']) => what === REGISTERED && keys.has(slice(pad(about), 12)),
        ),
      )
      .map(({ time }) => 1_000 * (time - known.genesisTime)),
  )
  const well = events.find(({ what, data }) => what === 'health.seen' && data.isWell === true)
  const isMoved = events.some(
    ({ who, what, t }) => who === 'l1' && what === 'reorg' && well && t <= well.t,
  )
  // In logs of before it was told, nobody is registered.
  if (!well || isMoved || well.t >= first || first === Infinity) return []
  return [{ t: well.t, problem: 'The host is well, and L1 has registered none of its keys.' }]
}
