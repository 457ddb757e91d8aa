import { describe, expect, it } from 'vitest'
import { findRule } from '#fixtures/rules/catalogue'
import type { JsonObject, Mutant, MutantContext, RpcCall } from '#mocks/zoo/mutant'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { ANSWER_MEMBERS } from './answer-member.ts'
import { SHAPE_MUTANTS } from './shape-mutants.ts'

const HASH = `0x${'0b'.repeat(32)}`
const call: RpcCall = { method: 'eth_getBlockByNumber', params: ['0x1', false] }

function find(id: string): Mutant {
  return SHAPE_MUTANTS.find((mutant) => mutant.id === id)!
}

/** The mutant's answers to one request after another, and how often it said that it changed one. */
async function answers(mutant: Mutant, rights: JsonObject[], more: Partial<MutantContext> = {}) {
  let changes = 0
  const { response } = mutant.apply({
    clock: new VirtualClock(),
    ask: async () => '0x1',
    noteChange: () => {
      changes += 1
    },
    ...more,
  })
  const results: unknown[] = []
  for (const result of rights) results.push((await response!({ id: 1, result }, call)).result)
  return { results, changes }
}

describe('mutants from shapes', () => {
  it('given all of them, then each is there once, and breaks a rule that exists', () => {
    expect(new Set(SHAPE_MUTANTS.map(({ id }) => id)).size).toBe(SHAPE_MUTANTS.length)
    for (const { rule } of ANSWER_MEMBERS) expect(() => findRule(rule)).not.toThrow()
  })

  it.each([
    ['absent', {}],
    ['null', { gasUsed: null }],
    ['zero', { gasUsed: '0x0' }],
    ['more', { gasUsed: '0x1b' }],
    ['less', { gasUsed: '0x19' }],
    ['other-case', { gasUsed: '0x1A' }],
    ['other-form', { gasUsed: '0x01a' }],
  ])('given a quantity and the wrong value %s, then it is answered', async (wrong, expected) => {
    const mutant = find(`block.shape-sealed-gasused-${wrong}-always`)
    const { results, changes } = await answers(mutant, [{ gasUsed: '0x1a' }])
    expect(results).toEqual([expected])
    expect(changes).toBe(1)
  })

  it.each([
    ['more', `${HASH.slice(0, -1)}c`],
    ['zero', `0x${'00'.repeat(32)}`],
    ['other-form', HASH.slice(2)],
  ])('given a hash and the wrong value %s, then it is answered', async (wrong, expected) => {
    const mutant = find(`block.shape-sealed-parenthash-${wrong}-always`)
    expect((await answers(mutant, [{ parentHash: HASH }])).results).toEqual([
      { parentHash: expected },
    ])
  })

  it('given the right value is the wrong one, then it tells of no change', async () => {
    const mutant = find('block.shape-sealed-gasused-zero-always')
    expect((await answers(mutant, [{ gasUsed: '0x0' }])).changes).toBe(0)
  })

  it('given a stale value, when the same is asked again, then the earlier one is answered', async () => {
    const mutant = find('block.shape-sealed-size-stale-always')
    const { results } = await answers(mutant, [{ size: '0x1' }, { size: '0x2' }])
    expect(results).toEqual([{ size: '0x1' }, { size: '0x1' }])
  })

  it('given every third, then the others are right', async () => {
    const mutant = find('block.shape-sealed-size-null-every-third')
    const { results } = await answers(mutant, Array(4).fill({ size: '0x1' }))
    expect(results).toEqual([{ size: '0x1' }, { size: '0x1' }, { size: null }, { size: '0x1' }])
  })

  it('given at the seal, then the first answer after a new head is wrong', async () => {
    const heads = ['0x1', '0x1', '0x2', '0x2']
    const mutant = find('block.shape-sealed-size-null-at-the-seal')
    const { results } = await answers(mutant, Array(4).fill({ size: '0x1' }), {
      ask: async () => heads.shift(),
    })
    expect(results).toEqual([{ size: '0x1' }, { size: '0x1' }, { size: null }, { size: '0x1' }])
  })

  it.each([
    [1, '0x1'],
    [2, null],
  ])('given concurrent and %i under way, then the size is %s', async (count, size) => {
    const mutant = find('block.shape-sealed-size-null-concurrent')
    const { results } = await answers(mutant, [{ size: '0x1' }], { underWay: () => count })
    expect(results).toEqual([{ size }])
  })

  it.each([
    ['result', { kind: 'SignerPublicKey', publicKey: Uint8Array.of(4, 7) }, [4, 8]],
    ['document', { kind: 'SignerAttestation', document: Uint8Array.of(1, 2, 255) }, [1, 2, 0]],
  ] as const)(
    'given the %s of an enclave, then its octets are changed',
    async (of, real, bytes) => {
      const { enclave } = find(`enclave.shape-${of}-more-always`).apply({
        clock: new VirtualClock(),
        ask: async () => null,
      })
      const request =
        real.kind === 'SignerPublicKey'
          ? { kind: real.kind }
          : { kind: real.kind, userData: null, nonce: null }
      const answer = enclave!.answer!(async () => encodeResponse(real))
      const { kind, ...members } = decodeResponse((await answer(encodeRequest(request)))!)
      expect(kind).toBe(real.kind)
      expect(Object.values(members).map((each) => [...each])).toEqual([bytes])
    },
  )
})
