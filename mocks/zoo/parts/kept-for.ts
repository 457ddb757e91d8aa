import type { MutantHooks } from '../mutant.ts'

/** Gives what the same words had brought before, but for some members of them. */
export const keptFor =
  (method: string, keyOf: (params: readonly unknown[]) => string | undefined) =>
  (): MutantHooks => {
    const kept = new Map<string, unknown>()
    return {
      call(asked) {
        const key = asked.method === method ? keyOf(asked.params) : undefined
        if (key === undefined || !kept.has(key)) return asked
        return { reply: { jsonrpc: '2.0', id: asked.id, result: kept.get(key) } }
      },
      response(response, { params, ...asked }) {
        const key = asked.method === method ? keyOf(params) : undefined
        if (key !== undefined && 'result' in response) kept.set(key, response.result)
        return response
      },
    }
  }
