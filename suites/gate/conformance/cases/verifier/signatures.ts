import { sign } from 'viem/accounts'
import { cannotJudge } from '../../case-failure.ts'
import { type CaseContext, defineCases, type Need } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { type L1Call, type L1Outcome, simulateOnL1 } from '../../reads/simulate-on-l1.ts'
import {
  createCall,
  deregister,
  listProposer,
  nextGame,
  nextGameProof,
  type VerifiedProposal,
  verifiedProof,
  verifyCall,
} from '../../scenes/submitted-claims.ts'
import { keccak256 } from '../../spec/hash.ts'
import { expectProof } from '../../spec/proof-json.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const NEEDS: readonly Need[] = ['teeVerifier', 'l1', 'prover', 'driver']
const TIMEOUT = 180_000
/** Registered nowhere, as nobody has it. */
const FOREIGN_KEY = keccak256('0xf0')
const OTHER_IMAGE: Hex = `0x${'5a'.repeat(32)}`
/** Of zeros, with each v that there is. */
const EMPTY = ['00', '1b', '1c'].map((v): Hex => `0x${'00'.repeat(64)}${v}`)
const SOMEBODY_ELSE: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

/** Whether TEEVerifier takes each proposal, asked after `before` in one L1 block that never is. */
async function verify(
  t: CaseContext,
  asked: readonly VerifiedProposal[],
  before: readonly L1Call[] = [],
): Promise<L1Outcome[]> {
  const { contracts, proposals } = await t.scene(verifiedProof)
  const calls = [
    listProposer(contracts, proposals[0]!.proposer),
    ...before,
    ...asked.map((each) => verifyCall(contracts, each)),
  ]
  const outcomes = await simulateOnL1(t, calls)
  const failed = outcomes.slice(0, calls.length - asked.length).find((each) => !each.succeeded)
  if (failed) cannotJudge(`What comes before it in the block fails: ${failed.data}.`)
  return outcomes.slice(-asked.length)
}

const isTaken = ({ succeeded, data }: L1Outcome) =>
  succeeded && /^0x0*1$/.test(data) && data.length === 66

function expectTaken(outcome: L1Outcome, at: string): void {
  expectThat(isTaken(outcome), 'true', outcome, at)
}

function expectRefused(outcome: L1Outcome, at: string): void {
  expectThat(!isTaken(outcome), 'a revert, or false', outcome, at)
}

/** One bit of r, or of s, is another. */
function flipBit(signature: Hex, byte: number): Hex {
  const at = 2 + 2 * byte
  const flipped = Number.parseInt(signature.slice(at, at + 2), 16) ^ 1
  const text = flipped.toString(16).padStart(2, '0')
  return `${signature.slice(0, at)}${text}${signature.slice(at + 2)}` as Hex
}

export const cases = defineCases([
  {
    id: 'verifier.signature.recovered.01',
    title:
      'TEEVerifier takes the signature of each proposal, and none with a bit flipped or of zeros',
    area: 'verifier',
    rules: ['SIG-07'],
    needs: NEEDS,
    timeout: TIMEOUT,
    rationale:
      'The signer is in no argument: only recovery from r, s and v can tell that a bit is wrong.',
    async run(t) {
      const { proposals } = await t.scene(verifiedProof)
      const bent = proposals.map((proposal, index) => {
        const byte = index % 2 === 0 ? 5 : 40
        return { ...proposal, signature: flipBit(proposal.signature, byte) }
      })
      // Recovery of such a one gives no address, which some read as the address zero.
      const empty = EMPTY.map((signature) => ({ ...proposals[0]!, signature }))
      const outcomes = await verify(t, [...proposals, ...bent, ...empty])
      for (const [index] of proposals.entries()) {
        expectTaken(outcomes[index]!, `verify of proposals[${index}]`)
        expectRefused(outcomes[proposals.length + index]!, `verify with a bit flipped, [${index}]`)
      }
      for (const [index, outcome] of outcomes.slice(-empty.length).entries())
        expectRefused(outcome, `verify of ${EMPTY[index]}`)
    },
  },
  {
    id: 'verifier.signature.registered.01',
    title: 'A signature of the same journal by a key that is not registered is refused',
    area: 'verifier',
    rules: ['SIG-08'],
    needs: NEEDS,
    timeout: TIMEOUT,
    rationale:
      'It is a good signature; what it lacks is its signer in TEEProverRegistry, with the image hash of the game in force.',
    async run(t) {
      const { contracts, proposals } = await t.scene(verifiedProof)
      const [proposal] = proposals as [VerifiedProposal]
      const { imageHash } = contracts
      const hash = proposal.digest
      const signature = await sign({ hash, privateKey: FOREIGN_KEY, to: 'hex' })
      const [own, foreign] = await verify(t, [
        { ...proposal, imageHash },
        { ...proposal, imageHash, signature },
      ])
      expectTaken(own!, 'verify with the image hash of the game in force')
      expectRefused(foreign!, 'verify with a key that is not registered')
    },
  },
  {
    id: 'verifier.signature.other-image.01',
    title: 'A registered signer is refused by a game of another image',
    area: 'verifier',
    rules: ['SIG-08', 'SIG-09'],
    needs: NEEDS,
    timeout: TIMEOUT,
    rationale:
      'A game hands its TEE_IMAGE_HASH to verify; the signer is registered, but with another one.',
    async run(t) {
      const { proposals } = await t.scene(verifiedProof)
      const [proposal] = proposals as [VerifiedProposal]
      const [own, other] = await verify(t, [proposal, { ...proposal, imageHash: OTHER_IMAGE }])
      expectTaken(own!, 'verify with the own image hash')
      expectRefused(other!, 'verify with another image hash')
    },
  },
  {
    id: 'verifier.signature.deregistered.01',
    title: 'A signer that is taken off the registry is refused from then on',
    area: 'verifier',
    rules: ['SIG-10'],
    needs: NEEDS,
    timeout: TIMEOUT,
    rationale: 'Asked twice in one simulated L1 block, before its owner takes it off and after.',
    async run(t) {
      const { contracts, proposals, signer } = await t.scene(verifiedProof)
      const [proposal] = proposals as [VerifiedProposal]
      const before = [verifyCall(contracts, proposal), deregister(contracts, signer)]
      const [after] = await verify(t, [proposal], before)
      expectRefused(after!, 'verify after deregisterSigner')
    },
  },
  {
    id: 'verifier.submission.sender.01',
    title: 'A proven claim is refused from another sender than the journal names',
    area: 'verifier',
    rules: ['SIG-11'],
    needs: [...NEEDS, 'rpc'],
    timeout: TIMEOUT,
    rationale:
      'A whole game, proven for one listed proposer and sent by another first, then by the right one.',
    async run(t) {
      const game = await t.scene(nextGame)
      const { request, reply } = await t.scene(nextGameProof)
      const { aggregate } = expectProof(resultOf(reply, 'prover_prove'), t)
      const { contracts } = game
      const [listed, other, wrong, right] = await simulateOnL1(t, [
        listProposer(contracts, request.proposer),
        listProposer(contracts, SOMEBODY_ELSE),
        createCall(game, aggregate, SOMEBODY_ELSE),
        createCall(game, aggregate, request.proposer),
      ])
      if (!listed!.succeeded || !other!.succeeded)
        cannotJudge("The registry's owner could not list the proposers.")
      expectThat(!wrong!.succeeded, 'a revert', wrong, 'createWithInitData from another sender')
      if (!right!.succeeded) cannotJudge(`The right sender is refused too: ${right!.data}.`)
    },
  },
])
