import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { PoolRejected } from '#devnet/l2/node/mempool/pool-rejected'
import { nodePart } from '#devnet/rollup/parts/node-part'
import type { Address } from '#protocol/types/bytes'
import { answering, readJson } from './answering.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

/** What nobody looked at until strangers planted it: prices, marks, halves of the pool, filters, spellings. */
export const answerBugs: readonly PlantedBug[] = [
  {
    name: 'takes-final-for-latest',
    says: 'Whoever asks for a balance at safe, at finalized or by the hash of a block is answered that of latest.',
    breaks: 'values-are-true',
    plant: () =>
      answering('eth_getBalance', (methods) => (params, context) => {
        const [address, at] = params as unknown[]
        const isNamed = at === 'safe' || at === 'finalized' || typeof at === 'object'
        return methods.eth_getBalance!([address, isNamed ? 'latest' : at], context)
      }),
  },
  {
    name: 'asks-for-a-tip-alone',
    says: 'The price of gas is told without the base fee.',
    breaks: 'facts-are-true',
    plant: () => answering('eth_gasPrice', () => () => '0xf4240'),
  },
  {
    name: 'forgets-that-logs-are-gone',
    says: 'A filter does not collect the logs of blocks that were taken back.',
    breaks: 'streams-are-whole',
    plant: () =>
      answering('eth_getFilterChanges', (methods) => async (params, context) => {
        const changes = readJson(await methods.eth_getFilterChanges!(params, context))
        return (changes as { removed: boolean }[]).filter(({ removed }) => !removed)
      }),
  },
  {
    name: 'asks-for-a-fifth-more',
    says: 'In place of what waits only what pays a fifth more is taken.',
    breaks: 'valid-is-taken',
    plant: () => ({
      node: {
        ...nodePart,
        async start(...[context, given]: Parameters<typeof nodePart.start>) {
          const node = await nodePart.start(context, given)
          const { pool } = node
          const add = pool.add.bind(pool)
          Object.assign(pool, {
            add(...[transaction, around]: Parameters<typeof add>) {
              const older = pool
                .transactions()
                .find(
                  ({ from, nonce }) =>
                    from === transaction.from && nonce === Object(transaction).nonce,
                )
              if (older && Object(transaction).maxFeePerGas * 100n < older.maxFeePerGas * 120n)
                throw new PoolRejected(
                  'REPLACEMENT_UNDERPRICED',
                  'replacement transaction underpriced',
                )
              return add(transaction, around)
            },
          })
          return node
        },
      },
    }),
  },
  {
    name: 'tells-wallets-in-small-letters',
    says: 'A code is told for a wallet in small letters alone.',
    breaks: 'codes-are-spelled',
    plant: () => ({
      openCodeRegistry(path, rng, onOpen) {
        const registry = openCodeRegistry(path, rng, onOpen)
        return withMembers(registry, {
          register(wallet) {
            const registration = registry.register(wallet)
            return { ...registration, walletAddress: wallet.toLowerCase() as Address }
          },
        })
      },
    }),
  },
]
