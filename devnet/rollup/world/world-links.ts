import type { FaultEngine } from '#devnet/faults/fault-engine'
import { ToxicLink } from '#devnet/faults/toxic-link'
import type { Clock } from '#protocol/clock/clock'
import { seededRng } from '#protocol/random/rng'
import { LINKS } from '../parts/part.ts'

const L1_LINKS = new Set<string>(
  Object.entries(LINKS).flatMap(([link, service]) => (service === 'l1' ? [link] : [])),
)

/** The links between the parts of a simulated world, by the names of fault targets. */
export class WorldLinks {
  readonly #clock: Clock
  readonly #seed: number
  readonly #faults: FaultEngine
  readonly #links = new Map<string, ToxicLink>()

  constructor(options: { clock: Clock; seed: number; faults: FaultEngine }) {
    this.#clock = options.clock
    this.#seed = options.seed
    this.#faults = options.faults
  }

  /** The link of this name, which can be faulted from here on. */
  get(name: string): ToxicLink {
    const known = this.#links.get(name)
    if (known) return known
    const link = new ToxicLink({
      clock: this.#clock,
      rng: seededRng(`${this.#seed}/link/${name}`),
    })
    this.#links.set(name, link)
    this.#faults.register(`link:${name}`, link.effects)
    return link
  }
  /** Those that lead to L1, of who was there until now. */
  toL1(): ToxicLink[] {
    const names = [...this.#links.keys()].filter((name) => L1_LINKS.has(name))
    return names.map((name) => this.get(name))
  }
}
