import { bytesToHex } from '@ethereumjs/util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeResponse, encodeRequest } from '#enclave/wire/messages'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { checkProperty, safetySeed } from './check-property.ts'
import { honestClaim } from './claim.ts'
import { randomWorld } from './random-world.ts'
import { type EnclaveUnderTest, runEnclave } from './run-enclave.ts'
import { type KindedPreimage, witnessOf } from './witness-of.ts'

/** A request, and whether its preimages may come in any order. */
interface Request {
  payload(order: number): Uint8Array
  /** What the enclave answered the first time, in hex; nothing where it hung up. */
  answer?: string | undefined
}

let enclave: EnclaveUnderTest
/** Those that must fail come first: nothing that a later one brings may help them. */
let requests: Map<string, Request>

const prove = (preimages: readonly Preimage[]): Request => ({
  payload(order) {
    const rotated = [...preimages.slice(order % preimages.length), ...preimages]
    const pairs = rotated.slice(0, preimages.length).map(({ key, value }) => ({ key, value }))
    return encodeRequest({ kind: 'Prove', preimages: pairs })
  },
})
const plain = (payload: Uint8Array): Request => ({ payload: () => payload })

const ask = async (name: string, order: number): Promise<string | undefined> => {
  const answer = await enclave.exchange(requests.get(name)!.payload(order))
  return answer && bytesToHex(answer)
}

beforeAll(async () => {
  const [one, other] = [await randomWorld(safetySeed), await randomWorld(safetySeed + 1)]
  const claim = honestClaim(one, 0, one.blocks.length - 1)
  const witness = await witnessOf(one, claim)
  const second = await witnessOf(other, honestClaim(other, 1, other.blocks.length - 1))
  const wrong = await witnessOf(one, { ...claim, claimedRoot: one.rootOf(1) })
  const without = (kind: string) =>
    prove(witness.filter((preimage) => preimage !== last(witness, kind)))
  requests = new Map([
    ['nothing', prove([])],
    ['no state node', without('keccak256 l2-state-node')],
    ['no code', without('keccak256 l2-code')],
    ['no L1 header', without('keccak256 l1-block-header')],
    ['no claimed root', without('local 3')],
    ['a wrong claim', prove(wrong)],
    ['a forged node', prove(forged(witness))],
    ['garbage', plain(Uint8Array.of(9, 9))],
    ['a key', plain(encodeRequest({ kind: 'SignerPublicKey' }))],
    ['a range', prove(witness)],
    ['another range', prove(second)],
  ])
  enclave = await runEnclave(one.config)
  for (const [name, request] of requests) request.answer = await ask(name, 0)
})
afterAll(() => enclave?.stop())

test('given the requests one by one, then those that hold are proven and the others are not', () => {
  const kinds = [...requests].map(([name, { answer }]) => [
    name,
    answer && decodeResponse(Buffer.from(answer.slice(2), 'hex')).kind,
  ])
  const errors = ['nothing', 'no state node', 'no code', 'no L1 header', 'no claimed root']
  expect(kinds).toEqual([
    ...[...errors, 'a wrong claim', 'a forged node'].map((name) => [name, 'Error']),
    ['garbage', undefined],
    ['a key', 'SignerPublicKey'],
    ['a range', 'Prove'],
    ['another range', 'Prove'],
  ])
})

test('given any requests in any order, some at once, with preimages in any order, then each has the answer it had alone (SAFE-07, SAFE-08)', async () => {
  const request = fc.record({ name: fc.constantFrom(...requests.keys()), order: fc.nat(2_000) })
  // As many at once as the enclave takes without refusing any as busy.
  const together = fc.array(request, { minLength: 1, maxLength: 4 })
  const script = fc.array(together, { minLength: 1, maxLength: 4 })
  await checkProperty(
    'requests in the enclave process',
    script,
    async (script) => {
      for (const group of script) {
        const answers = await Promise.all(group.map(({ name, order }) => ask(name, order)))
        for (const [index, { name }] of group.entries())
          expect(answers[index], name).toBe(requests.get(name)!.answer)
      }
      return 'equal'
    },
    { share: 0.5 },
  )
})

function last(witness: readonly KindedPreimage[], kind: string): KindedPreimage {
  return witness.findLast((preimage) => preimage.kind === kind)!
}

function forged(witness: readonly KindedPreimage[]): Preimage[] {
  const target = last(witness, 'keccak256 l2-state-node')
  const value = Uint8Array.from(target.value, (byte, index) => (index === 3 ? byte ^ 1 : byte))
  return witness.map((preimage) => (preimage === target ? { ...target, value } : preimage))
}
