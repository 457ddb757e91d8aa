import { expect, test } from 'vitest'
import { startDevnet } from '../../devnet/start-devnet.ts'
import { configHash } from '../../enclave-sim/protocol/derivation/config-hash.ts'

const genesisTime = 1_780_000_000

async function facts(enclaves: number) {
  await using devnet = await startDevnet({ seed: 7, genesisTime, enclaves, manual: true })
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
  const [one, other] = [await facts(1), await facts(1)]
  expect(one).toEqual(other)
  expect(one.config.genesis.l2Time).toBe(genesisTime)
  expect(one.imageHash).toMatch(/^0x[0-9a-f]{64}$/)
  // Time runs from there.
  expect(one.firstBlockAt).toBe(genesisTime + 2)
})
