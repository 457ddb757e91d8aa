import { decodeFunctionResult, encodeErrorResult, encodeFunctionData, numberToHex } from 'viem'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { getBlock } from '../../reads/get-block.ts'
import { readIntervals, readVerifierContracts } from '../../reads/verifier-contracts.ts'
import { firstOfToday } from '../../scenes/crossing.ts'
import { enclaveIdentities, readIdentities } from '../../scenes/enclave-identities.ts'
import { provableRange, rangeProof } from '../../scenes/proofs.ts'
import { type NextGame, nextGame, unprovenCall } from '../../scenes/submitted-claims.ts'
import { todaysBlocks } from '../../scenes/todays-blocks.ts'
import { packJournal, recoverSigner, sampleRoots } from '../../spec/journal.ts'
import { journalOf } from '../../spec/journal-of.ts'
import { expectProof } from '../../spec/proof-json.ts'
import { scheduleIdOf } from '../../spec/schedule-id-of.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const TIMEOUT = 180_000

async function readProof(t: CaseContext) {
  const range = await t.scene(provableRange)
  const { request, reply } = await t.scene(rangeProof)
  const proof = expectProof(resultOf(reply, 'prover_prove'), t)
  return { ...proof, range, request, all: [proof.aggregate, ...proof.proposals] }
}

/** The list of upgrades on L1, found from TEEVerifier. */
async function protocolVersions(t: CaseContext) {
  const { game } = await readVerifierContracts(t)
  const asked = { abi: scheduledVerifierAbi, functionName: 'PROTOCOL_VERSIONS' } as const
  const { body } = await t.l1.call('eth_call', [
    { to: game, data: encodeFunctionData(asked) },
    'latest',
  ])
  if (typeof body.result !== 'string' || body.result.length !== 66)
    notApplicable('The game in force names no ProtocolVersions.')
  const address = decodeFunctionResult({ ...asked, data: body.result as Hex })
  const call = (data: Hex) => t.l1.result('eth_call', [{ to: address, data }, 'latest'])
  const abi = protocolVersionsAbi
  return {
    async schedule() {
      const data = encodeFunctionData({ abi, functionName: 'getSchedule' })
      const result = (await call(data)) as Hex
      return decodeFunctionResult({ abi, functionName: 'getSchedule', data: result })
    },
    scheduleId: () => call(encodeFunctionData({ abi, functionName: 'scheduleId' })),
    activated: (second: bigint) =>
      call(encodeFunctionData({ abi, functionName: 'activatedScheduleId', args: [second] })),
  }
}

/** What the creation of a game without a proof reverts with, in an L1 block of this second. */
async function creationAt(t: CaseContext, claim: NextGame, second: bigint): Promise<string> {
  const { value = 0n, ...call } = unprovenCall(claim, claim.contracts.owner)
  const { body } = await t.l1.call('eth_call', [
    { ...call, value: numberToHex(value) },
    'latest',
    { [call.from]: { balance: numberToHex(value + 10n ** 24n) } },
    { time: numberToHex(second) },
  ])
  const { data } = Object(body.error) as { data?: unknown }
  return typeof data === 'string' ? data : notApplicable('L1 tells no data of a call that reverts.')
}

