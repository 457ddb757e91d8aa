import { describe, expect, it } from 'vitest'
import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { profileValues } from '#devnet/l2/node/rpc/profile-differences'
import {
  parseAttestationParams,
  parseProofRequest,
  proofRequestJson,
  proofResultJson,
} from './proof-json.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const parse = (params: RpcParams) => parseProofRequest(params, profileValues('spec'))
const proposer = `0x${'aa'.repeat(20)}` as const
const minimal = {
  l1_head: hash('11'),
  agreed_l2_head_hash: hash('22'),
  agreed_l2_output_root: hash('33'),
  claimed_l2_output_root: hash('44'),
  claimed_l2_block_number: 1000,
  proposer,
  intermediate_block_interval: 30,
}
const full = {
  ...minimal,
  l1_head_number: 123,
  image_hash: hash('55'),
}

describe('parseProofRequest', () => {
  it('given one positional request, when parsed and printed, then nothing is lost (OPEN-57…59)', () => {
    expect(proofRequestJson(parse([full]))).toEqual(full)
  })

  it('given the request by name, when parsed, then it is the same', () => {
    expect(parse({ request: full })).toEqual(parse([full]))
  })

  it('given no optional member and one unknown, when parsed, then the missing ones are zero, and the L1 number is left to its header', () => {
    const request = parse([{ ...minimal, later: true }])
    expect(request).toMatchObject({
      proposer,
      intermediateBlockInterval: 30n,
      l1HeadNumber: undefined,
      imageHash: hash('00'),
    })
    expect(proofRequestJson(request)).not.toHaveProperty('l1_head_number')
    expect(parse([{ ...minimal, l1_head_number: null }]).l1HeadNumber).toBeUndefined()
    expect(parse([{ ...minimal, l1_head_number: 0 }]).l1HeadNumber).toBe(0n)
  })

  it('given no proposer, when parsed, then it is refused; in profile base it is the zero address (PRV-REQ-08)', () => {
    const { proposer: _, ...anonymous } = minimal
    for (const request of [anonymous, { ...anonymous, proposer: null }]) {
      expect(() => parse([request])).toThrow(expect.objectContaining({ rpcCode: -32602 }))
    }
    const base = parseProofRequest([anonymous], profileValues('base'))
    expect(base.proposer).toBe(`0x${'00'.repeat(20)}`)
  })

  it('given no interval, when parsed, then it is refused, and zero only where it says so; in profile base it is zero (PRV-REQ-09)', () => {
    const { intermediate_block_interval: _, ...strideless } = minimal
    for (const request of [strideless, { ...strideless, intermediate_block_interval: null }])
      expect(() => parse([request])).toThrow(expect.objectContaining({ rpcCode: -32602 }))
    const zero = parse([{ ...strideless, intermediate_block_interval: 0 }])
    expect(zero.intermediateBlockInterval).toBe(0n)
    const base = parseProofRequest([strideless], profileValues('base'))
    expect(base.intermediateBlockInterval).toBe(0n)
  })

  it.each([
    ['no 0x', 'aB'.repeat(32)],
    ['mixed case', `0x${'aB'.repeat(32)}`],
    ['an array of bytes', Array(32).fill(0xab)],
  ])('given a hash with %s, when parsed, then it is accepted', (_, l1_head) => {
    expect(parse([{ ...minimal, l1_head }]).l1Head).toBe(hash('ab'))
  })

  it.each([
    ['a hex string where a number belongs', [{ ...minimal, claimed_l2_block_number: '0x3e8' }]],
    ['a negative number', [{ ...minimal, claimed_l2_block_number: -1 }]],
    ['a fraction', [{ ...minimal, claimed_l2_block_number: 1.5 }]],
    ['a hash of 31 bytes', [{ ...minimal, l1_head: `0x${'11'.repeat(31)}` }]],
    ['a missing member', [{ ...minimal, l1_head: undefined }]],
    ['no params', undefined],
    ['an empty list', []],
    ['a request that is a string', ['x']],
  ])('given %s, when parsed, then it is -32602 Invalid params', (_, params) => {
    expect(() => parse(params)).toThrow(
      expect.objectContaining({ rpcCode: -32602, message: 'Invalid params' }),
    )
  })
})

describe('parseAttestationParams', () => {
  const bytes = Uint8Array.of(1, 255)

  it.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['nulls', [null, null]],
    ['an empty object', {}],
  ])('given %s, when parsed, then both are absent', (_, params) => {
    expect(parseAttestationParams(params)).toEqual({ userData: undefined, nonces: undefined })
  })

  it.each([
    ['positions', [[1, 255], [[1, 255]]]],
    ['names', { user_data: [1, 255], nonces: [[1, 255]] }],
    ['camelCase names', { userData: [1, 255], nonces: [[1, 255]] }],
    ['hex strings', ['0x01ff', ['01FF']]],
  ])('given %s, when parsed, then the bytes are there', (_, params) => {
    expect(parseAttestationParams(params)).toEqual({ userData: bytes, nonces: [bytes] })
  })

  it.each([[[[256]]], [['0x1']], [[null, [1]]], [[7]]])(
    'given %j, when parsed, then -32602',
    (params) => {
      expect(() => parseAttestationParams(params)).toThrow('Invalid params')
    },
  )
})

describe('proofResultJson', () => {
  it('given a proof, when printed, then it has the seven members of each proposal (PRV-PROP-01)', () => {
    const proposal = {
      outputRoot: hash('01'),
      signature: `0x${'ab'.repeat(64)}00`,
      l1OriginHash: hash('02'),
      l1OriginNumber: 100n,
      l2BlockNumber: 12345n,
      prevOutputRoot: hash('03'),
      configHash: hash('04'),
    } as const
    const json = {
      output_root: hash('01'),
      signature: `0x${'ab'.repeat(64)}00`,
      l1_origin_hash: hash('02'),
      l1_origin_number: 100,
      l2_block_number: 12345,
      prev_output_root: hash('03'),
      config_hash: hash('04'),
    }
    expect(proofResultJson({ aggregateProposal: proposal, proposals: [proposal] })).toEqual({
      Tee: { aggregate_proposal: json, proposals: [json] },
    })
  })
})
