import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { LocalKey, type PreimageKeyType } from '#protocol/oracle/preimage-oracle'
import { seededRng } from '#protocol/random/rng'
import { checkProperty, safetySeed } from './check-property.ts'
import { honestClaim } from './claim.ts'
import { FORGERIES } from './forgeries.ts'
import { judge, type Verdict } from './judge.ts'
import { randomWorld, type World } from './random-world.ts'
import { type KindedPreimage, witnessOf } from './witness-of.ts'

/**
 * Every kind of preimage there is. One that a witness has and this table has not fails all tests
 * below, so that no kind is left without forgeries.
 */
const KINDS = [
  `local ${LocalKey.l1Head}`,
  `local ${LocalKey.agreedOutputRoot}`,
  `local ${LocalKey.claimedOutputRoot}`,
  `local ${LocalKey.claimedL2Block}`,
  `local ${LocalKey.chainId}`,
  `local ${LocalKey.proposer}`,
  `local ${LocalKey.intermediateBlockInterval}`,
  `local ${LocalKey.l1HeadNumber}`,
  'keccak256 l1-block-header',
  'keccak256 l1-transactions',
  'keccak256 l1-receipts',
  'keccak256 l2-block-header',
  'keccak256 l2-transactions',
  'keccak256 l2-code',
  'keccak256 l2-state-node',
  'keccak256 starting-l2-output',
  'sha256',
  'blob element',
  'blob proof',
]

/** Key types of the wire under which a value must be what its key says, or is refused. */
const VERIFIED: PreimageKeyType[] = [
  'keccak256',
  'sha256',
  'blob',
  // No program of ours reads these: nothing under them can be verified.
  'global-generic',
  'precompile',
]

/**
 * Boot values that the caller may choose freely. A forged one makes another honest statement: what
 * is signed must then be what it says, over the same roots.
 */
const FREE = [LocalKey.proposer, LocalKey.intermediateBlockInterval, LocalKey.l1HeadNumber].map(
  (identifier) => `local ${identifier}`,
)

/** A proven range to forge in. */
interface Scene {
  world: World
  witness: KindedPreimage[]
  honest: Verdict
}

/** Verifying a blob takes longer than all the rest: the other kinds are forged where there is none. */
const scenes = new Map<string, Scene>()
const sceneOf = (kind: string) => scenes.get(kind)!

beforeAll(async () => {
  const [blobKinds, otherKinds] = [KINDS.filter(isOfBlob), KINDS.filter((kind) => !isOfBlob(kind))]
  const [withBlob, without] = [await findScene(KINDS, true), await findScene(otherKinds, false)]
  for (const kind of blobKinds) scenes.set(kind, withBlob)
  for (const kind of otherKinds) scenes.set(kind, without)
})

const isOfBlob = (kind: string) => kind === 'sha256' || kind.startsWith('blob')

/** The first random world from the seed on whose last blocks take all these kinds to prove. */
async function findScene(kinds: readonly string[], blob: boolean): Promise<Scene> {
  for (let seed = safetySeed; ; seed++) {
    const world = await randomWorld(seed, { blob })
    const claim = { ...honestClaim(world, 1, world.blocks.length - 1), interval: 2n }
    const witness = await witnessOf(world, claim)
    const found = new Set(witness.map(({ kind }) => kind))
    for (const kind of found) expect(KINDS).toContain(kind)
    if (kinds.some((kind) => !found.has(kind))) continue
    const honest = await judge(world, witness)
    expect(honest.refusal).toBeUndefined()
    return { world, witness, honest }
  }
}

const names = Object.keys(FORGERIES)
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('a witness', () => {
  test.each(KINDS)(
    'given any forgery of %s, then it is refused without a signature (SAFE-03, SAFE-05, PIPE-07..14)',
    async (kind) => {
      const forgery = fc.record({
        name: fc.constantFrom(...names),
        target: position,
        other: position,
        at: fc.nat(200_000),
        mask: fc.integer({ min: 1, max: 255 }),
      })
      const { world, witness, honest } = sceneOf(kind)
      const targets = witness.filter((preimage) => preimage.kind === kind)
      await checkProperty(
        kind,
        forgery,
        async ({ name, target, other, at, mask }) => {
          const spot = {
            target: targets[Math.floor(target * targets.length)]!,
            other: witness[Math.floor(other * witness.length)]!,
            ...{ at, mask },
          }
          const forged = FORGERIES[name]!(witness, spot)
          if (!forged) return 'unchanged'
          const verdict = await judge(world, forged)
          if (verdict.proof && FREE.includes(kind)) {
            expect(rootsOf(verdict)).toEqual(rootsOf(honest))
            return 'another statement'
          }
          expect(verdict, name).toMatchObject({ proof: undefined, signatures: 0 })
          return 'refused'
        },
        {
          share: isOfBlob(kind) ? 0.5 : 1,
          examples: names.map((name, at) => ({ name, target: 0.5, other: 0.1, at, mask: 1 })),
        },
      )
    },
  )

  test.each(VERIFIED)(
    'given any pair of type %s added, then it is refused (SAFE-05)',
    async (type) => {
      const added = fc.record({
        data: fc.uint8Array({ minLength: 31, maxLength: 31 }),
        value: fc.uint8Array(),
        at: position,
      })
      const { world, witness } = sceneOf('local 1')
      await checkProperty(`added ${type}`, added, async ({ data, value, at }) => {
        const pair = { key: { type, data }, value }
        const verdict = await judge(
          world,
          witness.toSpliced(at * witness.length, 0, { ...pair, kind: '' }),
        )
        expect(verdict).toMatchObject({ proof: undefined, signatures: 0 })
        return 'refused'
      })
    },
  )

  test('given a preimage added that no step reads, then it is refused if it is forged, and else proven (SAFE-05)', async () => {
    const { world, witness, honest } = sceneOf('local 1')
    const rng = seededRng(safetySeed)
    const other = await randomWorld(safetySeed + 1)
    const unread = await witnessOf(other, honestClaim(other, 0, 1))
    const strangers = unread.filter(({ key, value }) => {
      return (
        key.type === 'keccak256' &&
        !witness.some((known) => Buffer.compare(known.value, value) === 0)
      )
    })
    expect(strangers.length).toBeGreaterThan(0)
    expect(await judge(world, [...witness, ...strangers])).toEqual(honest)
    const forged = { ...strangers[0]!, value: rng.bytes(40) }
    const verdict = await judge(world, [...witness, ...strangers.slice(1), forged])
    expect(verdict).toMatchObject({ proof: undefined, signatures: 0 })
    expect(verdict.refusal).toContain('preimage hash mismatch')
  })
})

/** What every statement over the range has in common, whoever it is made for. */
function rootsOf({ proof }: Verdict) {
  return proof!.proposals.map(
    ({ outputRoot, prevOutputRoot, l1OriginHash, l2BlockNumber, configHash }) => ({
      ...{ outputRoot, prevOutputRoot, l1OriginHash, l2BlockNumber, configHash },
    }),
  )
}
