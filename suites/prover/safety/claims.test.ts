import { concatBytes, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { keccakKey } from '#protocol/oracle/preimage-key'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { checkProperty } from './check-property.ts'
import { type Claim, holds, honestClaim } from './claim.ts'
import { judge } from './judge.ts'
import { randomWorld, type World } from './random-world.ts'
import { witnessOf } from './witness-of.ts'

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => keccak256(bytes))
const seeds = fc.nat(1_000_000)
/** A position in something whose length is not known yet. */
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(at * list.length)]!

const range = fc.record({ seed: seeds, a: position, b: position })

/** A random world and an honest claim about a random range of it. */
async function scene({ seed, a, b }: { seed: number; a: number; b: number }) {
  const world = await randomWorld(seed)
  const last = world.blocks.length - 1
  const from = Math.floor(a * last)
  const to = from + 1 + Math.floor(b * (last - from))
  return { world, from, to, honest: honestClaim(world, from, to) }
}

/** Signs a claim that holds for every block of it, and no other with so much as one signature. */
async function expectVerdict(world: World, claim: Claim, extra: Preimage[] = []): Promise<string> {
  const verdict = await judge(world, [...(await witnessOf(world, claim)), ...extra])
  if (!holds(world, claim)) {
    expect(verdict).toMatchObject({ proof: undefined, signatures: 0 })
    return 'refused'
  }
  const to = Number(claim.claimedNumber)
  const { proof } = verdict
  expect(verdict.refusal).toBeUndefined()
  expect(proof!.aggregateProposal.outputRoot).toBe(world.rootOf(to))
  for (const { l2BlockNumber, outputRoot } of proof!.proposals)
    expect(outputRoot).toBe(world.rootOf(Number(l2BlockNumber)))
  return 'signed'
}

describe('a claim', () => {
  test('given any kind, then it is signed when it holds, and only then (SAFE-02, SAFE-03, PIPE-16..18)', async () => {
    const change = fc.record(
      {
        claimedRoot: fc.oneof(hash, position),
        agreedRoot: fc.oneof(hash, position),
        l1Head: position,
        claimedNumber: fc.nat(9),
        l1HeadNumber: fc.oneof(fc.constant(0), fc.nat(9)),
        chainId: fc.oneof(fc.constant(1), fc.nat()),
      },
      { requiredKeys: [] },
    )
    const outcomes = await checkProperty(
      'random claims',
      fc.record({ range, change, honestly: fc.boolean() }),
      async ({ range, change, honestly }) => {
        const { world, honest } = await scene(range)
        if (honestly) return await expectVerdict(world, honest)
        const numbers = world.blocks.map((_, number) => number)
        const root = (value: Claim['claimedRoot'] | number) =>
          typeof value === 'string' ? value : world.rootOf(pick(numbers, value))
        const { claimedRoot, agreedRoot, l1Head, claimedNumber, l1HeadNumber, chainId } = change
        const head = world.l1.at(Math.floor((l1Head ?? 0) * Number(honest.l1HeadNumber)))
        return await expectVerdict(world, {
          ...honest,
          ...(claimedRoot !== undefined && { claimedRoot: root(claimedRoot) }),
          ...(agreedRoot !== undefined && { agreedRoot: root(agreedRoot) }),
          ...(l1Head !== undefined && { l1Head: head.hash, l1HeadNumber: head.number }),
          ...(claimedNumber !== undefined && { claimedNumber: BigInt(claimedNumber) }),
          ...(l1HeadNumber !== undefined && { l1HeadNumber: BigInt(l1HeadNumber) }),
          ...(chainId !== undefined && { chainId: BigInt(chainId) }),
        })
      },
      {
        share: 2,
        examples: [
          { claimedRoot: 0 },
          { agreedRoot: 0.99 },
          { l1Head: 0 },
          { claimedNumber: 0 },
          { l1HeadNumber: 1 },
          { chainId: 1 },
        ].map((change) => ({ range: { seed: 1, a: 0.3, b: 0.9 }, change, honestly: false })),
      },
    )
    expect([...outcomes.keys()].sort()).toEqual(['refused', 'signed'])
  })

  test('given one wrong bit in its root, then it is refused (SAFE-03, PIPE-18)', async () => {
    const bit = fc.nat(255)
    await checkProperty('one bit', fc.record({ range, bit }), async ({ range, bit }) => {
      const { world, honest } = await scene(range)
      const root = hexToBytes(honest.claimedRoot)
      root[bit >> 3]! ^= 1 << (bit & 7)
      const claimedRoot = `0x${Buffer.from(root).toString('hex')}` as const
      return await expectVerdict(world, { ...honest, claimedRoot })
    })
  })

  test('given a number that derivation does not reach, also with the root of the last block that it does reach, then it is refused (SAFE-03)', async () => {
    const beyond = fc.bigInt(1n, 2n ** 64n - 20n)
    await checkProperty('unreached', fc.record({ range, beyond }), async ({ range, beyond }) => {
      const { world, from } = await scene(range)
      const last = world.blocks.length - 1
      const honest = honestClaim(world, from, last)
      return await expectVerdict(world, { ...honest, claimedNumber: BigInt(last) + beyond })
    })
  })

  test('given batches beyond the L1 head, then it is refused (PIPE-10, PIPE-16)', async () => {
    const early = fc.record({ range, cut: position })
    await checkProperty('truncated L1', early, async ({ range, cut }) => {
      const { world, honest, to } = await scene(range)
      const head = world.l1.at(Math.floor(cut * world.includedIn[to]!))
      const claim = { ...honest, l1Head: head.hash, l1HeadNumber: head.number }
      const outcome = await expectVerdict(world, claim)
      expect(outcome).toBe('refused')
      const first = world.l1.at(world.includedIn[to]!)
      const enough = { ...honest, l1Head: first.hash, l1HeadNumber: first.number }
      expect(await expectVerdict(world, enough)).toBe('signed')
      return outcome
    })
  })
})

describe('an agreed output root', () => {
  test('given real values that are paired wrongly, then it is refused, though its preimage is true to its hash (PIPE-11)', async () => {
    const parts = fc.record({
      range,
      part: fc.nat(3),
      other: position,
      bytes: fc.option(fc.uint8Array({ minLength: 32, maxLength: 32 }), { nil: undefined }),
      cut: fc.constantFrom(0, 32, 127, 128, 160),
    })
    await checkProperty('forged agreed root', parts, async ({ range, part, other, bytes, cut }) => {
      const { world, from, honest } = await scene(range)
      const preimage = (number: number) => {
        const { header, hash } = world.blocks[number]!
        const words = [header.stateRoot, header.withdrawalsRoot, hash]
        return [new Uint8Array(32), ...words.map((word) => hexToBytes(word))]
      }
      const words = preimage(from)
      words[part] =
        bytes ??
        preimage(
          pick(
            world.blocks.map((_, n) => n),
            other,
          ),
        )[part]!
      const whole = concatBytes(...words, new Uint8Array(32))
      const forged = whole.subarray(0, cut === 0 ? 128 : cut)
      const agreedRoot = keccak256(forged)
      const pair = { key: keccakKey(agreedRoot), value: forged }
      // The witness of the honest claim is what the program would go on to read.
      const witness = await witnessOf(world, honest)
      const claim = { ...honest, agreedRoot }
      const known = witness.filter(({ key }) => key.type !== 'local')
      return await expectVerdict(world, claim, [pair, ...known])
    })
  })
})
