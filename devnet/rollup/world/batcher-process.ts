import { compressRoughly } from './compress-roughly.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { WorldContext } from './world-context.ts'

/** The batcher, which ends with the node whose chain it reads. */
export function batcherProcess(context: WorldContext): SimulatedPart {
  const { ground } = context
  const { recorder, faults, genesis, options, logger, l1, parts } = ground
  const part = new SimulatedPart({
    name: parts.batcher.name,
    clock: ground.clock,
    recorder,
    faults,
    async start(process) {
      const node = context.node
      if (!node) throw new Error('there is no node yet')
      process.onEnd(context.nodeLife!.onEnd(() => process.kill()))
      const batcher = await parts.batcher.start(context.contextOf(parts.batcher, process), {
        chain: node.chain,
        config: genesis.config,
        interval: options.batchInterval,
        compress: compressRoughly,
        logger,
      })
      let recorded = 0n
      const forget = l1.on('sealed', () => {
        const to = batcher.posted()
        if (to > recorded) recorder.record('batcher', 'posted', { from: recorded + 1n, to })
        recorded = to
      })
      process.onEnd(forget)
    },
  })
  const silence = () => part.silence()
  faults.register('chain:l2', { batcher_silent: silence, window_expired: silence })
  return part
}
