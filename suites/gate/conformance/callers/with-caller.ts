import { type Abi, decodeFunctionResult, encodeFunctionData } from 'viem'
import type { RpcCall } from '#mocks/index'
import { CaseFailure, cannotJudge, gateFault } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import type { CallerKind } from '../drivers/caller-world.ts'
import { poll } from '../poll.ts'
import type { Hex } from '../wire/hex.ts'
import { turnsOf } from '../wire/turns-of.ts'
import { type CallerSetting, createCallerProcess } from './caller-process.ts'
import { gameAbi } from './game-abi.ts'
import { openHostLine } from './host-line.ts'
import { openL1Line } from './l1-line.ts'
import type { Spoilt } from './listen-to.ts'
import { openNodeLines } from './node-lines.ts'
import { StopInTurn } from './stop-in-turn.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** A case with a world of its own may take so long, once it is its turn, in milliseconds. */
export const CALLER_TIMEOUT = 300_000
/** How long a caller may take for one thing, in milliseconds … */
const PATIENCE = 60_000
/** … or so many times what its world took to start: on a machine that is slow now, a caller is slow, too. */
const STARTS = 15
/** Each is a whole devnet, in most of which somebody waits: for L1's next block, or for the caller's own next look. */
export const WORLDS_AT_ONCE = 10

const inTurn = turnsOf(WORLDS_AT_ONCE)

/** Starts a world, and the caller in it when the case says so; both are gone afterwards. */
export function withCaller(
  t: CaseContext,
  kind: CallerKind,
  use: (caller: WatchedCaller) => Promise<void>,
  setting: CallerSetting = {},
): Promise<void> {
  return inTurn(() => watchCaller(t, kind, use, setting), t.limit)
}

async function watchCaller(
  t: CaseContext,
  kind: CallerKind,
  use: (caller: WatchedCaller) => Promise<void>,
  setting: CallerSetting,
): Promise<void> {
  const { clock, signal } = t
  signal.throwIfAborted()
  await using resources = new StopInTurn()
  const opened = <T extends { stop(): Promise<void> }>(part: T): T => {
    resources.defer(() => part.stop())
    return part
  }
  const { startCallerWorld } = t
  if (!startCallerWorld)
    cannotJudge('A caller is judged by `rollbed conform`, which plays its world.')
  const beginning = clock.now()
  const world = await startCallerWorld(kind, chainOf(t, kind)).catch((error: unknown) =>
    gateFault(`the world of the ${kind}`, error),
  )
  const patience = Math.max(PATIENCE, STARTS * (clock.now() - beginning))
  resources.defer(() => world[Symbol.asyncDispose]())

  const begun: string[] = []
  let spoilt: Spoilt | undefined
  const watch = {
    world,
    begin: ({ method }: RpcCall) => void begun.push(method),
    spoilt: () => spoilt,
  }
  const toL1 = opened(await openL1Line(t, { ...watch, patience }))
  const toHost = opened(await openHostLine(t, watch))
  const toNodes = opened(await openNodeLines(t, { ...watch, kind }))
  const judged = opened(
    await createCallerProcess({
      ...setting,
      command: t.targets[kind]!,
      clock,
      signal,
      description: {
        ...world.description,
        ...toNodes.urls,
        l1RpcUrl: toL1.url,
        proverUrl: toHost.url,
      },
    }),
  )
  const l1 = t.connectTo(world.description.l1RpcUrl)
  const blockNumber = async () => Number(await l1.result('eth_blockNumber', []))

  await use({
    ...toL1.line,
    ...toHost.line,
    ...toNodes.lines,
    ...judged.process,
    world,
    isToday: chainOf(t, kind) === 'today',
    l1,
    l2: t.connectTo(world.description.rpcUrl),
    rollup: t.connectTo(world.description.rollupRpcUrl),
    begun,
    async forget() {
      await judged.forget()
      toL1.forget()
      toHost.forget()
      begun.length = 0
    },
    spoil(method, how) {
      const mine = { method, how }
      spoilt = mine
      return () => {
        if (spoilt === mine) spoilt = undefined
      }
    },
    async read(to, functionName, args) {
      // viem knows the arguments of one function, not of one among several.
      const of = { abi: gameAbi as Abi, functionName: functionName as string }
      const call = { to, data: encodeFunctionData({ ...of, args: args as readonly unknown[] }) }
      const data = (await l1.result('eth_call', [call, 'latest'])) as Hex
      return decodeFunctionResult({ ...of, data })
    },
    async until(what, look) {
      const found = await poll({ clock, signal, every: 50, within: patience }, async () => {
        const seen = await look()
        if (seen !== undefined) return seen
        if (kind === 'client' && judged.isOver()) throw endedEarly(judged.lastLines())
        judged.startAgain()
        return undefined
      })
      if (found !== undefined) return found
      throw new CaseFailure({
        at: `the ${kind}`,
        expected: `${what}, within ${Math.round(patience / 1000)} s`,
        actual: judged.lastLines() || 'nothing of the kind',
      })
    },
    async untilReady(what, look) {
      const found = await poll({ clock, signal, every: 50, within: patience }, look)
      if (found !== undefined) return found
      cannotJudge(`Its world did not come to this in ${Math.round(patience / 1000)} s: ${what}.`)
    },
    async untilOver(most) {
      const within = (most * patience) / PATIENCE
      await poll({ clock, signal, every: 100, within }, async () => judged.isOver() || undefined)
    },
    async untilQuiet(blocks = 3) {
      const end = (await blockNumber()) + blocks
      await poll({ clock, signal, every: 100, within: patience }, async () =>
        judged.isOver() || (await blockNumber()) >= end ? true : undefined,
      )
    },
  })
}

/** A registrar's calls are of the registry before Cobalt, a client's streams of the chain before Denim. */
function chainOf({ profile }: CaseContext, kind: CallerKind): 'today' | undefined {
  const hasToday = kind === 'proposer' || kind === 'challenger'
  return profile === 'today' && hasToday ? 'today' : undefined
}

/** A client's users wait for what it tells: nobody starts it again. */
const endedEarly = (said: string) =>
  new CaseFailure({
    at: 'the client',
    expected: 'that it goes on until it is killed',
    actual: said || 'it ended',
  })
