import { describe, expect, test } from 'vitest'
import {
  decodeNsmRequest,
  decodeNsmResponse,
  encodeNsmRequest,
  encodeNsmResponse,
} from '#enclave/security-module/nsm-messages'
import * as ours from '#enclave/wire/messages'
import * as gate from '#suites/gate/conformance/spec/enclave-payloads'
import * as nsm from '#suites/gate/conformance/spec/nsm-messages'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const proposal = {
  outputRoot: hash('01'),
  signature: `0x${'02'.repeat(65)}`,
  l1OriginHash: hash('03'),
  l1OriginNumber: 300n,
  l2BlockNumber: 70_000n,
  prevOutputRoot: hash('04'),
  configHash: hash('05'),
} as const
const bytes = Uint8Array.of(1, 2, 3)

describe('the codecs of the gate and of the enclave, each written for itself, agree on', () => {
  test.each<gate.EnclaveRequest>([
    { kind: 'SignerPublicKey' },
    { kind: 'SignerAttestation', userData: bytes, nonce: null },
    {
      kind: 'Prove',
      preimages: [
        { key: { data: new Uint8Array(31).fill(7), type: 'sha256' }, value: new Uint8Array(300) },
      ],
    },
  ])('given the request $kind, then both write the same', (request) => {
    const theirs = ours.encodeRequest(request as ours.EnclaveRequest)
    expect(Buffer.from(gate.encodeRequest(request))).toEqual(theirs)
    expect(Buffer.from(gate.encodeRequest(gate.decodeRequest(theirs)))).toEqual(theirs)
  })

  test.each<gate.EnclaveResponse>([
    { kind: 'SignerPublicKey', publicKey: new Uint8Array(65) },
    { kind: 'SignerAttestation', document: new Uint8Array(70_000) },
    { kind: 'Error', message: 'ungültig' },
    {
      kind: 'Prove',
      result: { kind: 'Tee', aggregateProposal: proposal, proposals: [proposal, proposal] },
    },
    { kind: 'Prove', result: { kind: 'Zk', proofBytes: bytes } },
  ])('given the response $kind, then both write the same', (response) => {
    const theirs = ours.encodeResponse(response as ours.EnclaveResponse)
    expect(Buffer.from(gate.encodeResponse(response))).toEqual(theirs)
    expect(Buffer.from(gate.encodeResponse(gate.decodeResponse(theirs)))).toEqual(theirs)
  })

  test.each<nsm.NsmRequest>([
    { kind: 'GetRandom' },
    { kind: 'DescribePCR', index: 3 },
    { kind: 'Attestation', userData: bytes, nonce: null, publicKey: bytes },
  ])(
    'given the request $kind to a security module, then both write and read the same',
    (request) => {
      expect(nsm.encodeNsmRequest(request)).toEqual(encodeNsmRequest(request))
      expect(decodeNsmRequest(nsm.encodeNsmRequest(request))).toEqual(request)
      expect(nsm.decodeNsmRequest(encodeNsmRequest(request))).toEqual(request)
    },
  )

  test.each<nsm.NsmResponse>([
    { kind: 'GetRandom', random: bytes },
    { kind: 'DescribePCR', lock: true, data: bytes },
    { kind: 'Attestation', document: bytes },
    { kind: 'Error', code: 'InvalidIndex' },
  ])(
    'given the answer $kind of a security module, then each reads what the other wrote',
    (response) => {
      expect(decodeNsmResponse(nsm.encodeNsmResponse(response))).toEqual(response)
      expect(nsm.decodeNsmResponse(encodeNsmResponse(response))).toEqual(response)
    },
  )
})
