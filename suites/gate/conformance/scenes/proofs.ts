import { numberToHex } from 'viem'
import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { ProvableRange } from '../drivers/driver.ts'
import { expectHash, expectQuantity } from '../matchers/expect-hex.ts'
import { expectObject } from '../matchers/expect-shape.ts'
import { getBlock } from '../reads/get-block.ts'
import { outputRootOf } from '../reads/output-root-of.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import { l1OriginOf } from '../spec/l1-origin.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import { RESOURCE_UNAVAILABLE } from '../spec/resource-unavailable.ts'
import type { Hex } from '../wire/hex.ts'
import { errorIn, type RpcReply } from '../wire/json-rpc-client.ts'

const BLOCKS = 3
const PROPOSER: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** As libraries write it, in letters of both cases; with zeros at both ends, which a number would not keep. */
const OTHER_PROPOSER: Hex = '0x0044cDddB6A900fA2b585dd299E03d12FA429300'
const WRONG: Hex = `0x${'5a'.repeat(32)}`

/** Blocks that can be proven, known without asking the prover. */
export const provableRange: Scene<ProvableRange> = {
  name: 'provable range',
  kind: 'fact',
  build: ({ driver }) =>
    driver.provableRange?.(BLOCKS) ??
    notApplicable('The driver names no range that can be proven (it needs the L1 URL).'),
}

/** A request and what the host answered. */
export interface AskedProof {
  request: ProofRequestJson
  reply: RpcReply
}

/** The request for a whole range, sampled at every second block. */
export function requestFor(range: ProvableRange): ProofRequestJson {
  return {
    l1_head: range.l1Head,
    l1_head_number: range.l1HeadNumber,
    agreed_l2_head_hash: range.agreedHash,
    agreed_l2_output_root: range.agreedRoot,
    claimed_l2_output_root: range.roots.at(-1)!,
    claimed_l2_block_number: range.agreedNumber + range.roots.length,
    proposer: PROPOSER,
    intermediate_block_interval: 2,
    image_hash: `0x${'00'.repeat(32)}`,
  }
}

type Members = { [Member in keyof ProofRequestJson]?: ProofRequestJson[Member] | undefined }
type Change = (range: ProvableRange, context: CaseContext) => Members | Promise<Members>

/** A proof asked for with one change; asked one after another, as an enclave proves one at a time. */
function askFor(
  name: string,
  change: Change,
  before?: Scene<AskedProof>,
  arrange = (request: ProofRequestJson): ProofRequestJson => request,
): Scene<AskedProof> {
  return {
    name: `proof: ${name}`,
    kind: 'observation',
    async build(context: CaseContext) {
      const range = await context.scene(provableRange)
      await (before && context.scene(before).catch(() => undefined))
      const request = arrange({ ...requestFor(range), ...(await change(range, context)) })
      return ask(context, request)
    },
  }
}

async function ask({ prover }: CaseContext, request: ProofRequestJson): Promise<AskedProof> {
  const reply = await prover.call('prover_prove', [request])
  const error = (reply.body.error ?? {}) as { code?: unknown; message?: unknown }
  // Another client's proofs say nothing about this one's.
  if (error.code === RESOURCE_UNAVAILABLE) cannotJudge(`The prover is busy: ${error.message}.`)
  return { request, reply }
}

export const rangeProof = askFor('three blocks, every second root', () => ({}))
export const denseProof = askFor(
  'three blocks, every root',
  () => ({ intermediate_block_interval: 1 }),
  rangeProof,
)
export const singleProof = askFor('one block', (range) => firstBlock(range), denseProof)
export const otherProposerProof = askFor(
  'another proposer, another image hash, the last root alone',
  () => ({
    proposer: OTHER_PROPOSER,
    image_hash: WRONG,
    intermediate_block_interval: BLOCKS,
  }),
  singleProof,
)
const firstBlock = ({ roots, agreedNumber }: ProvableRange): Members => ({
  claimed_l2_output_root: roots[0]!,
  claimed_l2_block_number: agreedNumber + 1,
})
export const unnumberedProof = askFor(
  'one block, no L1 number',
  (range) => ({ ...firstBlock(range), l1_head_number: undefined }),
  otherProposerProof,
)
export const wrongNumber = askFor(
  'one block, the L1 number before',
  (range) => ({ ...firstBlock(range), l1_head_number: range.l1HeadNumber - 1 }),
  unnumberedProof,
)
export const anonymousProof = askFor(
  'one block, no proposer',
  (range) => ({ ...firstBlock(range), proposer: undefined }),
  wrongNumber,
)
export const stridelessProof = askFor(
  'one block, no interval',
  (range) => ({ ...firstBlock(range), intermediate_block_interval: undefined }),
  anonymousProof,
)
export const wrongClaim = askFor(
  'a claim one bit off',
  ({ roots }) => ({ claimed_l2_output_root: flipLastBit(roots.at(-1)!) }),
  stridelessProof,
)
/** Wrong claims of one block, each of which somebody may take for right or for none. */
export const wrongFrontClaim = askFor(
  'one block, a claim off in its first bits',
  (range) => ({ ...firstBlock(range), claimed_l2_output_root: flipFirstBits(range.roots[0]!) }),
  wrongClaim,
)
export const zeroClaim = askFor(
  'one block, a claim of zeros',
  (range) => ({ ...firstBlock(range), claimed_l2_output_root: `0x${'00'.repeat(32)}` }),
  wrongFrontClaim,
)
/** The same request once more, as from a caller that tries again. */
export const zeroClaimAgain = askFor(
  'one block, a claim of zeros, once more',
  async (_, context) => (await context.scene(zeroClaim)).request,
  zeroClaim,
)
export const agreedClaim = askFor(
  'one block, the agreed root for its claim',
  (range) => ({ ...firstBlock(range), claimed_l2_output_root: range.agreedRoot }),
  zeroClaimAgain,
)
export const wrongAgreedRoot = askFor(
  'a wrong agreed root',
  () => ({ agreed_l2_output_root: WRONG }),
  agreedClaim,
)

