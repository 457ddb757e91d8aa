import type { RunResult } from './model.ts'

/**
 * What was judged, by which catalogue, in a sentence each: the head of every report, and what is said of a
 * certificate. Empty where the run knows nothing of it.
 */
export function describeTarget({ build, claims, judged, catalogue }: RunResult): string {
  return [
    ...(claims?.length ? [`It claims ${claims.join(', ')}, and was judged by that alone.`] : []),
    ...(build ? [`Build ${build}.`] : []),
    ...(judged?.client ? [`The node calls itself ${judged.client}.`] : []),
    ...(judged?.imageHashes?.length ? [`Enclave image ${judged.imageHashes.join(', ')}.`] : []),
    ...(catalogue ? [`Catalogue of cases, version ${catalogue}.`] : []),
  ].join(' ')
}
