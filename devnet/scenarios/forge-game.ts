import { encodePacked } from 'viem'
import { type GameRules, journalEraOf, scheduleIdsOf } from '#devnet/actors/game-rules'
import type { Claim, Tip } from '#devnet/actors/proposer/claim'
import { findGame, readAnchor } from '#devnet/actors/proposer/recover-tip'
import { createCall } from '#devnet/actors/proposer/submission'
import { type Game, readGame } from '#devnet/actors/read-game'
import type { DevKey } from '#fixtures/chain/dev-keys'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { encodeJournal } from '#protocol/journal/encode-journal'
import type { Journal } from '#protocol/journal/journal'
import { layoutOf } from '#protocol/journal/layouts'
import { createSigner } from '#protocol/journal/signer'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { JOURNAL_ERAS } from '#protocol/upgrades/upgrade-table'
import { owner, player, type ScenarioContext } from './scenario-context.ts'

/** As if it had leaked from an enclave: keccak256('rollbed dev key: leaked enclave'). */
export const leakedKey: DevKey = {
  address: '0x7f66736e7d9bd67c58e225c66335e66760455721',
  privateKey: '0x1051470a3ee7b512a8e7c5fd9f7c351d8d4859769db4b2a923486dd67f2bb352',
}

/** Where a next game can always start, whatever games there are already. */
export async function anchorOf(context: ScenarioContext): Promise<Tip> {
  return await readAnchor(context.l1, await context.rules())
}

/** A claim of any roots, true or not. */
export function claimOf(tip: Tip, block: bigint, roots: Hash[]): Claim {
  const extraData = encodePacked(['uint256', 'address', 'bytes32[]'], [block, tip.parent, roots])
  return { tip, block, root: roots.at(-1)!, roots, extraData }
}

/** The call that creates a game, signed by a key that an honest enclave would never give away. */
export async function forgeProposal(context: ScenarioContext, claim: Claim) {
  const rules = await context.rules()
  const { tip, block, root, roots } = claim
  // Not before its time: a registrar that runs strikes the key off soon.
  await context.untilDue(block)
  await register(context, leakedKey.address, rules.teeImageHash)
  // Older than the newest: nobody waits for another block, in which the key may be struck off.
  const { number } = await context.l1.getBlock()
  const origin = await context.l1.getBlock({ blockNumber: number - 1n })
  const scheduleId = await scheduleIdOf(context, rules, block)
  const signature = signWithLeakedKey({
    proposer: player.address,
    l1OriginHash: origin.hash,
    prevOutputRoot: tip.root,
    startingL2Block: tip.block,
    outputRoot: root,
    endingL2Block: block,
    intermediateRoots: roots,
    configHash: rules.configHash,
    teeImageHash: rules.teeImageHash,
    ...(scheduleId && { scheduleId }),
  })
  const aggregateProposal = {
    outputRoot: root,
    signature,
    l1OriginHash: origin.hash,
    l1OriginNumber: origin.number,
    l2BlockNumber: block,
    prevOutputRoot: tip.root,
    configHash: rules.configHash,
  }
  const proof = { aggregateProposal, proposals: [] }
  return { origin, call: createCall({ claim, proof, rules }) }
}

/** What the journal of a new game has to end with; undefined where games know of no upgrades. */
async function scheduleIdOf(
  { l1 }: ScenarioContext,
  rules: GameRules,
  endBlock: bigint,
): Promise<Hash | undefined> {
  const [activated, whole] = await scheduleIdsOf(l1, rules, endBlock)
  const era = await journalEraOf(l1, rules)
  return era && (JOURNAL_ERAS[era].hasAnnounced ? whole : activated)
}

/** A signature that the registry holds for an enclave's. */
export function signWithLeakedKey(journal: Journal): Hex {
  const bytes = encodeJournal(journal, layoutOf(journal))
  return createSigner(hexToBytes(leakedKey.privateKey)).sign(bytes)
}

/** Creates a game with a forged proof. */
export async function forgeGame(context: ScenarioContext, claim: Claim): Promise<Game> {
  const { origin, call } = await forgeProposal(context, claim)
  const wallet = context.wallet(player)
  context.progress(`creating a game up to L2 block ${claim.block} with a forged proof`)
  await wallet.untilAbove(origin.number)
  await wallet.send(call)
  const game = await findGame(context.l1, await context.rules(), claim)
  return await readGame(context.l1, game!)
}

/** By the owner's path, without an attestation. */
export async function register(
  context: ScenarioContext,
  signer: Address,
  imageHash: Hash,
): Promise<void> {
  await context.wallet(owner).send({
    address: context.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
    functionName: 'addDevSigner',
    args: [signer, imageHash],
  })
}