export const wrongAgreedRootOfOne = askFor(
  'one block, a wrong agreed root',
  (range) => ({ ...firstBlock(range), agreed_l2_output_root: WRONG }),
  wrongAgreedRoot,
)

/** Of a range that is proven rightly, too. */
export const wrongBlock = askFor(
  'three blocks, the root of the last but one',
  ({ roots }) => ({ claimed_l2_output_root: roots.at(-2)! }),
  wrongAgreedRootOfOne,
)
/** A root that was proven before, of its own block. */
export const provenBlock = askFor(
  'three blocks, the root of the first',
  ({ roots }) => ({ claimed_l2_output_root: roots[0]! }),
  wrongBlock,
)
export const wrongParent = askFor(
  'the hash of the first block for the agreed one',
  async (range, context) => ({ agreed_l2_head_hash: await hashOfFirst(range, context) }),
  provenBlock,
)
export const laterRangeProof = askFor(
  'the blocks after the first',
  async (range, context) => ({
    agreed_l2_head_hash: await hashOfFirst(range, context),
    agreed_l2_output_root: range.roots[0]!,
  }),
  wrongParent,
)
/** As after a reorganization of L1, whose new block has the number of the one before. */
export const unknownHead = askFor(
  'one block, an L1 head that no L1 block has',
  (range) => ({ ...firstBlock(range), l1_head: WRONG }),
  laterRangeProof,
)
/** The L1 origin of a block is older than the batch with it, which was sent when the block was there. */
export const earlyHead = askFor(
  'one block, an L1 head before its batch',
  async (range, { rpc }) => {
    const block = await getBlock(rpc, BigInt(range.agreedNumber + 1), true)
    const { hash, number } = l1OriginOf(block)
    return { ...firstBlock(range), l1_head: hash, l1_head_number: Number(number) }
  },
  unknownHead,
)

/** Beyond any range, and two where somebody keeps 32 bits of it. */
export const longIntervalProof = askFor(
  'three blocks, an interval of more than 32 bits',
  () => ({ intermediate_block_interval: 2 ** 32 + 2 }),
  earlyHead,
)

/** Of old chains few hosts keep what their first blocks need. */
const YOUNG = 2_000
/** As a text, 10 comes before 9. */
const TWO_DIGITS = 11
/** The first blocks of a chain, which begin where no block was before: two, or where there are more, eleven. */
export const firstBlocksProof = askFor(
  'the first blocks of the chain',
  async ({ agreedNumber }, { rpc }) => {
    if (agreedNumber > YOUNG) notApplicable('The chain is too old to be proven from its beginning.')
    const end = agreedNumber < TWO_DIGITS ? 2 : TWO_DIGITS
    const [genesis, last] = await Promise.all([0n, BigInt(end)].map((each) => getBlock(rpc, each)))
    return {
      agreed_l2_head_hash: expectHash(genesis!.hash, 'hash'),
      agreed_l2_output_root: outputRootOf(genesis!),
      claimed_l2_output_root: outputRootOf(last!),
      claimed_l2_block_number: end,
    }
  },
  longIntervalProof,
)

/** Blocks of a range with several samples; what journal and proposals of it are is told of every proof of the run. */
const LONG = 40
/** For which a young chain is waited. */
const LONG_ENOUGH = 11
/** The newest blocks that can be proven, up to so many: fewer while a chain is young. */
const longRange: Scene<ProvableRange> = {
  name: 'long provable range',
  kind: 'fact',
  async build({ driver, rpc }) {
    const safe = Number(expectQuantity((await getBlock(rpc, 'safe')).number, 'safe.number'))
    return driver.provableRange!(Math.max(LONG_ENOUGH, Math.min(LONG, safe)))
  },
}
/** An odd number of them, and most of an interval behind the last sample. */
const SEVEN = 7
const sevenBlocks: Scene<ProvableRange> = {
  name: 'seven provable blocks',
  kind: 'fact',
  build: ({ driver }) => driver.provableRange!(SEVEN),
}
const sevenBlocksProof = askFor(
  'seven blocks, every fourth root',
  async (_, context) => ({
    ...requestFor(await context.scene(sevenBlocks)),
    intermediate_block_interval: 4,
  }),
  firstBlocksProof,
)

