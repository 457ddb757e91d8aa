import { bytesToHex } from '@ethereumjs/util'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Log } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import { deploying, randomProgram } from '#suites/oracles/differential/random-code'
import type { RandomSource } from '#suites/oracles/differential/random-source'
import { configUpdateLog, depositLog } from './l1-logs.ts'

const ADDRESSES: readonly Address[] = [
  ...userKeys.map(({ address }) => address),
  ...Object.values(predeploys),
]
const ETHER = 10n ** 18n

/** What an L1 block brings to L2, now and then: users' deposits and a changed configuration. */
export function randomL1Events(random: RandomSource, config: RollupConfig): Log[] {
  const deposits = random.oneIn(3) ? 1 + random.below(3) : 0
  const logs = Array.from({ length: deposits }, () => deposit(random, config))
  if (random.oneIn(8)) logs.splice(random.below(logs.length + 1), 0, configUpdate(random, config))
  return logs
}

function deposit(random: RandomSource, config: RollupConfig): Log {
  const isCreation = random.oneIn(5)
  const program = randomProgram(random, ADDRESSES)
  const data = isCreation ? deploying(random, ADDRESSES, program) : random.bytes(random.below(40))
  return depositLog(config.depositContractAddress, {
    from: random.oneIn(4) ? bytesToHex(random.bytes(20)) : random.pick(ADDRESSES),
    to: isCreation ? undefined : random.pick(ADDRESSES),
    mint: BigInt(random.below(3)) * ETHER,
    // More than there is, at times: such a deposit fails and keeps its mint.
    value: BigInt(random.below(3)) * ETHER,
    gas: BigInt(21_000 + random.below(600_000)),
    data: bytesToHex(data),
  })
}

function configUpdate(random: RandomSource, config: RollupConfig): Log {
  const number = (least: number, range: number) => BigInt(least + random.below(range))
  const words: Record<number, () => bigint[]> = {
    // Version 1, blob base fee scalar, base fee scalar.
    1: () => [0n, (1n << 248n) | (number(0, 2_000_000) << 32n) | number(0, 10_000)],
    2: () => [number(30_000_000, 60_000_000)],
    4: () => [(number(1, 250) << 32n) | number(1, 10)],
    5: () => [(number(0, 1_000_000) << 64n) | number(0, 1_000_000)],
    6: () => [number(0, 1_000_000_000)],
    7: () => [number(0, 2_000)],
    // Of a type that nobody knows: to be ignored.
    9: () => [number(0, 100)],
  }
  const type = random.pick(Object.keys(words).map(Number))
  return configUpdateLog(config.l1SystemConfigAddress, type, words[type]!())
}
