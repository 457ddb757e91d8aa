import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import { endWithParent } from '#devnet/base/process/end-with-parent'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import type { Devnet } from '#devnet/start-devnet'
import { type Clock, sleep } from '#protocol/clock/clock'
import { firstFastBlock } from '#protocol/upgrades/block-times'

/** The chain that a program is run on: as Base was, on the day it changed, as it is. */
export const ERAS = ['before', 'across', 'after'] as const
export type Era = (typeof ERAS)[number]

/** How a program fared in one era. */
export interface PlayedEra {
  era: Era
  /** Null: a signal ended it. */
  exitCode: number | null
  /** Milliseconds. */
  took: number
  /** Oldest first. */
  calls: LoggedRequest[]
  /** Calls that came too fast to be recorded. */
  missed: number
  /** Whether blocks were of 2 s when it began and of 200 ms when it ended. */
  crossed: boolean
}

/** Milliseconds between two looks at what was called; the node keeps 500 calls. */
const LOOK = 200

/** @param wait seconds from the chain's start to Denim */
export function upgradesOf(era: Era, wait: number): UpgradeOptions {
  const denim = { before: 'never', across: `+${wait}s`, after: 'genesis' } as const
  return { azul: 'genesis', denim: denim[era] }
}

/**
 * Runs a program beside a devnet of an era, and records what it asks of L2. It finds the devnet by
 * `RPC_URL`, `ETH_RPC_URL` and `WS_URL`; what it prints goes where ours does.
 * @param command the program and what it is given
 */
export async function playEra(
  era: Era,
  { description, node, config }: Pick<Devnet, 'description' | 'node' | 'config'>,
  [program, ...args]: readonly [string, ...string[]],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<PlayedEra> {
  const fast = firstFastBlock(config)
  const height = () => node.chain.latest().header.number
  const isFast = () => fast !== undefined && height() >= fast
  const [began, wasFast] = [clock.now(), isFast()]
  const record = startRecord(description.rpcUrl, clock)
  const child = spawn(program, args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment(era, description) },
  })
  const kill = () => child.kill()
  signal.addEventListener('abort', kill, { once: true })
  try {
    void endWithParent(child)
    const [exitCode] = (await once(child, 'exit')) as [number | null]
    const crossed = !wasFast && isFast()
    return { era, exitCode, took: clock.now() - began, crossed, ...(await record.end()) }
  } finally {
    signal.removeEventListener('abort', kill)
    await record.end()
  }
}

function environment(era: Era, { rpcUrl, wsUrl }: DevnetDescription) {
  return { RPC_URL: rpcUrl, ETH_RPC_URL: rpcUrl, WS_URL: wsUrl, ROLLBED_ERA: era }
}

/** Gathers the node's log of calls, which forgets old ones. */
function startRecord(rpcUrl: string, clock: Clock) {
  const rpc = httpRpcClient(rpcUrl)
  const calls: LoggedRequest[] = []
  const ending = new AbortController()
  let [last, missed] = [0, 0]
  const look = async () => {
    const fresh = (await rpc.request('rollbed_requestLog', [last])) as LoggedRequest[]
    if (fresh.length === 0) return
    missed += fresh[0]!.id - last - 1
    last = fresh.at(-1)!.id
    calls.push(...fresh.filter(({ method }) => method !== 'rollbed_requestLog'))
  }
  const run = async () => {
    while (!ending.signal.aborted) {
      await look()
      await sleep(clock, LOOK, ending.signal).catch(() => {})
    }
    await look()
  }
  const running = run()
  running.catch(() => {})
  return {
    async end(): Promise<Pick<PlayedEra, 'calls' | 'missed'>> {
      ending.abort()
      await running
      return { calls, missed }
    },
  }
}
