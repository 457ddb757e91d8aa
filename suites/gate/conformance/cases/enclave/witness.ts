import { hexToBytes, numberToBytes, toHex } from 'viem'
import { cannotJudge } from '../../case-failure.ts'
import type { Scene } from '../../conformance-case.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { provableRange } from '../../scenes/proofs.ts'
import { recordedWitness } from '../../scenes/recorded-witness.ts'
import { decodeCoseDocument } from '../../spec/cose-document.ts'
import {
  attestationFrame,
  type EnclaveResponse,
  expectResponse,
  hashKey,
  LOCAL,
  localKey,
  type PreimagePair,
  proveFrame,
  SIGNER_PUBLIC_KEY,
} from '../../spec/enclave-messages.ts'
import { expectRawSignature } from '../../spec/expect-raw-signature.ts'
import { addressOfKey, keccak256 } from '../../spec/hash.ts'
import type { ProofRequestJson, ProposalJson } from '../../spec/proof-json.ts'
import { isBlockSigned, readingsOfAggregate, type Signer } from '../../spec/signed-proof.ts'
import { ENDS_WITHIN, type EnclaveReply } from '../../wire/enclave-client.ts'
import type { Hex } from '../../wire/hex.ts'
import { turnsOf } from '../../wire/turns-of.ts'

const NEEDS = ['enclave', 'driver', ...HOST_NEEDS] as const
const PROVES_WITHIN = 60_000
const OTHER = `0x${'5a'.repeat(32)}` as const
/** With zeros at both ends, which a number would not keep. */
const PROPOSER = `0x00${'07'.repeat(18)}00` as const
const UNKNOWN_CHAIN = 999_999_999
/** Bytes of a preimage longer than nodes of a trie. */
const LONG = 2_000
/** Bytes of the commitment to a blob. */
const COMMITMENT = 48

/** An enclave makes one proof at a time and may refuse more (OPEN-91), so each waits its turn in its run. */
const turnsToProve: Scene<ReturnType<typeof turnsOf>> = {
  name: 'turns to prove',
  kind: 'observation',
  build: async () => turnsOf(1),
}

async function prove(t: CaseContext, pairs: readonly PreimagePair[]): Promise<EnclaveResponse> {
  const options = { within: PROVES_WITHIN, closesWithin: ENDS_WITHIN }
  const inTurn = await t.scene(turnsToProve)
  const send = () => t.enclave.send(proveFrame(pairs), options)
  const { payloads, closed } = await inTurn(send, t.limit)
  const response = expectResponse(payloads[0], 'reply to Prove', t)
  expectEqual(closed, true, 'closed after the reply to Prove')
  return response
}

/** The proof of the whole witness, as it was recorded. */
interface WholeProof extends Extract<EnclaveResponse, { kind: 'proof' }> {
  /** Replies to signer_public_key and signer_attestation that were asked for meanwhile. */
  beside: EnclaveReply[]
}

const wholeProof: Scene<WholeProof> = {
  name: 'proof over the wire',
  kind: 'observation',
  async build(t) {
    const { pairs } = await t.scene(recordedWitness)
    const [response, ...beside] = await Promise.all([
      prove(t, pairs),
      ...[SIGNER_PUBLIC_KEY, attestationFrame()].map((bytes) => t.enclave.send(bytes)),
    ])
    expectThat(response.kind === 'proof', 'a proof', response, 'reply to the recorded witness')
    return { ...response, beside }
  },
}

function expectRefusal(response: EnclaveResponse, at: string): string {
  expectThat(response.kind === 'error', 'an error and no proof', response, at)
  return response.message
}

const withLocal = (pairs: readonly PreimagePair[], identifier: number, value: Uint8Array) => {
  const key = toHex(localKey(identifier))
  return pairs.map((pair) =>
    pair.type === 'local' && toHex(pair.key) === key ? { ...pair, value } : pair,
  )
}
const localIn = (pairs: readonly PreimagePair[], identifier: number) => {
  const key = toHex(localKey(identifier))
  return pairs.find((pair) => pair.type === 'local' && toHex(pair.key) === key)?.value
}
const withoutLocal = (pairs: readonly PreimagePair[], identifier: number) => {
  const key = toHex(localKey(identifier))
  return pairs.filter((pair) => !(pair.type === 'local' && toHex(pair.key) === key))
}
const flipped = (value: Uint8Array) => Uint8Array.from(value, (byte, i) => (i ? byte : byte ^ 1))

