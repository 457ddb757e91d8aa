import type { ResourceStack } from '#devnet/base/process/owned-resource'
import type { Clock } from '#protocol/clock/clock'
import { EventRecorder } from './event-recorder.ts'
import { FaultEngine } from './fault-engine.ts'
import { type FaultLines, faultyLines, plainLines } from './fault-lines.ts'
import { faultyClockOf } from './faulty-clock.ts'

/** What a devnet needs to take faults. */
export interface DevnetFaults {
  /** undefined in a devnet that was not started for faults. Whoever starts L1 stops it, before L1: some faults are ended there. */
  engine: FaultEngine | undefined
  recorder: EventRecorder
  lines: FaultLines
  /** The clock of one part. */
  clockOf(part: 'host' | 'registrar'): Clock
}

/** @param isFaulty whether proxies are put in place; else everything is as without faults */
export function devnetFaults(options: {
  isFaulty: boolean
  clock: Clock
  /** By which links are slow and services come back: what waits for them must not wait for time to be moved. */
  machine: Clock
  seed: number
  workDir: string
  resources: ResourceStack
}): DevnetFaults {
  const { isFaulty, clock } = options
  const recorder = new EventRecorder({ clock })
  if (!isFaulty) {
    return { engine: undefined, recorder, lines: plainLines, clockOf: () => clock }
  }
  const engine = new FaultEngine({ clock, recorder })
  return {
    engine,
    recorder,
    lines: faultyLines({ ...options, clock: options.machine, engine }),
    clockOf: (part) => faultyClockOf(engine, part, clock),
  }
}
