import type { Hex } from 'viem'
import type { L1Block, L1View } from '#devnet/l2/node/sequencer/l1-view'
import type { Clock } from '#protocol/clock/clock'
import type { L1Receipt } from '#protocol/derivation/l1-source'
import { seededRng } from '#protocol/random/rng'
import { type PortalDeposit as Deposit, depositLog } from '../derivation/l1-logs.ts'

export const portal = `0x${'90'.repeat(20)}` as const

type PortalDeposit = Omit<Deposit, 'data'>

export interface GeneratedL1 extends L1View {
  /** Puts a deposit into an L1 block that the clock has not reached yet. */
  deposit(blockNumber: number, deposit: PortalDeposit): void
}

/**
 * An L1 that grows with the clock, one block every `blockTime` seconds from `genesisTime` on, with
 * blocks that depend on nothing but their number and their deposits.
 */
export function generatedL1(clock: Clock, genesisTime: number, blockTime: number): GeneratedL1 {
  const deposits = new Map<number, PortalDeposit[]>()
  const head = () => BigInt(Math.floor((clock.now() / 1000 - genesisTime) / blockTime))
  return {
    head,
    block(number) {
      if (number > head()) return undefined
      const logs = (deposits.get(Number(number)) ?? []).map((each) =>
        depositLog(portal, { ...each, data: '0x' }),
      )
      return generatedL1Block(number, genesisTime + Number(number) * blockTime, [{ logs }])
    },
    async recall() {},
    remember() {},
    forget() {},
    deposit(blockNumber, deposit) {
      deposits.set(blockNumber, [...(deposits.get(blockNumber) ?? []), deposit])
    },
  }
}

export function l1Hash(number: bigint): Hex {
  return `0x${Buffer.from(seededRng(`l1 block ${number}`).bytes(32)).toString('hex')}`
}

/** A block that depends on its number and time alone. */
export function generatedL1Block(
  number: bigint,
  timestamp: number,
  receipts: L1Receipt[],
): L1Block {
  const unread = l1Hash(-1n)
  return {
    receipts,
    header: {
      hash: l1Hash(number),
      parentHash: l1Hash(number - 1n),
      number,
      timestamp: BigInt(timestamp),
      transactionsRoot: unread,
      receiptsRoot: unread,
      // May hold any log: receipts are looked at always.
      logsBloom: new Uint8Array(256).fill(0xff),
      mixHash: l1Hash(number + 1_000_000n),
      baseFee: 1_000_000_000n + number,
      blobBaseFee: 1n + number,
      parentBeaconBlockRoot: l1Hash(number + 2_000_000n),
    },
  }
}
