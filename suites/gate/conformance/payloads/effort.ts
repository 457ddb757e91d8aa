/** How many payloads are drawn: to see that all is well, on each commit, or overnight. */
export const EFFORTS = { quick: 20, normal: 60, long: 3_000 } as const
export type Effort = keyof typeof EFFORTS

/** Which payloads are drawn, and how many. */
export interface Draw {
  seed: number
  effort: Effort
}

export const USUAL_DRAW: Draw = { seed: 1, effort: 'normal' }
