import type { HttpAnswer } from '../mutant.ts'

/** A refusal by its HTTP status. */
export const refused = (status: number): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"refused"}',
})
