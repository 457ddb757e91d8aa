import type { FaultName, FaultOn, FaultParameters, TargetKind } from './fault-catalogue.ts'

/** Ends the fault; `undefined` where it happens at one moment. */
export type Undo = (() => void | Promise<void>) | undefined

/** How each of some faults comes about; parameters have every default filled in. */
export type FaultEffects<Name extends FaultName> = {
  readonly [Each in Name]: (parameters: FaultParameters[Each]) => Undo | Promise<Undo>
}

/** What a body can do to a target: some of the faults of its kind. */
export type EffectsOn<Kind extends TargetKind> = Partial<FaultEffects<FaultOn<Kind>>>
