import { numberToHex, slice } from 'viem'
import { expectProposed } from '../../callers/brought-claims.ts'
import { raiseBond } from '../../callers/change-l1.ts'
import { rootsIn } from '../../callers/differences.ts'
import { rightProposal } from '../../callers/right-claims.ts'
import {
  blockOf,
  expectTaken,
  proofsOf,
  proposalsOf,
  SEEN_WITHIN,
  whileProving,
} from '../../callers/sent-calls.ts'
import { takeOutOfL1 } from '../../callers/take-out-of-l1.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import type { ProofRequestJson } from '../../spec/proof-json.ts'
import type { Hex } from '../../wire/hex.ts'

/** L1 blocks, one a second, in which a proposer sends what it has a proof of. */
const QUIET_BLOCKS = 6

export const cases = defineCases([
  {
    id: 'caller.proposer.bond.01',
    title:
      'A claim is brought with the bond that L1 asks for now, though it was another before the proof',
    area: 'proposer',
    rules: ['PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The owner may set another bond at any time; L1 takes no other.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const bond = await whileProving(caller, () => raiseBond(caller))
        const { transaction } = await caller.until(`a claim with a bond of ${bond}`, () =>
          proposalsOf(caller).find(({ transaction: { value } }) => value === bond),
        )
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.more-roots.01',
    title:
      'A claim for which L1 wants more roots since its proof began is brought with all of them',
    area: 'proposer',
    rules: ['PRV-REQ-09', 'PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The factory makes games of a new version as soon as it is in force, and takes no claim of the old form.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await whileProving(caller, () => caller.world.play('more-roots'))
        const { roots } = await rightProposal(caller)
        const { transaction } = await caller.until(`a claim of ${roots.length} roots`, () =>
          proposalsOf(caller).find(({ extraData }) => rootsIn(extraData).length === roots.length),
        )
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.rotation.01',
    title: 'While signers of two images are valid, a proposer goes on',
    area: 'proposer',
    rules: ['PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A rotation takes hours; nobody may have to stop for it.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await caller.world.play('rotation-begins')
        caller.start()
        await expectProposed(caller)
      })
    },
  },
  {
    id: 'caller.proposer.rotation.02',
    title: 'A proof that a rotation overtakes is not sent',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Once the next image is in force, L1 refuses what an enclave of the old one signed.',
    run: (t) => expectNothingSent(t, 'rotation-overlap'),
  },
  {
    id: 'caller.proposer.nullified.01',
    title: 'A proof is not sent to a verifier that was nullified while it was made',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Every TEE proof reverts then; a transaction would only cost gas.',
    run: (t) => expectNothingSent(t, 'nullified-verifier'),
  },
  {
    id: 'caller.proposer.expired-origin.01',
    title: 'A proof whose L1 origin became too old is thrown away, and the claim proven anew',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'The contract looks back only so far; an origin older than that can never be taken.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await whileProving(caller, () => caller.world.play('expired-origin'))
        await expectProposed(caller)
        const origins = new Set(proofsOf(caller).map(({ request }) => request.l1_head))
        expectThat(origins.size > 1, 'another one than before', [...origins], 'l1_head it asked by')
      })
    },
  },
  {
    id: 'caller.proposer.l1-reorg.01',
    title: 'A claim that a reorganization of L1 takes out is brought again',
    area: 'proposer',
    rules: ['PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'What was in a block may be in none a moment later.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.start()
        const { transaction } = await expectProposed(caller)
        const { disputeGameFactory } = caller.world.description.contracts
        const games = () => caller.read(disputeGameFactory, 'gameCount')
        await takeOutOfL1(caller, {
          blockOf: () => blockOf(caller, transaction.hash),
          // It looks at what it sent, in its own time.
          before: () => caller.untilOver(SEEN_WITHIN),
        })
        await caller.until('the game on L1 again', async () =>
          proposalsOf(caller).length > 1 && (await games()) === 1n ? true : undefined,
        )
      })
    },
  },
  {
    id: 'caller.proposer.l1-reorg.02',
    title: 'A proof whose L1 origin a reorganization takes out is not sent',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The contract looks for the origin at its height: L1 has another block there by now.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        // The batches are in blocks below.
        await caller.untilQuiet(2)
        const proving = caller.hold('prover_prove')
        let origin: ProofRequestJson | undefined
        await takeOutOfL1(caller, {
          async blockOf() {
            const number = Number(origin?.l1_head_number)
            const block = await caller.l1.result('eth_getBlockByNumber', [
              numberToHex(number),
              false,
            ])
            return (block as { hash: Hex } | null)?.hash === origin?.l1_head ? number : undefined
          },
          async before() {
            caller.start()
            await caller.until('a request of prover_prove', () => proving.reached() || undefined)
            origin = proofsOf(caller)[0]?.request
          },
        })
        proving.release()
        await caller.untilQuiet(QUIET_BLOCKS)
        const origins = proposalsOf(caller).map(({ initData }) => slice(initData, 1, 33))
        expectThat(
          !origins.includes(origin!.l1_head),
          'none that L1 has no more, such as that of the first proof',
          origins,
          'L1 origins in initData of what it sent',
        )
      })
    },
  },
])

/** What somebody else does while the proof is made leaves nothing to send. */
async function expectNothingSent(t: CaseContext, situation: string): Promise<void> {
  await withCaller(t, 'proposer', async (caller) => {
    await whileProving(caller, () => caller.world.play(situation))
    await caller.untilQuiet()
    expectEqual(proposalsOf(caller).length, 0, `calls of createWithInitData after ${situation}`)
  })
}
