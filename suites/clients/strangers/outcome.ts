/** A line of a run: what became of a test, or of a hook, and by which error. */
export interface Outcome {
  title: string
  state: 'pass' | 'fail' | 'pending'
  message?: string
}
