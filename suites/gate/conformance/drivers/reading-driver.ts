import { createPublicClient } from 'viem'
import { notApplicable } from '../case-failure.ts'
import { poll } from '../poll.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import type { Driver, DriverOptions } from './driver.ts'
import { driverTransport } from './driver-transport.ts'
import { findProvableRange } from './provable-range.ts'

const ACCOUNTS = 10
const PATIENCE = 30_000

/** Senders that exist on no chain; calls give them money by an override. */
export const PLACED_ACCOUNTS: readonly Hex[] = Array.from({ length: ACCOUNTS }, (_, index) => {
  const name = Buffer.from(`rollbed account ${index}`)
  return `0x${keccak256(name).slice(26)}` as Hex
})

/**
 * What can be done without sending anything: it waits, finds a range that can be proven, and names
 * senders that calls give money by an override. A case that must send is not applicable.
 */
export function createReadingDriver(options: DriverOptions): Driver {
  const { clock, signal, headers } = options
  const { rpc, l1 } = options.targets
  const every = options.rps ? 4_000 / options.rps : 100
  return {
    name: 'none',
    onlyReads: true,
    accounts: PLACED_ACCOUNTS,
    send: async () => mustSend(),
    sealed: async () => mustSend(),
    async blockStart() {
      const client = createPublicClient({
        transport: driverTransport(rpc ?? mustSend(), headers),
      })
      const before = await client.getBlockNumber({ cacheTime: 0 })
      // A chain that stands still, such as an archive, can be read all the same: nothing of ours waits for a block.
      await poll({ clock, signal, every, within: PATIENCE }, async () => {
        const now = await client.getBlockNumber({ cacheTime: 0 })
        return now > before ? now : undefined
      })
    },
    ...(rpc &&
      l1 && {
        provableRange: (blocks: number) => findProvableRange({ ...options, rpc, l1, blocks }),
      }),
  }
}

function mustSend(): never {
  notApplicable('It needs transactions of its own.')
}
