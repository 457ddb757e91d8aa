import type { MutantHooks } from '../mutant.ts'

/** A server that parses what has come with the first piece of a body. */
export const firstPiece = (): MutantHooks => ({
  http(request, forward) {
    const { body, firstPiece = Buffer.byteLength(body) } = request
    return forward({ ...request, body: Buffer.from(body).subarray(0, firstPiece).toString() })
  },
})
