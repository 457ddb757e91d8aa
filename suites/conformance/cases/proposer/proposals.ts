import { size, slice } from 'viem'
import { expectRaised, expectTaken, proofsOf, proposalsOf } from '../../callers/sent-calls.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { defineCases } from '../../conformance-case.ts'
import type { Hex } from '../../drivers/driver.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectObject } from '../../matchers/expect-shape.ts'

const BLOCK_AND_PARENT = 52
const SIGNATURE = 65

export const cases = defineCases([
  {
    id: 'caller.proposer.proposal.01',
    title: 'A proposer brings a proven claim to L1, in the form that L1 takes',
    area: 'proposer',
    rules: ['PIPE-24', 'PIPE-25', 'SIG-06'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The verifier takes the aggregate signature, with v raised, and the roots proven.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.start()
        const proposal = await caller.until('a call of createWithInitData', () => {
          return proposalsOf(caller)[0]
        })
        const end = Number(slice(proposal.extraData, 0, 32))
        const truth = await caller.rollup.result('optimism_outputAtBlock', [
          `0x${end.toString(16)}`,
        ])
        expectEqual(
          proposal.rootClaim,
          expectObject(truth, 'output').outputRoot,
          `rootClaim, of block ${end}`,
        )
        const proof = proofsOf(caller).findLast(
          ({ request }) => request.claimed_l2_block_number === end,
        )
        const roots = rootsOf(proposal.extraData)
        const step = (proof?.proposals.length ?? 0) / roots.length
        const proven = proof?.proposals.filter((_, index) => (index + 1) % step === 0)
        expectEqual(
          roots,
          proven?.map(({ output_root }) => output_root),
          'roots in extraData, against proposals[].output_root',
        )
        const signature = slice(proposal.initData, size(proposal.initData) - SIGNATURE)
        expectRaised(signature, proof!.aggregate.signature, 'the signature in initData')
        await expectTaken(caller, proposal.transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.exists.01',
    title: 'A claim that somebody else brings during the proof is not sent again',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof takes minutes; a second game of one claim reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const proving = caller.hold('prover_prove')
        caller.start()
        await caller.until('a request of prover_prove', () => proving.reached() || undefined)
        await caller.world.play('honest-game')
        proving.release()
        await caller.untilQuiet()
        expectEqual(
          proposalsOf(caller).map(({ rootClaim }) => rootClaim),
          [],
          'claims sent though their game exists',
        )
      })
    },
  },
  {
    id: 'caller.proposer.rotation.01',
    title: 'While signers of two images are valid, a proposer goes on',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A rotation takes hours; nobody may have to stop for it.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await caller.world.play('rotation-begins')
        caller.start()
        const { transaction } = await caller.until('a call of createWithInitData', () => {
          return proposalsOf(caller)[0]
        })
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
])

function rootsOf(extraData: Hex): Hex[] {
  const count = (size(extraData) - BLOCK_AND_PARENT) / 32
  return Array.from({ length: count }, (_, index) => {
    const at = BLOCK_AND_PARENT + 32 * index
    return slice(extraData, at, at + 32)
  })
}
