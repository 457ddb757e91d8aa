import { expect, test } from 'vitest'
import { startDevnet } from '#devnet/start-devnet'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { configHash } from '#protocol/derivation/config-hash'

const genesisTime = 1_780_000_000

/** Of a machine that takes three seconds to load what comes after its first look at the time. */
function slowClock(): Clock {
  const start = systemClock.now()
  let looks = 0
  const now = () => {
    looks += 1
    return looks === 1 ? start : systemClock.now() + 3_000
  }
  return { now, after: (delay, action) => systemClock.after(delay, action) }
}

async function facts(enclaves: number, clock: Clock = systemClock) {
  await using devnet = await startDevnet({ seed: 7, genesisTime, enclaves, clock, manual: true })
  const { config, description, node } = devnet
  const { timestamp } = (await node.seal()).header
  const [enclave] = description.enclaves
  return {
    config,
    hash: configHash(config),
    contracts: description.contracts,
    imageHash: enclave?.imageHash,
    firstBlockAt: Number(timestamp),
  }
}

test('given the same genesis time, then two starts have the same genesis, config hash, image and addresses', async () => {
  const [one, other] = [await facts(1), await facts(1, slowClock())]
  expect(one).toEqual(other)
  expect(one.config.genesis.l2Time).toBe(genesisTime)
  expect(one.imageHash).toMatch(/^0x[0-9a-f]{64}$/)
  // Time runs from there.
  expect(one.firstBlockAt).toBe(genesisTime + 2)
})
