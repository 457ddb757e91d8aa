import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { Era } from '#devnet/base/options/eras'
import { endWithParent } from '#devnet/base/process/end-with-parent'
import type { Devnet } from '#devnet/start-devnet'
import type { Clock } from '#protocol/clock/clock'
import { firstFastBlock } from '#protocol/upgrades/block-times'
import { type AskedBlocks, askedBlocks } from './asked-blocks.ts'
import { type RecordedCalls, recordCalls } from './record-calls.ts'

/** How a program fared in one era. */
export interface PlayedEra extends RecordedCalls {
  era: Era
  /** Null: a signal ended it. Absent: no program was started, others called. */
  exitCode?: number | null
  /** Milliseconds. */
  took: number
  /** Whether blocks were of 2 s when it began and of 200 ms when it ended. */
  crossed: boolean
  /** What the calls asked for. */
  asked: AskedBlocks
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
  const record = recordCalls(description.rpcUrl, clock)
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
    const took = clock.now() - began
    const recorded = await record.end()
    const asked = askedBlocks(node.chain, config.genesis.l2.number, recorded.calls)
    return { era, exitCode, took, crossed, ...recorded, asked }
  } finally {
    signal.removeEventListener('abort', kill)
    await record.end()
  }
}

function environment(era: Era, { rpcUrl, wsUrl }: DevnetDescription) {
  return { RPC_URL: rpcUrl, ETH_RPC_URL: rpcUrl, WS_URL: wsUrl, ROLLBED_ERA: era }
}
