import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ChainName } from '#devnet/base/options/upgrade-options'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import type { CallerKind, CallerWorld } from './start-caller-world.ts'
import type { WorldAnswer, WorldCalls, WorldQuestion } from './world-calls.ts'

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./serve-caller-worlds.ts', import.meta.url)
const PROGRAM = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

export interface WorldProcess extends OwnedResource, AsyncDisposable {
  /** As `startCallerWorld`. */
  start(kind: CallerKind, chain?: ChainName): Promise<CallerWorld>
}

interface Running {
  child: ChildProcess
  waiting: Map<number, PromiseWithResolvers<unknown>>
}

/**
 * Starts worlds of callers in a process of their own, which begins with the first: whoever looks at the clock
 * while it judges something else is not held up by them, and a machine has more than one core.
 */
export function createWorldProcess(): WorldProcess {
  let running: Running | undefined
  let asked = 0

  function begin(): Running {
    // Ctrl-C in the terminal is for who started us to answer.
    const child = fork(PROGRAM, [], { serialization: 'advanced', detached: true })
    const waiting: Running['waiting'] = new Map()
    const begun = { child, waiting }
    child.on('message', (answer: WorldAnswer) => {
      const { resolve, reject } = waiting.get(answer.id)!
      waiting.delete(answer.id)
      if ('error' in answer) reject(new Error(answer.error))
      else resolve(answer.result)
    })
    const lose = (how: string) => {
      if (running === begun) running = undefined
      for (const { reject } of waiting.values())
        reject(new Error(`The process of the worlds ended with ${how}.`))
      waiting.clear()
    }
    child.on('error', ({ message }) => lose(message))
    child.on('exit', (code, signal) => lose(signal ?? `code ${code}`))
    return begun
  }

  function ask<Name extends keyof WorldCalls>(
    { child, waiting }: Running,
    call: Name,
    ...args: Parameters<WorldCalls[Name]>
  ): ReturnType<WorldCalls[Name]> {
    asked += 1
    const question: WorldQuestion = { id: asked, call, args }
    const answer = Promise.withResolvers<unknown>()
    waiting.set(question.id, answer)
    child.send(question, (error) => error && answer.reject(error))
    return answer.promise as ReturnType<WorldCalls[Name]>
  }

  async function stop(): Promise<void> {
    const ending = running?.child
    running = undefined
    if (!ending?.connected) return
    const gone = once(ending, 'exit')
    ending.disconnect()
    await gone
  }

  return {
    async start(kind, chain) {
      running ??= begin()
      const own = running
      const { world, description } = await ask(own, 'start', kind, chain)
      return {
        description,
        play: (name) => ask(own, 'play', world, name),
        dispute: () => ask(own, 'dispute', world),
        async fault(...fault) {
          const [target, name, parameters] = fault
          const number = await ask(own, 'fault', world, target, name, parameters)
          return () => ask(own, 'endFault', number)
        },
        admit: (signer) => ask(own, 'admit', world, signer),
        attestWith: (index, fault) => ask(own, 'attestWith', world, index, fault),
        [Symbol.asyncDispose]: () => ask(own, 'stop', world),
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
