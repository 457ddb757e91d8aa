import fc from 'fast-check'
import { concatHex, type Hex, hexToBytes, numberToHex, slice, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import { auditPage } from '#devnet/actors/journal-audit/audit-page'
import { describeAudit } from '#devnet/actors/journal-audit/describe-audit'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { hash, hexOf } from './journal-arbitrary.ts'

const SUBMITTING = new Set(['createWithInitData', 'verifyProposalProof', 'nullify', 'verify'])
const selectors = [...disputeGameFactoryAbi, ...aggregateVerifierAbi, ...teeVerifierAbi].flatMap(
  (item) => (item.type === 'function' && SUBMITTING.has(item.name) ? toFunctionSelector(item) : []),
)

const VERIFY_PROPOSAL_PROOF = toFunctionSelector('verifyProposalProof(bytes)')
const word = (value: number) => numberToHex(value, { size: 32 })

/** An audit that can be shown, or an error of ours; anything else is a crash. */
async function survives(input: Parameters<typeof auditInput>[0], signature?: Hex): Promise<void> {
  try {
    const audit = await auditInput(input, {
      known: {},
      signers: [],
      ...(signature && { signature }),
    })
    expect(describeAudit(audit)).not.toContain('undefined')
    expect(auditPage(audit)).toContain('</html>')
  } catch (error) {
    expect(error).toBeInstanceOf(RollbedError)
  }
}

describe('an audit of hostile input ends in a verdict or an error of ours', () => {
  test('given any bytes, with any signature', async () => {
    const sizes = fc.oneof(fc.nat({ max: 80 }), fc.constantFrom(196, 228, 244, 260, 276))
    const bytes = sizes.chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))
    const signature = fc.oneof(hexOf(65), hexOf(64), hexOf(0), hexOf(3))
    await fc.assert(
      fc.asyncProperty(bytes, signature, (each, signed) => survives({ bytes: each }, signed)),
      { numRuns: 60 },
    )
  })

  test('given the largest block numbers, which no other reading can hold', async () => {
    const bytes = new Uint8Array(228).fill(0xff)
    await survives({ bytes }, `0x${'12'.repeat(64)}00`)
    await survives({ bytes: bytes.subarray(0, 196) }, `0x${'12'.repeat(64)}00`)
  })

  test('given any arguments of a known call, whole or cut', async () => {
    const words = fc.array(
      fc.oneof(
        hash,
        fc.nat({ max: 400 }).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`),
      ),
      { maxLength: 16 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...selectors),
        words,
        fc.nat({ max: 31 }),
        (selector, each, cut) => {
          const data = concatHex([selector, ...each])
          const size = (data.length - 2) / 2
          return survives({ bytes: hexToBytes(slice(data, 0, Math.max(4, size - cut))) })
        },
      ),
      // A proof of one byte for a game that is elsewhere.
      { numRuns: 200, examples: [[VERIFY_PROPOSAL_PROOF, [0x40, 0, 1, 0].map(word), 0]] },
    )
  })

  test('given any JSON, also in the place of each member of an answer', async () => {
    const proposal = {
      output_root: `0x${'44'.repeat(32)}`,
      signature: `0x${'12'.repeat(65)}`,
      l1_origin_hash: `0x${'22'.repeat(32)}`,
      l2_block_number: 7,
      prev_output_root: `0x${'33'.repeat(32)}`,
      config_hash: `0x${'11'.repeat(32)}`,
    }
    const members = fc.constantFrom(...Object.keys(proposal))
    const values = fc.oneof(fc.jsonValue(), hexOf(32), hexOf(65), hexOf(0))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), (json) => survives({ json })),
      { numRuns: 50 },
    )
    await fc.assert(
      fc.asyncProperty(members, values, (member, value) => {
        const tampered = { ...proposal, [member]: value }
        return survives({ json: { Tee: { aggregate_proposal: proposal, proposals: [tampered] } } })
      }),
      // Nothing comes before block 0.
      { numRuns: 40, examples: [['l2_block_number', 0]] },
    )
  })
})