const flippedAtEnd = (value: Uint8Array) => flipped(value.toReversed()).toReversed()

/** Who the enclave says that it is, on the wire: its key, and PCR0 of its document. */
async function readIdentity(t: CaseContext): Promise<Signer> {
  const ask = async (frame: Uint8Array, what: string) => {
    const response = expectResponse((await t.enclave.send(frame)).payloads[0], what)
    expectThat(response.kind === 'bytes', 'bytes', response, what)
    return response.bytes
  }
  const key = await ask(SIGNER_PUBLIC_KEY, 'reply to signer_public_key')
  const document = await ask(attestationFrame(), 'reply to signer_attestation')
  const pcr0 = decodeCoseDocument(document, 'document').payload.pcrs.get(0)
  expectThat(pcr0 !== undefined, 'PCR0', 'none', 'document')
  return { signer: addressOfKey(key), imageHash: keccak256(pcr0) }
}

/** Each block and the whole are signed by the enclave, for what was put among the pairs. */
async function expectSignedFor(
  t: CaseContext,
  put: Partial<ProofRequestJson>,
  { aggregate, proposals }: Pick<WholeProof, 'aggregate' | 'proposals'>,
): Promise<void> {
  const request = { ...(await t.scene(recordedWitness)).request, ...put }
  const { agreedNumber: start, agreedRoot: previous, roots } = await t.scene(provableRange)
  const range = { start, previous, roots }
  const signers = [await readIdentity(t)]
  for (const [index, proposal] of proposals.entries()) {
    const isSigned = isBlockSigned(signers, request, proposal, range, index)
    expectEqual(isSigned, true, `proposals[${index}] is signed by the key of the enclave`)
  }
  const isSigned = readingsOfAggregate(signers, request, aggregate, range).length > 0
  expectEqual(isSigned, true, 'the aggregate is signed by the key of the enclave')
}

/** A proposal but for its signature, and for what today's chain adds. */
const contentOf = ({ signature: _, schedule_id: __, ...rest }: ProposalJson) => rest

/** Boot values whose change must not go unnoticed, and what is put in their place. */
const REFUSED: readonly (readonly [string, string, number, Hex])[] = [
  ['l1 head', 'PIPE-10', LOCAL.l1Head, OTHER],
  ['agreed root', 'PIPE-11', LOCAL.agreedRoot, OTHER],
  ['claimed root', 'PIPE-12', LOCAL.claimedRoot, OTHER],
]

