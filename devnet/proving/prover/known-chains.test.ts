import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configHash } from '#protocol/derivation/config-hash'
import { knownChains } from './known-chains.ts'

const { tests: published } = JSON.parse(
  readFileSync(new URL('../../../fixtures/vectors/config-hash.json', import.meta.url), 'utf8'),
) as { tests: { chainId: number; configHash: string }[] }

describe('knownChains', () => {
  it.each([
    [8453, 1],
    [84_532, 11_155_111],
  ])(
    'given chain %i, when hashed, then it is the published config hash, and its L1 is %i (HOST-CFG-05, HOST-CFG-06, HOST-START-01, HOST-START-02)',
    (chainId, l1ChainId) => {
      const chain = knownChains.get(BigInt(chainId))!
      const vector = published.find((test) => test.chainId === chainId)
      expect(configHash(chain)).toBe(vector?.configHash)
      expect(chain.l1ChainId).toBe(l1ChainId)
      expect(BigInt(chain.batchInboxAddress) & 0xffffffffn).toBe(BigInt(`0x${chainId}`))
    },
  )
})
