import fc from 'fast-check'
import { concatHex, type Hex, keccak256, numberToHex, slice } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeJournal } from '#protocol/journal/encode-journal'
import { recoverSigner } from '#protocol/journal/recover-signer'
import { sampleRoots } from '#protocol/journal/sampling'
import { createSigner } from '#protocol/journal/signer'
import { createSolidityVerifier } from './create-solidity-verifier.ts'
import { hash, journals } from './journal-arbitrary.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const digestOf = (journal: Parameters<typeof encodeJournal>[0]) => keccak256(encodeJournal(journal))

let solidity: Awaited<ReturnType<typeof createSolidityVerifier>>

beforeAll(async () => {
  solidity = await createSolidityVerifier()
})

/** A journal as a game makes it: at least one root, the last of which is the claim. */
const games = fc
  .record({
    journal: journals.filter(({ intermediateRoots }) => intermediateRoots.length > 0),
    intermediateInterval: fc.bigInt(1n, 1_000n),
  })
  .map(({ journal, intermediateInterval }) => ({
    intermediateInterval,
    journal: { ...journal, outputRoot: journal.intermediateRoots.at(-1)! },
  }))

describe('the contract that verifies a game', () => {
  test('given the whole range, then it packs the same journal (JRN-01 to JRN-11)', async () => {
    await fc.assert(
      fc.asyncProperty(games, async (game) => {
        const { journal } = game
        expect(await solidity.askWhole(game)).toEqual({
          proposer: journal.proposer,
          imageHash: journal.teeImageHash,
          digest: digestOf(journal),
        })
      }),
      { numRuns: 40 },
    )
  })

  test('given one interval, then it packs the same journal, whose only root is the one claimed', async () => {
    const startsBelow = fc.bigInt(0n, 1n << 62n)
    await fc.assert(
      fc.asyncProperty(games, hash, fc.nat(), startsBelow, async (game, root, at, start) => {
        const journal = { ...game.journal, startingL2Block: start }
        const { intermediateRoots: roots } = journal
        const index = at % roots.length
        fc.pre(roots[index] !== root)
        const startingL2Block = start + BigInt(index) * game.intermediateInterval
        const asked = await solidity.askInterval({ ...game, journal }, BigInt(index), root)
        expect(asked.digest).toBe(
          digestOf({
            ...journal,
            startingL2Block,
            prevOutputRoot: index === 0 ? journal.prevOutputRoot : roots[index - 1]!,
            outputRoot: root,
            endingL2Block: startingL2Block + game.intermediateInterval,
            intermediateRoots: [root],
          }),
        )
      }),
      { numRuns: 40 },
    )
  })

  test('given an interval, then it wants as many roots as an enclave samples over it (JRN-15)', async () => {
    await fc.assert(
      fc.asyncProperty(games, async ({ journal, intermediateInterval }) => {
        const interval = (intermediateInterval % 20n) + 1n
        const count = Number(interval) * journal.intermediateRoots.length
        fc.pre(count > 1)
        const blocks = Array.from({ length: count }, (_, index) => ({
          number: BigInt(index + 1),
          hash: journal.outputRoot,
          outputRoot: numberToHex(index + 1, { size: 32 }),
        }))
        const roots = sampleRoots(blocks, interval)
        const sampled = { ...journal, intermediateRoots: roots, outputRoot: roots.at(-1)! }
        const asked = await solidity.askWhole({ journal: sampled, intermediateInterval: interval })
        expect(asked.digest).toBe(digestOf(sampled))
      }),
      { numRuns: 20 },
    )
  })
})

describe('a signature', () => {
  const keys = fc.bigInt(1n, ORDER - 1n).map((key) => numberToHex(key, { size: 32 }))
  /** As L1 wants it (SIG-06). */
  const raised = (signature: Hex) =>
    concatHex([slice(signature, 0, 64), slice(signature, 64) === '0x00' ? '0x1b' : '0x1c'])

  test('given one of an enclave, then TEEVerifier and we recover it, and it is the one that viem makes (SIG-01 to SIG-07)', async () => {
    await fc.assert(
      fc.asyncProperty(journals, keys, async (journal, privateKey) => {
        const packed = encodeJournal(journal)
        const signature = createSigner(Buffer.from(privateKey.slice(2), 'hex')).sign(packed)
        const address = privateKeyToAddress(privateKey).toLowerCase()
        expect(raised(signature)).toBe(
          await sign({ hash: keccak256(packed), privateKey, to: 'hex' }),
        )
        expect(await solidity.recover(keccak256(packed), raised(signature))).toBe(address)
        expect(recoverSigner(packed, signature)).toBe(address)
      }),
      { numRuns: 50 },
    )
  })

  test('given one bit flipped, in journal or signature, then it never recovers to its signer', async () => {
    await fc.assert(
      fc.asyncProperty(journals, keys, fc.nat(), async (journal, privateKey, at) => {
        const packed = encodeJournal(journal)
        const address = privateKeyToAddress(privateKey).toLowerCase()
        const signature = createSigner(Buffer.from(privateKey.slice(2), 'hex')).sign(packed)
        const flip = (bytes: Uint8Array) => {
          const copy = Uint8Array.from(bytes)
          copy[(at >> 3) % copy.length]! ^= 1 << (at % 8)
          return copy
        }
        const other = flip(packed)
        expect(recovered(other, signature)).not.toBe(address)
        expect(await solidity.recover(keccak256(other), raised(signature))).not.toBe(address)
        const tampered =
          `0x${Buffer.from(flip(Buffer.from(signature.slice(2), 'hex'))).toString('hex')}` as Hex
        expect(recovered(packed, tampered)).not.toBe(address)
      }),
      { numRuns: 50 },
    )
  })

  test('given another form, then TEEVerifier and we refuse it', async () => {
    const [journal] = fc.sample(journals, { numRuns: 1, seed: 3 })
    const packed = encodeJournal(journal!)
    const signature = createSigner(Buffer.alloc(32, 7)).sign(packed)
    const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64)]
    const highS = numberToHex(ORDER - BigInt(s), { size: 32 })
    const zero = numberToHex(0, { size: 32 })
    const forms: [Hex, Hex, Hex][] = [
      [zero, s, v],
      [r, zero, v],
      [r, highS, v === '0x00' ? '0x01' : '0x00'],
      [numberToHex(ORDER, { size: 32 }), s, v],
      [r, s, '0x02'],
    ]
    for (const parts of forms) {
      expect(recovered(packed, concatHex(parts))).toBeUndefined()
      const l1 = concatHex([parts[0], parts[1], numberToHex(Number(parts[2]) + 27, { size: 1 })])
      expect(await solidity.recover(keccak256(packed), l1)).toBeUndefined()
    }
    // Each refuses the v of the other's form (SIG-04, SIG-06).
    expect(recovered(packed, raised(signature))).toBeUndefined()
    expect(await solidity.recover(keccak256(packed), signature)).toBeUndefined()
  })

  function recovered(packed: Uint8Array, signature: Hex): string | undefined {
    try {
      return recoverSigner(packed, signature)
    } catch {
      return undefined
    }
  }
})
