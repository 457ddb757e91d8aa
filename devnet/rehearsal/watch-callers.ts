import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import type { Devnet } from '#devnet/start-devnet'
import type { Clock } from '#protocol/clock/clock'
import { firstFastBlock } from '#protocol/upgrades/block-times'
import { askedBlocks } from './asked-blocks.ts'
import type { PlayedEra } from './play-era.ts'
import { recordCalls } from './record-calls.ts'

/**
 * Records what whoever calls a devnet asks of it, until it is told to end, and parts it at the first block of
 * 200 ms: what was asked before it, and since.
 *
 * @param ended when the record ends
 * @returns the two eras; nothing came to an exit code in them, for no program was started
 */
export async function watchCallers(
  { description, node, config }: Pick<Devnet, 'description' | 'node' | 'config'>,
  { clock, ended }: { clock: Clock; ended: Promise<unknown> },
): Promise<[before: PlayedEra, since: PlayedEra]> {
  const began = clock.now()
  const record = recordCalls(description.rpcUrl, clock)
  await ended
  const { calls, missed } = await record.end()
  const number = firstFastBlock(config)
  const first = number === undefined ? undefined : node.chain.blockByNumber(number)
  const end = clock.now()
  const crossing = first ? Number(first.header.timestamp) * 1_000 : end
  const part = (of: readonly LoggedRequest[]) => ({
    calls: [...of],
    asked: askedBlocks(node.chain, config.genesis.l2.number, of),
  })
  return [
    {
      era: 'before',
      ...part(calls.filter(({ at }) => at < crossing)),
      took: crossing - began,
      missed,
      crossed: false,
    },
    {
      era: 'across',
      ...part(calls.filter(({ at }) => at >= crossing)),
      took: end - crossing,
      missed: 0,
      crossed: first !== undefined,
    },
  ]
}
