import type { Node } from '#devnet/l2/node/start-node'
import { nodePart } from '#devnet/rollup/parts/node-part'
import { safeHeadPart } from '#devnet/rollup/parts/safe-head-part'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import type { Block } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import { isDeposit } from '#protocol/types/transaction'
import { executing } from './executing.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

/** Nobody's contract. */
const ELSEWHERE: Address = `0x${'e1'.repeat(20)}`
/** OP specification, predeploys: L2ToL1MessagePasser, and where it counts messages. */
const MESSAGE_PASSER: Address = '0x4200000000000000000000000000000000000016'
const COUNT: Hash = `0x${'00'.repeat(31)}01`
/** Seconds by which a block of this world is never ahead of its origin in fine weather. */
const FAR_AHEAD = 10n

/** Sequencer and derivation agree: both look for deposits where there are none, upon some blocks. */
const readingElsewhere = (isUpon: (parent: Block) => boolean) => {
  const lost = (config: RollupConfig, parent: () => Block | undefined): RollupConfig =>
    withMembers(config, {
      get depositContractAddress() {
        const block = parent()
        return block && isUpon(block) ? ELSEWHERE : config.depositContractAddress
      },
    })
  return {
    node: {
      ...nodePart,
      async start(...[context, given]: Parameters<typeof nodePart.start>) {
        let node: Node | undefined
        const config = lost(given.genesis.config, () => node?.chain.latest())
        node = await nodePart.start(context, { ...given, genesis: { ...given.genesis, config } })
        return node
      },
    },
    safeHead: {
      ...safeHeadPart,
      start(...[context, given]: Parameters<typeof safeHeadPart.start>) {
        const config = lost(given.config, () => given.node.chain.safe())
        return safeHeadPart.start(context, { ...given, config })
      },
    },
  }
}

/** By L1's attributes, the first transaction (OP specification, Ecotone). */
function secondsAhead({ header, transactions: [first] }: Block): bigint {
  if (!first || !isDeposit(first)) return 0n
  return header.timestamp - Buffer.from(first.data).readBigUInt64BE(20)
}

export const chainBugs: readonly PlantedBug[] = [
  {
    name: 'drops-every-deposit',
    says: 'Sequencer and derivation look for deposits at the wrong contract.',
    breaks: 'deposits-come-once',
    plant: () => readingElsewhere(() => true),
  },
  {
    name: 'drops-deposits-when-it-drifts',
    says: 'Sequencer and derivation drop deposits where L2 is ten seconds ahead of its origin.',
    breaks: 'deposits-come-once',
    plant: () => readingElsewhere((parent) => secondsAhead(parent) > FAR_AHEAD),
  },
  {
    name: 'counts-two-withdrawals-as-one',
    says: 'After each third withdrawal the next one has the same nonce.',
    breaks: 'blocks-are-executed',
    plant: () => executing(miscounting),
  },
]

function miscounting(executor: Executor): Executor {
  let withdrawals = 0
  const misopened = (block: OpenBlock): OpenBlock =>
    withMembers(block, {
      async execute(transaction, tracer) {
        const receipt = await block.execute(transaction, tracer)
        if (transaction.to !== MESSAGE_PASSER || receipt.status !== 1) return receipt
        withdrawals += 1
        if (withdrawals % 3 !== 0) return receipt
        const count = BigInt(await block.state.getStorage(MESSAGE_PASSER, COUNT)) - 1n
        const before: Hash = `0x${count.toString(16).padStart(64, '0')}`
        await block.state.setStorage(MESSAGE_PASSER, COUNT, before)
        return receipt
      },
    })
  return withMembers(executor, {
    openBlock: async (options) => misopened(await executor.openBlock(options)),
  })
}
