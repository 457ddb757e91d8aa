import { RollbedError } from '#protocol/errors/rollbed-error'
import { type CallerWorld, startCallerWorld } from './start-caller-world.ts'
import type { WorldAnswer, WorldCalls, WorldQuestion } from './world-calls.ts'

/** The entry of the process in which the worlds of callers are: `createWorldProcess` starts it. */
const worlds = new Map<number, CallerWorld>()
const faults = new Map<number, () => Promise<void>>()
let given = 0

const calls: WorldCalls = {
  async start(kind, chain) {
    const world = await startCallerWorld(kind, chain)
    given += 1
    worlds.set(given, world)
    return { world: given, description: world.description }
  },
  play: (world, name) => worldOf(world).play(name),
  dispute: (world) => worldOf(world).dispute(),
  async fault(world, ...fault) {
    const end = await worldOf(world).fault(...fault)
    given += 1
    faults.set(given, end)
    return given
  },
  async endFault(fault) {
    await faults.get(fault)?.()
  },
  admit: (world, signer) => worldOf(world).admit(signer),
  attestWith: (world, ...lie) => worldOf(world).attestWith(...lie),
  async stop(world) {
    const stopping = worldOf(world)
    worlds.delete(world)
    await stopping[Symbol.asyncDispose]()
  },
}

function worldOf(world: number): CallerWorld {
  const found = worlds.get(world)
  if (!found) throw new Error(`There is no world ${world}.`)
  return found
}

async function answer({ id, call, args }: WorldQuestion): Promise<void> {
  const run = calls[call] as (...args: unknown[]) => Promise<unknown>
  const said = await run(...args).then(
    (result): WorldAnswer => ({ id, result }),
    (error: unknown): WorldAnswer => ({ id, error: textOf(error) }),
  )
  // Whoever asked may be gone.
  if (process.connected) process.send!(said)
}

function textOf(error: unknown): string {
  const hint = error instanceof RollbedError && error.hint ? ` ${error.hint}` : ''
  return error instanceof Error ? `${error.message}${hint}` : String(error)
}

// Each world has one for its folder.
process.setMaxListeners(0)
process.on('message', (question: WorldQuestion) => void answer(question))
// What is left goes with us: each of our children has somebody who waits for our end.
process.once('disconnect', () => process.exit())
