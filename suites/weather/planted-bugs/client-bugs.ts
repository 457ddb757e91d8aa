import { concatHex, keccak256, pad, slice, toHex } from 'viem'
import type { Pool } from '#devnet/l2/node/mempool/pool'
import { nodePart } from '#devnet/rollup/parts/node-part'
import type { Executor, OpenBlock } from '#protocol/execution/executor'
import { estimatedSize } from '#protocol/execution/l1-fee'
import type { Address } from '#protocol/types/bytes'
import { answering, readJson } from './answering.ts'
import { executing } from './executing.ts'
import { leavingOut } from './leaving-out.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

/** OP specification, predeploys. */
const L2_BRIDGE: Address = '0x4200000000000000000000000000000000000010'

/** What wallets in a rush, dapps, explorers and listeners meet. */
export const clientBugs: readonly PlantedBug[] = [
  {
    name: 'takes-what-came-first',
    says: 'A block takes what came first, whatever it pays.',
    breaks: 'tips-come-first',
    plant: () => ({
      node: {
        ...nodePart,
        async start(...[context, given]: Parameters<typeof nodePart.start>) {
          const node = await nodePart.start(context, given)
          Object.assign(node.pool, { select: () => inOrder(node.pool) })
          return node
        },
      },
    }),
  },
  {
    name: 'leaves-out-each-third-flashblock',
    says: 'Who hears of flashblocks does not hear of each third.',
    breaks: 'streams-are-whole',
    plant: () => leavingOut('newFlashblocks', 3),
  },
  {
    name: 'leaves-out-each-fourth-pending-log',
    says: 'Who hears of pre-confirmed logs does not hear of each fourth.',
    breaks: 'streams-are-whole',
    plant: () => leavingOut('pendingLogs', 4),
  },
  {
    name: 'shows-the-gas-that-was-allowed',
    says: 'The calls of a transaction are shown with the gas that it might have used.',
    breaks: 'pages-are-true',
    plant: () =>
      answering('debug_traceTransaction', (methods) => async (params, context) => {
        const frame = readJson(await methods.debug_traceTransaction!(params, context))
        return { ...Object(frame), gasUsed: Object(frame).gas }
      }),
  },
  {
    name: 'forgets-the-newest-of-an-account',
    says: 'An account is shown without its newest transaction.',
    breaks: 'pages-are-true',
    plant: () =>
      answering('rollbed_transactionsOf', (methods) => async (params, context) => {
        const past = Object(readJson(await methods.rollbed_transactionsOf!(params, context)))
        return { ...past, transactions: past.transactions.slice(1) }
      }),
  },
  {
    name: 'keeps-tokens-that-left',
    says: 'Who sends tokens back to L1 has them on L2 as before.',
    breaks: 'values-are-true',
    plant: () => executing(burningNothing),
  },
  {
    name: 'confirms-one-block-too-early',
    says: 'A receipt that was waited for names the block before its own.',
    breaks: 'pages-are-true',
    plant: () =>
      answering('eth_sendRawTransactionSync', (methods) => async (params, context) => {
        const receipt = Object(readJson(await methods.eth_sendRawTransactionSync!(params, context)))
        const number = Math.max(0, Number(receipt.blockNumber) - 1)
        return { ...receipt, blockNumber: `0x${number.toString(16)}` }
      }),
  },
]

function burningNothing(executor: Executor): Executor {
  const misopened = (block: OpenBlock): OpenBlock =>
    withMembers(block, {
      async execute(transaction, tracer) {
        if (transaction.to !== L2_BRIDGE) return await block.execute(transaction, tracer)
        // withdrawTo(token, ...)
        const token: Address = slice(toHex(transaction.data), 16, 36)
        const owned = keccak256(concatHex([pad(transaction.from), pad('0x00')]))
        const before = await block.state.getStorage(token, owned)
        const receipt = await block.execute(transaction, tracer)
        if (receipt.status === 1) await block.state.setStorage(token, owned, before)
        return receipt
      },
    })
  return withMembers(executor, {
    openBlock: async (options) => misopened(await executor.openBlock(options)),
  })
}

/** What a pool has, oldest first, each sender's by nonce. */
function inOrder(pool: Pool): Pick<ReturnType<Pool['select']>, 'next' | 'accept'> {
  const left = pool.content().pending.map((transaction, arrival) => ({
    ...{ transaction, arrival },
    estimatedSize: estimatedSize(transaction.raw) / 1_000_000n,
  }))
  const isFirst = ({ transaction: { from, nonce } }: (typeof left)[number]) =>
    !left.some((other) => other.transaction.from === from && other.transaction.nonce < nonce)
  let current: (typeof left)[number] | undefined
  return {
    next() {
      // What was handed out last, and what its sender sent after it, is left out where it was not accepted.
      const refused = current?.transaction.from
      current = left.find((each) => isFirst(each) && each.transaction.from !== refused)
      return current
    },
    accept() {
      if (current) left.splice(left.indexOf(current), 1)
      current = undefined
    },
  }
}
