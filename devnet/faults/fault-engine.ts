import type { Clock, Timer } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { EventRecorder } from './event-recorder.ts'
import { FAULT_NAMES, type FaultName, schemaOf, type TargetKind } from './fault-catalogue.ts'
import type { EffectsOn, FaultEffects, Undo } from './fault-effects.ts'
import type { FaultPlan, PlannedFault } from './fault-plan.ts'
import { FAULT_TARGETS, type FaultTarget, isFaultTarget } from './fault-targets.ts'

export interface ActiveFault {
  id: number
  target: FaultTarget
  fault: FaultName
  with: Readonly<Record<string, unknown>>
  /** Unix time in milliseconds. */
  since: number
}

/** A plan that is under way. */
export interface PlayedPlan {
  /** Resolves at the plan's end, when every fault of it is cleared. Rejects with what could not be done. */
  done: Promise<void>
  /** Ends it now, with all its faults. */
  stop(): Promise<void>
}

type Place = Partial<FaultEffects<FaultName>>

/**
 * Brings faults about in a world, by hand or by a plan, and tells the recorder. The world registers
 * what it can do to which target; real and simulated worlds share the rest.
 *
 * @example
 * engine.register('link:host-l1', link.effects)
 * const { id } = await engine.inject('link:host-l1', 'latency', { latency: 500 })
 * await engine.clear(id)
 */
export class FaultEngine {
  readonly #clock: Clock
  readonly #recorder: EventRecorder
  readonly #places = new Map<FaultTarget, Place>()
  readonly #active = new Map<number, ActiveFault & { undo: Undo }>()
  readonly #playing = new Set<PlayedPlan>()
  #nextId = 1

  constructor(options: { clock: Clock; recorder: EventRecorder }) {
    this.#clock = options.clock
    this.#recorder = options.recorder
  }

  /** @param effects what this world can do to it */
  register<Kind extends TargetKind>(target: `${Kind}:${string}`, effects: EffectsOn<Kind>): void {
    this.#places.set(target, effects)
  }

  /** What can be done in this world. */
  targets(): { target: FaultTarget; faults: readonly FaultName[] }[] {
    return [...this.#places].map(([target, place]) => ({ target, faults: faultsOf(place) }))
  }

  can(target: FaultTarget, fault: FaultName): boolean {
    return this.#places.get(target)?.[fault] !== undefined
  }

  /** The faults that last. */
  list(): ActiveFault[] {
    return [...this.#active.values()].map(({ undo: _, ...active }) => active)
  }

  /**
   * Brings a fault about until it is cleared.
   * @throws RollbedError TARGET_UNKNOWN, FAULT_UNKNOWN, FAULT_INVALID
   */
  async inject(
    target: FaultTarget,
    fault: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<ActiveFault> {
    const { place, name } = this.#find(target, fault)
    return await this.#bringAbout(target, place, name, parameters)
  }

  async #bringAbout<Name extends FaultName>(
    target: FaultTarget,
    place: Place,
    name: Name,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<ActiveFault> {
    const parsed = schemaOf(name).safeParse(parameters)
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw new RollbedError('FAULT_INVALID', `${name} cannot be told this: ${wrong.join('; ')}.`, {
        hint: 'See the table of faults in devnet/docs/faults.md.',
      })
    }
    const active = { id: this.#nextId++, target, fault: name, with: parsed.data }
    const { id } = active
    this.#recorder.record(target, 'fault.on', { id, fault: name, with: parsed.data })
    const undo = await place[name]?.(parsed.data)
    const full = { ...active, since: this.#clock.now() }
    if (undo) this.#active.set(id, { ...full, undo })
    else this.#recorder.record(target, 'fault.off', { id, fault: name })
    return full
  }

  /** Ends one fault, or all. Returns how many there were. Rejects with the first failure after all were tried. */
  clear(id?: number): Promise<number> {
    return this.#clear((each) => id === undefined || each.id === id)
  }

  async #clear(isEnding: (fault: ActiveFault) => boolean): Promise<number> {
    const ending = [...this.#active.values()].filter(isEnding)
    const failures: unknown[] = []
    for (const { id, target, fault, undo } of ending) {
      this.#active.delete(id)
      try {
        await undo?.()
      } catch (error) {
        failures.push(error)
      }
      this.#recorder.record(target, 'fault.off', { id, fault })
    }
    if (failures.length > 0) throw failures[0]
    return ending.length
  }

  /** Ends the plans under way and every fault: nothing of them comes later, and no timer is left. */
  async stop(): Promise<void> {
    // What a plan could not do was told to whoever plays it.
    await Promise.allSettled([...this.#playing].map((plan) => plan.stop()))
    await this.clear()
  }

  /** @throws RollbedError TARGET_UNKNOWN, FAULT_UNKNOWN where one of them cannot be brought about here */
  requireAll(faults: FaultPlan['faults']): void {
    for (const { target, fault } of faults) this.#find(target, fault)
  }

  /** Plays the faults of a plan by the clock and, where they say `when`, by the recorder's events. */
  play(plan: Pick<FaultPlan, 'duration' | 'faults'>): PlayedPlan {
    this.requireAll(plan.faults)
    const timers = new Set<Timer>()
    const listeners = new Set<() => void>()
    const begun = new Set<number>()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isOver = false
    let work: Promise<unknown> = Promise.resolve()
    const inTurn = (step: () => Promise<unknown>) => {
      work = work.then(step).catch(reject)
    }
    const after = (delay: number, action: () => void) => {
      timers.add(this.#clock.after(delay, action))
    }
    const begin = ({ target, fault, with: parameters, at = 0, until }: PlannedFault) => {
      inTurn(async () => {
        if (isOver) return
        const { id } = await this.inject(target, fault, parameters)
        begun.add(id)
        if (until !== undefined) after(until - at, () => inTurn(() => this.clear(id)))
      })
    }
    for (const planned of plan.faults) {
      const { when, at = 0 } = planned
      if (when === undefined) {
        after(at, () => begin(planned))
        continue
      }
      const forget = this.#recorder.on(({ who, what }) => {
        if (`${who} ${what}` !== when) return
        forget()
        after(at, () => begin(planned))
      })
      listeners.add(forget)
    }
    const end = () => {
      isOver = true
      this.#playing.delete(played)
      for (const timer of timers) timer.cancel()
      for (const forget of listeners) forget()
      inTurn(() => this.#clear(({ id }) => begun.has(id)))
      work.then(() => resolve())
      return promise
    }
    after(plan.duration, () => void end())
    const played: PlayedPlan = { done: promise, stop: end }
    this.#playing.add(played)
    return played
  }

  #find(target: FaultTarget, fault: string): { place: Place; name: FaultName } {
    const place = this.#places.get(target)
    if (!place) {
      const known = [...this.#places.keys()]
      throw new RollbedError(
        'TARGET_UNKNOWN',
        isFaultTarget(target)
          ? `Nothing here answers to '${target}'.`
          : `'${target}' is no target of faults.`,
        {
          hint: `Targets of this devnet: ${(known.length ? known : Object.keys(FAULT_TARGETS)).join(', ')}.`,
        },
      )
    }
    const name = faultsOf(place).find((known) => known === fault)
    if (name) return { place, name }
    throw new RollbedError('FAULT_UNKNOWN', `'${fault}' cannot be done to ${target}.`, {
      hint: `There is ${faultsOf(place).join(', ')}.`,
    })
  }
}

/** In the order of the catalogue. */
const faultsOf = (place: Place) => FAULT_NAMES.filter((name) => place[name])