/** The same request with its members from the last to the first. */
export const reorderedProof = askFor(
  'one block, every root, members in another order',
  (range) => ({ ...firstBlock(range), intermediate_block_interval: 1 }),
  sevenBlocksProof,
  (request) => Object.fromEntries(Object.entries(request).reverse()) as unknown as ProofRequestJson,
)
export const capitalsProof = askFor(
  'one block, hashes in capital digits',
  (range) => ({
    ...firstBlock(range),
    l1_head: inCapitals(range.l1Head),
    agreed_l2_head_hash: inCapitals(range.agreedHash),
    agreed_l2_output_root: inCapitals(range.agreedRoot),
    claimed_l2_output_root: inCapitals(range.roots[0]!),
  }),
  reorderedProof,
)

const longRangeProof = askFor(
  'up to forty blocks, every second root',
  async (_, context) => requestFor(await context.scene(longRange)),
  capitalsProof,
)

/** The newest block of L1 when it was first asked for. */
const laterHead: Scene<Pick<ProofRequestJson, 'l1_head' | 'l1_head_number'>> = {
  name: 'later L1 head',
  kind: 'fact',
  async build({ l1 }) {
    const block = expectObject(await l1.result('eth_getBlockByNumber', ['latest', false]), 'block')
    const number = expectQuantity(block.number, 'number')
    return { l1_head: expectHash(block.hash, 'hash'), l1_head_number: Number(number) }
  },
}

/** Needs L1. */
export const laterHeadProof = askFor(
  'one block, a later L1 head',
  async (range, context) => ({ ...firstBlock(range), ...(await context.scene(laterHead)) }),
  longRangeProof,
)

/** Of so many signatures one in hundreds is in all likelihood among them. */
const MANY_SIGNATURES = 400
/** A host that takes long for a proof is asked for fewer. */
const LONG_FOR_MANY_MS = 5_000
/** The long range for one proposer after another: all signatures are others, and nothing else is. */
export const proofsForMany: Scene<AskedProof[]> = {
  name: 'proofs for many proposers',
  kind: 'observation',
  async build(context: CaseContext) {
    const { request } = await context.scene(longRangeProof)
    const range = await context.scene(longRange)
    const end = context.clock.now() + LONG_FOR_MANY_MS
    const asked: AskedProof[] = []
    do {
      const proposer = numberToHex(asked.length + 1, { size: 20 })
      asked.push(await ask(context, { ...request, proposer }))
    } while (asked.length * range.roots.length < MANY_SIGNATURES && context.clock.now() < end)
    return asked
  },
}

/** A proof that was asked for while others were, beside the same one asked for alone. */
export interface CrowdedProof {
  reply: RpcReply
  alone: RpcReply
}

/** Two proofs at once, one of them twice and one for another proposer and from another L1 head, too, when all others are done. */
export const proofsAtOnce: Scene<CrowdedProof[]> = {
  name: 'proofs at once',
  kind: 'observation',
  async build(context: CaseContext) {
    const [range, single] = [await context.scene(rangeProof), await context.scene(singleProof)]
    const last = context.targets.l1 ? laterHeadProof : longRangeProof
    const later = await context.scene(last).catch(() => undefined)
    // The same block from another L1 head.
    const ofOtherHead = context.targets.l1 && later ? [later] : []
    return Promise.all(
      [range, single, range, forOther(single), ...ofOtherHead].map(
        async ({ request, reply: alone }) => {
          const reply = await context.prover.call('prover_prove', [request])
          if (errorIn(reply).code === RESOURCE_UNAVAILABLE)
            cannotJudge('The prover takes no second request.')
          return { reply, alone }
        },
      ),
    )
  },
}

/** The same proof for another proposer: it is in the journals alone, so that all but the signatures is equal. */
function forOther({ request, reply }: AskedProof): AskedProof {
  return { request: { ...request, proposer: OTHER_PROPOSER }, reply }
}

async function hashOfFirst({ agreedNumber }: ProvableRange, { rpc }: CaseContext): Promise<Hex> {
  return expectHash((await getBlock(rpc, BigInt(agreedNumber + 1))).hash, 'hash')
}

function flipFirstBits(hash: Hex): Hex {
  const first = (Number.parseInt(hash.slice(2, 4), 16) ^ 255).toString(16).padStart(2, '0')
  return `0x${first}${hash.slice(4)}`
}

function flipLastBit(hash: Hex): Hex {
  const last = (Number.parseInt(hash.slice(-1), 16) ^ 1).toString(16)
  return `${hash.slice(0, -1)}${last}` as Hex
}
