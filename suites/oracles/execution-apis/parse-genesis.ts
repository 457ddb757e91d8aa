import { Hardfork } from '@ethereumjs/common'
import { z } from 'zod'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { genesisBlock } from '#protocol/execution/genesis'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Alloc } from '#protocol/types/account'
import type { Block, Header } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

/** When a fork begins: by number before the merge, by time after Paris. */
const FORKS = [
  ['homesteadBlock', Hardfork.Homestead],
  ['eip150Block', Hardfork.TangerineWhistle],
  ['eip158Block', Hardfork.SpuriousDragon],
  ['byzantiumBlock', Hardfork.Byzantium],
  ['constantinopleBlock', Hardfork.Constantinople],
  ['petersburgBlock', Hardfork.Petersburg],
  ['istanbulBlock', Hardfork.Istanbul],
  ['berlinBlock', Hardfork.Berlin],
  ['londonBlock', Hardfork.London],
  ['mergeNetsplitBlock', Hardfork.Paris],
  ['shanghaiTime', Hardfork.Shanghai],
  ['cancunTime', Hardfork.Cancun],
  ['pragueTime', Hardfork.Prague],
] as const

const quantity = z.string().transform((text) => BigInt(text))

const hex = z.string().transform((text) => text as Hex)

const genesisFile = z.object({
  config: z.object({ chainId: z.number() }).catchall(z.unknown()),
  timestamp: quantity.default(0n),
  gasLimit: quantity.default(0n),
  difficulty: quantity.default(0n),
  extraData: hex.default('0x'),
  alloc: z.record(
    z.string().transform((address): Address => `0x${address.toLowerCase().replace(/^0x/, '')}`),
    z.object({
      balance: quantity,
      nonce: quantity.optional(),
      code: z.string().optional(),
      storage: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

export interface Genesis {
  chainId: bigint
  alloc: Alloc
  /** The newest of the forks up to Prague that is active in a block. */
  hardfork(header: Pick<Header, 'number' | 'timestamp'>): Hardfork
  /** Block 0; its hash is the parent's hash of block 1. */
  block(stateRoot: Hash, hash: Hash): Block
}

/** Reads the `genesis.json` that belongs to a chain file. */
export function parseGenesis(json: unknown): Genesis {
  const { config, alloc, ...fields } = genesisFile.parse(json)
  return {
    chainId: BigInt(config.chainId),
    alloc: alloc as Alloc,
    hardfork({ number, timestamp }) {
      const active = FORKS.filter(([key]) => {
        const at = key.endsWith('Time') ? timestamp : number
        const from = config[key]
        return typeof from === 'number' && BigInt(from) <= at
      })
      return active.at(-1)?.[1] ?? Hardfork.Chainstart
    },
    block(stateRoot, hash) {
      const { timestamp, gasLimit } = fields
      const block = genesisBlock({
        store: new MemoryStore(),
        stateRoot: EMPTY_TRIE_ROOT,
        fork: 'isthmus',
        ...{ timestamp, gasLimit, baseFeePerGas: 0n },
        eip1559: { denominator: 250, elasticity: 6 },
        overrides: { ...fields, stateRoot, miner: `0x${'00'.repeat(20)}` },
      })
      return { ...block, hash }
    },
  }
}