export const cases = defineCases([
  {
    id: 'enclave.prove.witness.01',
    title: 'A recorded witness, sent by hand, is proved, and the connection ended',
    area: 'enclave',
    rules: ['ENC-KIND-01', 'ENC-PROTO-04', 'PIPE-05'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'The pairs are all an enclave needs: it asks nobody back.',
    async run(t) {
      const { request } = await t.scene(recordedWitness)
      const { aggregate, proposals } = await t.scene(wholeProof)
      expectEqual(aggregate.output_root, request.claimed_l2_output_root, 'aggregate.output_root')
      expectEqual(proposals.at(-1)?.l2_block_number, request.claimed_l2_block_number, 'last block')
    },
  },
  {
    id: 'enclave.prove.content.01',
    title:
      'What an enclave proves is each block of the range, by the roots of the chain, and signed by its key',
    area: 'enclave',
    rules: [
      ...['ENC-KIND-01', 'PIPE-10', 'PIPE-17', 'PIPE-19', 'PIPE-20', 'PRV-RES-03', 'PRV-RES-05'],
      ...['PRV-RES-06', 'PRV-RES-07', 'PRV-PROP-03', 'PRV-PROP-04', 'PRV-PROP-07', 'SIG-05'],
      ...['SIG-01', 'SIG-02', 'SIG-04'],
    ],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Key and measurement are asked on the same wire; roots are of the headers of L2.',
    async run(t) {
      const { request } = await t.scene(recordedWitness)
      const { agreedNumber: start, agreedRoot: previous, roots } = await t.scene(provableRange)
      const { aggregate, proposals } = await t.scene(wholeProof)
      const { config_hash } = aggregate
      expectDifferent(config_hash, `0x${'00'.repeat(32)}`, 'aggregate.config_hash')
      const endingAt = (index: number, prev_output_root: Hex) => ({
        output_root: roots[index]!,
        l1_origin_hash: request.l1_head,
        l1_origin_number: request.l1_head_number,
        l2_block_number: start + 1 + index,
        prev_output_root,
        config_hash,
      })
      const blocks = roots.map((_, index) => endingAt(index, roots[index - 1] ?? previous))
      expectEqual(proposals.map(contentOf), blocks, 'proposals without signatures')
      const whole = endingAt(roots.length - 1, previous)
      expectEqual(contentOf(aggregate), whole, 'aggregate without signature')
      expectRawSignature(aggregate.signature, 'the aggregate')
      for (const [index, { signature }] of proposals.entries())
        expectRawSignature(signature, `proposals[${index}]`)
      await expectSignedFor(t, {}, { aggregate, proposals })
    },
  },
  {
    id: 'enclave.prove.asked-beside.01',
    title: 'An enclave that is asked for its key and a document while it proves gives both',
    area: 'enclave',
    rules: ['ENC-KIND-02', 'ENC-KIND-03'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'At once or when the proof is done (OPEN-91): a host asks for the key before each.',
    async run(t) {
      const { beside } = await t.scene(wholeProof)
      for (const [index, { payloads }] of beside.entries()) {
        const what = ['reply to signer_public_key', 'reply to signer_attestation'][index]!
        const response = expectResponse(payloads[0], what)
        const isRight = response.kind === 'bytes' && response.variant === index + 1
        expectThat(isRight, 'what was asked for', response, what)
      }
    },
  },
  {
    id: 'enclave.prove.keccak-checked.01',
    title: 'One wrong bit in a Keccak-256 preimage that is read, or in a key, is an error',
    area: 'enclave',
    rules: ['PIPE-07'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'The starting output root, so that nothing goes on without it.',
    async run(t) {
      const { pairs, request } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const key = toHex(hexToBytes(request.agreed_l2_output_root).subarray(1))
      const isStart = (pair: PreimagePair) => pair.type === 'keccak256' && toHex(pair.key) === key
      if (!pairs.some(isStart)) cannotJudge('The witness has no preimage of the agreed root.')
      const changed = pairs.map((p) => (isStart(p) ? { ...p, value: flipped(p.value) } : p))
      expectRefusal(await prove(t, changed), 'reply to a wrong bit')
      const value = Uint8Array.of(1)
      const almost = {
        type: 'keccak256' as const,
        key: flipped(hashKey('keccak256', value)),
        value,
      }
      expectRefusal(
        await prove(t, [...pairs, almost]),
        'reply to a wrong bit at the front of a key',
      )
      const atEnd = { ...almost, key: flippedAtEnd(hashKey('keccak256', value)) }
      expectRefusal(await prove(t, [...pairs, atEnd]), 'reply to a wrong bit at the end of a key')
    },
  },
  {
    id: 'enclave.prove.sha256-checked.01',
    title: 'A wrong SHA-256 preimage is an error',
    area: 'enclave',
    rules: ['PIPE-08'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Blob commitments are kept under such keys.',
    async run(t) {
      const { pairs } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      for (const length of [1, COMMITMENT]) {
        const [right, value] = [1, 2].map((byte) => new Uint8Array(length).fill(byte))
        const wrong = { type: 'sha256' as const, key: hashKey('sha256', right!), value: value! }
        const before = { ...wrong, value: right! }
        const all = [before, ...pairs, wrong]
        expectRefusal(await prove(t, all), `reply to ${length} wrong bytes behind right ones`)
      }
    },
  },
  {
    id: 'enclave.prove.unused-checked.01',
    title: 'A wrong preimage that no step reads is an error all the same',
    area: 'enclave',
    rules: ['SAFE-05', 'PIPE-07'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Everything is verified on entry, not when it is read.',
    async run(t) {
      const { pairs } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const key = hashKey('keccak256', Uint8Array.of(1))
      const wrong = (value: Uint8Array) => ({ type: 'keccak256' as const, key, value })
      const last = [...pairs, wrong(Uint8Array.of(2))]
      expectRefusal(await prove(t, last), 'reply to an unused wrong preimage behind all others')
      const first = [wrong(new Uint8Array(LONG).fill(2)), ...pairs]
      expectRefusal(await prove(t, first), 'reply to a long one before all others')
      const empty = [...pairs, wrong(new Uint8Array())]
      expectRefusal(await prove(t, empty), 'reply to an empty one')
      const known = pairs.find(({ type }) => type === 'keccak256')
      if (!known) cannotJudge('The witness has no Keccak-256 preimage.')
      const twice = [...pairs, { ...known, value: Uint8Array.of(2) }]
      expectRefusal(await prove(t, twice), 'reply to a wrong one behind the right one of its key')
    },
  },
  {
    id: 'enclave.prove.proposer.01',
    title:
      'Another proposer among the pairs is signed for in every journal, and changes nothing else',
    area: 'enclave',
    rules: ['PIPE-09', 'PRV-REQ-08', 'JRN-03'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'It stands in every journal and in no proposal.',
    async run(t) {
      const { pairs } = await t.scene(recordedWitness)
      const whole = await t.scene(wholeProof)
      const other = await prove(t, withLocal(pairs, LOCAL.proposer, hexToBytes(PROPOSER)))
      expectThat(other.kind === 'proof', 'a proof', other, 'reply')
      for (const [index, { signature, ...rest }] of other.proposals.entries()) {
        const { signature: before, ...same } = whole.proposals[index]!
        expectDifferent(signature, before, `proposals[${index}].signature`)
        expectEqual(rest, same, `proposals[${index}]`)
      }
      await expectSignedFor(t, { proposer: PROPOSER }, other)
    },
  },
  ...REFUSED.map(([what, rule, identifier, value]) => ({
    id: `enclave.prove.${what.replace(' ', '-')}.01`,
    title: `Another ${what} among the pairs leads to no signature`,
    area: 'enclave' as const,
    rules: [rule],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'The enclave takes it from the pairs, and nothing else then fits.',
    async run(t: CaseContext) {
      const { pairs } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const changed = withLocal(pairs, identifier, hexToBytes(value))
      expectRefusal(await prove(t, changed), `reply to another ${what}`)
    },
  })),
  {
    id: 'enclave.prove.claimed-root.02',
    title: 'Zeros, or the agreed root, for the claimed root among the pairs lead to no signature',
    area: 'enclave',
    rules: ['PIPE-12', 'PIPE-18', 'SAFE-03'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Whatever is claimed is compared: an enclave trusts no host to have looked.',
    async run(t) {
      const { pairs, request } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      for (const claim of [`0x${'00'.repeat(32)}` as const, request.agreed_l2_output_root]) {
        const changed = withLocal(pairs, LOCAL.claimedRoot, hexToBytes(claim))
        expectRefusal(await prove(t, changed), `reply to the claim ${claim}`)
      }
    },
  },
  {
    id: 'enclave.prove.interval.01',
    title: 'Another interval among the pairs changes the aggregate signature alone',
    area: 'enclave',
    rules: ['PIPE-13'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'It decides which roots the aggregate journal holds.',
    async run(t) {
      const { pairs } = await t.scene(recordedWitness)
      const whole = await t.scene(wholeProof)
      const one = numberToBytes(1, { size: 8 })
      const other = await prove(t, withLocal(pairs, LOCAL.interval, one))
      expectThat(other.kind === 'proof', 'a proof', other, 'reply')
      expectDifferent(other.aggregate.signature, whole.aggregate.signature, 'aggregate.signature')
      expectEqual(other.proposals, whole.proposals, 'proposals')
      await expectSignedFor(t, { intermediate_block_interval: 1 }, other)
    },
  },
  {
    id: 'enclave.prove.unsupported-chain.01',
    title: 'An unknown chain id among the pairs is an unsupported chain, and nothing is proved',
    area: 'enclave',
    rules: ['PIPE-14', 'ERR-16', 'ERR-17'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'No config hash is made up for a chain that is not in the table.',
    async run(t) {
      const { pairs } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const known = localIn(pairs, LOCAL.chainId)
      // One that begins with other bits than the chain's own and ends as it does.
      const longer = known && Uint8Array.from(known, (byte, at) => (at === 3 ? 1 : byte))
      for (const value of [numberToBytes(UNKNOWN_CHAIN, { size: 8 }), longer]) {
        if (!value) continue
        const reply = await prove(t, withLocal(pairs, LOCAL.chainId, value))
        const message = expectRefusal(reply, `reply to the unknown chain ${toHex(value)}`)
        expectThat(/unsupported\s*chain/i.test(message), 'unsupported chain', message, 'message')
      }
    },
  },
  {
    id: 'enclave.prove.batches-left-out.01',
    title: 'Without the batches of L1 nothing is proved',
    area: 'enclave',
    rules: ['PIPE-16'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'L2 blocks are derived from L1, not taken from the host.',
    async run(t) {
      const { pairs, request } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const left = await withoutBatches(t, pairs, request.l1_head_number)
      if (left.length === pairs.length)
        cannotJudge('No pair holds a blob, or the input of an L1 transaction.')
      expectRefusal(await prove(t, left), 'reply without batches')
    },
  },
  {
    id: 'enclave.prove.nothing-kept.01',
    title: 'A pair that was there in one request is missing in the next',
    area: 'enclave',
    rules: ['SAFE-07'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'A cache of preimages would let one caller live on what another proved.',
    async run(t) {
      const { pairs, request } = await t.scene(recordedWitness)
      await t.scene(wholeProof)
      const key = toHex(hexToBytes(request.agreed_l2_output_root).subarray(1))
      const left = pairs.filter((pair) => pair.type === 'local' || toHex(pair.key) !== key)
      expectThat(left.length < pairs.length, 'a preimage of the agreed root', 'none', 'witness')
      expectRefusal(await prove(t, left), 'reply without the agreed root')
    },
  },
  {
    id: 'enclave.prove.nothing-kept.02',
    title: 'A chain, proposer or interval that was named in one request is not that of the next',
    area: 'enclave',
    rules: ['SAFE-07', 'PIPE-09', 'PIPE-13', 'PIPE-14'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale:
      'What stands for a value that is missing is open, and is none of the caller before: his proof would be signed.',
    async run(t) {
      const { pairs, request } = await t.scene(recordedWitness)
      const whole = await t.scene(wholeProof)
      const chain = await prove(t, withoutLocal(pairs, LOCAL.chainId))
      expectRefusal(chain, 'reply without a chain id')
      for (const [what, identifier] of [
        ['a proposer', LOCAL.proposer],
        ['an interval', LOCAL.interval],
      ] as const) {
        // Whatever came before, now it is this one.
        const again = await prove(t, pairs)
        expectThat(again.kind === 'proof', 'a proof', again, 'reply to the whole witness again')
        const proposals = [again.aggregate, ...again.proposals].map(contentOf)
        const first = [whole.aggregate, ...whole.proposals].map(contentOf)
        expectEqual(proposals, first, 'proposals of the whole witness again')
        await expectSignedFor(t, {}, again)
        const reply = await prove(t, withoutLocal(pairs, identifier))
        if (reply.kind !== 'proof' || Number(request.intermediate_block_interval) === 0) continue
        const { signature } = reply.aggregate
        expectDifferent(
          signature,
          whole.aggregate.signature,
          `signature of a proof without ${what}`,
        )
      }
    },
  },
])

/** The pairs but all blobs; where there are none, but the newest input of an L1 transaction. */
async function withoutBatches(
  t: CaseContext,
  pairs: readonly PreimagePair[],
  head: number,
): Promise<PreimagePair[]> {
  const withoutBlobs = pairs.filter(({ type }) => type !== 'blob')
  if (withoutBlobs.length < pairs.length) return withoutBlobs
  const values = pairs.map((pair) => ({ pair, hex: Buffer.from(pair.value).toString('hex') }))
  let left = [...pairs]
  // Where `safe` stands still, the batches of what is proved are far behind the head of L1.
  for (let newest = head; newest >= 0 && left.length === pairs.length; newest -= AT_ONCE) {
    const count = Math.min(AT_ONCE, newest + 1)
    const numbers = Array.from({ length: count }, (_, index) => newest - index)
    const inputs = (await Promise.all(numbers.map((number) => inputsOf(t, number)))).flat()
    const kept = values.filter(({ hex }) => !inputs.some((input) => hex.includes(input)))
    left = kept.map(({ pair }) => pair)
    if (head - newest > LOOK_BACK) break
  }
  return left
}

/** Inputs of the transactions of an L1 block, as hex without 0x; the shortest carry no batch. */
async function inputsOf(t: CaseContext, number: number): Promise<string[]> {
  const block = await t.l1.result('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
  return expectArray(expectObject(block, 'block').transactions, 'transactions')
    .map((each) => String(expectObject(each, 'transaction').input).slice(2))
    .filter((input) => input.length > 40)
}

/** L1 blocks searched for batches, and how many of them at once. */
const LOOK_BACK = 2_000
const AT_ONCE = 32
