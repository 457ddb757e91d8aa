import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import type { ExecutedBlock, ProofRequest } from '#protocol/proof/types'
import type { Hash } from '#protocol/types/bytes'

/** What commit 3c522eca wrote down: it is never written again. */
interface Witness {
  config: RollupConfig
  request: ProofRequest
  /** By node, method and parameters. */
  answers: Record<string, unknown>
  /** A kind and a key each, in their order. */
  preimages: string[]
  /** Of all values. */
  bytes: number
  sha256: string
  blocks: ExecutedBlock[]
  configHash: Hash
}

const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, 'witness-before-upgrades.json'), 'utf8'),
  (_, value) => (/^\d+n$/.test(String(value)) ? BigInt(String(value).slice(0, -1)) : value),
) as Witness

test('given what nodes told the last commit that knew of no upgrades, then the same preimages are gathered in the same order, to the byte, and the same is proven', async () => {
  const { config, request, answers, preimages, bytes, sha256, blocks, configHash } = golden
  const node = (name: string): RpcClient => ({
    async request(method, params) {
      const answer = answers[[name, method, ...(params as unknown[])].join(' ')]
      if (answer === undefined) throw new RpcRefused(method, { code: -32601, message: 'not asked' })
      return answer
    },
  })
  const chains = new Map([[BigInt(config.l2ChainId), config]])
  const sources = { chainId: BigInt(config.l2ChainId), chains, l1: node('l1'), l2: node('l2') }
  const witness = await buildWitness(request, sources)

  expect(witness.map(({ key }) => `${key.type} ${bytesToHex(key.data)}`)).toEqual(preimages)
  expect(witness.reduce((sum, { value }) => sum + value.length, 0)).toBe(bytes)
  expect(digest(witness)).toBe(sha256)
  expect(await runProgram(verifiedOracle(witness), { chains })).toMatchObject({
    blocks,
    configHash,
  })
})

function digest(witness: readonly Preimage[]): string {
  const hash = createHash('sha256')
  for (const { key, value } of witness) hash.update(key.type).update(key.data).update(value)
  return hash.digest('hex')
}
