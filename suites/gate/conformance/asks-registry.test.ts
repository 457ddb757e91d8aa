import { expect, test } from 'vitest'
import { cases } from './cases/host/routing.ts'
import type { CaseContext } from './conformance-case.ts'

const [first, second] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`) as [string, string]
const asks = (signer: string) => `0xd5f50582${signer.slice(2).padStart(64, '0')}`

async function judge(bothValid: readonly string[], secondValid: readonly string[]): Promise<void> {
  const proofs = {
    signers: [first, second],
    bothValid: { registryCalls: bothValid.map(asks) },
    secondValid: { registryCalls: secondValid.map(asks) },
  }
  const asksRegistry = cases.find(({ id }) => id === 'host.routing.asks-registry.01')!
  await asksRegistry.run({ scene: async () => proofs } as unknown as CaseContext)
}

test.each([
  ['about each that it tries', [first], [first, second]],
  ['twice', [first, first], [first, second, first, second]],
  ['about its health meanwhile', [second, first, second], [second, first]],
])('given a host that asks %s, then it is right (ROUTE-06)', async (_name, both, one) => {
  await expect(judge(both, one)).resolves.toBeUndefined()
})

test.each([
  ['once', [first], [second]],
  ['about another address', [`0x${'33'.repeat(20)}`], [first, second]],
  ['about the second alone', [second], [first, second]],
  ['nothing', [], []],
])('given a host that asks %s, then it fails (ROUTE-06)', async (_name, both, one) => {
  await expect(judge(both, one)).rejects.toThrow()
})
