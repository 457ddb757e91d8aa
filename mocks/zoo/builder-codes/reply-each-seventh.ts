import type { JsonObject, Mutant } from '../mutant.ts'
import { RARE } from '../parts/each-seventh.ts'

/** A reply of the API, each seventh time another one. */
export const replyEachSeventh =
  (isMeant: (status: number) => boolean, change: (body: JsonObject) => JsonObject, status = 200) =>
  (): ReturnType<Mutant['apply']> => {
    let met = 0
    return {
      async http(request, forward) {
        const reply = await forward(request)
        if (request.method !== 'POST' || !isMeant(reply.status)) return reply
        met += 1
        if (met % RARE !== 0) return reply
        const body = change(JSON.parse(reply.body) as JsonObject)
        return { ...reply, status, body: JSON.stringify(body) }
      },
    }
  }
