import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { WeatherRun } from '../run-weather.ts'
import type { Place } from './place.ts'

/** What has to be known of a plan before there is a world for it. */
export type Planned = Pick<FaultPlan, 'seed'> & Partial<Pick<FaultPlan, 'world'>>

/** Plays a run; its plan may hang on what can be done to what in its world. */
export type PlayRun = (
  planned: Planned,
  planFor: (places: readonly Place[]) => FaultPlan,
) => Promise<WeatherRun>