export const cases = defineCases([
  {
    id: 'today.proof.schedule-id.01',
    title: 'Every proposal of a proof names a schedule, all of them the same',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-01'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Without it nobody can rebuild the journal that was signed.',
    async run(t) {
      const { all } = await readProof(t)
      for (const [index, { schedule_id }] of all.entries()) {
        const at = index === 0 ? 'aggregate_proposal' : `proposals[${index - 1}]`
        expectHash(schedule_id, `${at}.schedule_id`)
        expectEqual(schedule_id, all[0]!.schedule_id, `${at}.schedule_id`)
      }
    },
  },
  {
    id: 'today.proof.journal.01',
    title: 'Signatures are over journals of 228 bytes and 32 for each root, the schedule last',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-02'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Rebuilt for the whole range and for each block; the signer must be an enclave.',
    async run(t) {
      const { aggregate, proposals, range, request } = await readProof(t)
      const identities = readIdentities(await t.scene(enclaveIdentities))
      const { agreedNumber: start, agreedRoot, roots } = range
      const expectOwn = (
        proposal: typeof aggregate,
        of: Parameters<typeof journalOf>[2],
        at: string,
      ) => {
        const journal = journalOf(request, proposal, of)
        const signers = identities.map(({ imageHash }) => {
          const bytes = packJournal({ ...journal, teeImageHash: imageHash })
          expectEqual((bytes.length - 2) / 2, 228 + 32 * of.roots.length, `bytes of ${at}`)
          return recoverSigner(bytes, proposal.signature)
        })
        const isOwn = signers.some((signer, place) => signer === identities[place]!.signer)
        expectThat(isOwn, 'an enclave of the host', signers, `signer of ${at}`)
      }
      const sampled = sampleRoots(roots, request.intermediate_block_interval)
      expectOwn(aggregate, { start, previous: agreedRoot, roots: sampled }, 'aggregate_proposal')
      for (const [index, proposal] of proposals.entries()) {
        const previous = roots[index - 1] ?? agreedRoot
        expectOwn(proposal, { start: start + index, previous, roots: [] }, `proposals[${index}]`)
      }
    },
  },
  {
    id: 'today.proof.activated.01',
    title: "It is that of the upgrades which are active at the last block's second",
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-03'],
    needs: ['prover', 'rpc', 'l1', 'teeVerifier', 'driver'],
    timeout: TIMEOUT,
    rationale: 'A proof from before an upgrade must not be taken for one from after it.',
    async run(t) {
      const { aggregate } = await readProof(t)
      const { schedule } = await protocolVersions(t)
      const last = await getBlock(t.rpc, BigInt(aggregate.l2_block_number))
      const second = expectQuantity(last.timestamp, 'timestamp')
      const wanted = scheduleIdOf(await schedule(), second)
      expectEqual(aggregate.schedule_id, wanted, 'aggregate_proposal.schedule_id')
    },
  },
  {
    id: 'today.proof.contract.01',
    title: 'ProtocolVersions hashes its own list: the whole of it, and what is active at a second',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-04'],
    needs: ['l1', 'teeVerifier'],
    rationale: 'Recomputed from getSchedule() for each time in it, the second before and none.',
    async run(t) {
      const versions = await protocolVersions(t)
      const schedule = await versions.schedule()
      expectEqual(await versions.scheduleId(), scheduleIdOf(schedule), 'scheduleId()')
      const seconds = new Set([
        0n,
        ...schedule.flatMap((time) => (time > 0n ? [time - 1n, time] : [])),
      ])
      for (const second of seconds) {
        const wanted = scheduleIdOf(schedule, second)
        expectEqual(await versions.activated(second), wanted, `activatedScheduleId(${second})`)
      }
    },
  },
  {
    id: 'today.proof.intervals.01',
    title:
      'Games that start before the first block of 200 ms have the slow intervals, later ones the fast',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-05'],
    needs: ['rpc', 'l1', 'teeVerifier'],
    timeout: TIMEOUT,
    rationale: 'Both have as many roots; a proposer that takes one pair for all is refused on L1.',
    async run(t) {
      await t.scene(todaysBlocks)
      const { game } = await readVerifierContracts(t)
      const first = (await firstOfToday(t)) ?? notApplicable('No block of 200 ms was seen.')
      const at = async (start: number) =>
        (await readIntervals(t, game, start)) ??
        notApplicable('The game in force tells no intervals by block.')
      const fast = await at(Number(first))
      const later = await at(Number(first) + 1_000_000)
      expectEqual(later, fast, 'intervals a million blocks later')
      if (first < 2n) return
      const slow = await at(Number(first) - 1)
      expectDifferent(fast, slow, 'intervals from the first block of 200 ms on')
      const rootsOf = ({ blockInterval, intermediateBlockInterval }: typeof slow) =>
        blockInterval / intermediateBlockInterval
      expectEqual(rootsOf(fast), rootsOf(slow), 'intermediate roots of a game')
      expectEqual(await at(0), slow, 'intervals of a game from genesis')
    },
  },
  {
    id: 'today.proof.future.01',
    title:
      'A claim whose second has not come on L1 is refused by L2TimestampInFuture, and at its second no more',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-PROOF-06'],
    needs: ['rpc', 'l1', 'teeVerifier'],
    timeout: TIMEOUT,
    rationale:
      'A sequencer whose clock is ahead would have blocks proven that are not due; a proposer has to wait for L1.',
    async run(t) {
      const { game } = await readVerifierContracts(t)
      if (!(await readIntervals(t, game, 0)))
        notApplicable('The game in force tells no intervals by block.')
      const claim = await t.scene(nextGame)
      const end = claim.range.agreedNumber + claim.range.roots.length
      const last = await getBlock(t.rpc, BigInt(end))
      const second = expectQuantity(last.timestamp, 'timestamp')
      const refused = encodeErrorResult({
        abi: scheduledVerifierAbi,
        errorName: 'L2TimestampInFuture',
        args: [second, second - 1n],
      })
      expectEqual(await creationAt(t, claim, second - 1n), refused, 'a second too early')
      // No proof is given: what refuses it now is something else.
      const due = await creationAt(t, claim, second)
      expectDifferent(due.slice(0, 10), refused.slice(0, 10), 'at the second of its last block')
    },
  },
])
