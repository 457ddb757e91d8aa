import { JsonRpcError } from '../json-rpc/json-rpc-error.ts'
import type { RpcMethod } from '../json-rpc/json-rpc-server.ts'
import { methodsFrom } from '../json-rpc/methods-from.ts'
import type { Supervisor, Trouble } from '../process/supervisor.ts'

/** The parts that a method needs; one of `anyOf` is enough. */
export interface Need {
  methods: RegExp
  allOf?: readonly string[]
  anyOf?: readonly string[]
}

/**
 * The methods, which fail with the name of a part that they need and that is dead, also when it dies
 * while they run: an answer that can never come is not waited for.
 */
export function needParts(
  methods: Readonly<Record<string, RpcMethod>>,
  needs: readonly Need[],
  supervisor: Supervisor,
): Record<string, RpcMethod> {
  return methodsFrom(methods, (method, name) => {
    const needed = needs.filter((need) => need.methods.test(name))
    return needed.length ? needing(method, needed, supervisor) : method
  })
}

function needing(method: RpcMethod, needs: readonly Need[], supervisor: Supervisor): RpcMethod {
  return (params, context) => {
    const missing = missingPart(needs, supervisor)
    if (missing) throw partDead(missing)
    const giveUp = new AbortController()
    const signal = AbortSignal.any([context.signal, giveUp.signal])
    const result = method(params, { ...context, signal })
    if (!(result instanceof Promise)) return result
    return new Promise((resolve, reject) => {
      const forget = supervisor.onDeath(() => {
        const dead = missingPart(needs, supervisor)
        if (!dead) return
        const error = partDead(dead)
        reject(error)
        giveUp.abort(error)
      })
      result.then(resolve, reject).finally(forget)
    })
  }
}

function missingPart(needs: readonly Need[], supervisor: Supervisor): Trouble | undefined {
  for (const { allOf = [], anyOf = [] } of needs) {
    const dead = allOf.map((part) => supervisor.deathOf(part)).find((trouble) => trouble)
    if (dead) return dead
    const all = anyOf.map((part) => supervisor.deathOf(part))
    if (all.length > 0 && all.every((trouble) => trouble)) return all[0]
  }
  return undefined
}

function partDead({ part, problem, since }: Trouble): JsonRpcError {
  return new JsonRpcError(-32000, `${part} is dead: ${problem}`, { part, since })
}
