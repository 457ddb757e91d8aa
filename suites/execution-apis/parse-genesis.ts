import { Hardfork } from '@ethereumjs/common'
import { z } from 'zod'
import type { Alloc } from '../../enclave-sim/protocol/types/account.ts'
import type { Header } from '../../enclave-sim/protocol/types/block.ts'
import type { Address } from '../../enclave-sim/protocol/types/bytes.ts'

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

const genesisFile = z.object({
  config: z.object({ chainId: z.number() }).catchall(z.unknown()),
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
}

/** Reads the `genesis.json` that belongs to a chain file. */
export function parseGenesis(json: unknown): Genesis {
  const { config, alloc } = genesisFile.parse(json)
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
  }
}
