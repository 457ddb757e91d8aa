import { concatBytes, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWitness } from '../../devnet/prover/build-witness.ts'
import { keccakKey, localKey } from '../../enclave-sim/oracle/preimage-key.ts'
import { LocalKey, type Preimage } from '../../enclave-sim/oracle/preimage-oracle.ts'
import { verifiedOracle } from '../../enclave-sim/oracle/verified-oracle.ts'
import { runProgram } from '../../enclave-sim/proof/program.ts'
import type { ProgramResult } from '../../enclave-sim/proof/types.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'
import { type TestChain, testChain } from './test-chain.ts'

describe('a witness that was tampered with', () => {
  let chain: TestChain
  let preimages: Preimage[]
  let honest: ProgramResult

  beforeAll(async () => {
    chain = await testChain()
    for (let block = 1; block <= 4; block++) await chain.build([await chain.sign()])
    await chain.post()
    const { chains, l1, l2 } = chain
    const sources = { chainId: BigInt(l2ChainId), chains, l1, l2 }
    preimages = await buildWitness(await chain.request(3, 4), sources)
    honest = await prove(preimages)
  })

  afterAll(() => chain.stop())

  const prove = async (witness: Preimage[]) => {
    return await runProgram(verifiedOracle(witness), { chains: chain.chains })
  }

  /** Boot values that are the caller's to choose, and what of the result follows them. */
  const free: Record<number, (result: ProgramResult) => unknown> = {
    [LocalKey.proposer]: ({ proposer, ...rest }) => rest,
    [LocalKey.intermediateBlockInterval]: ({ intermediateBlockInterval, ...rest }) => rest,
    [LocalKey.l1HeadNumber]: ({ l1HeadNumber, ...rest }) => rest,
  }
  const freedom = ({ key }: Preimage) => (key.type === 'local' ? free[key.data.at(-1)!] : undefined)

  it('13: given any one preimage dropped, when run, then there is no result', async () => {
    for (const dropped of preimages) {
      const run = prove(preimages.filter((preimage) => preimage !== dropped))
      const ignoring = freedom(dropped)
      if (ignoring) expect(ignoring(await run)).toEqual(ignoring(honest))
      else await expect(run).rejects.toMatchObject({ code: 'PREIMAGE_MISSING' })
    }
  })

  it('13: given any one preimage with a byte flipped, when run, then there is no result (PIPE-07, PIPE-11, PIPE-12)', async () => {
    let refused = 0
    const property = fc.asyncProperty(
      fc.nat(preimages.length - 1),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (index, position, mask) => {
        const preimage = preimages[index]!
        const value = Uint8Array.from(preimage.value)
        value[position % value.length]! ^= mask
        const run = prove(preimages.with(index, { ...preimage, value }))
        const ignoring = freedom(preimage)
        if (ignoring && preimage.key.data.at(-1) !== LocalKey.l1HeadNumber)
          return void expect(ignoring(await run)).toEqual(ignoring(honest))
        await expect(run).rejects.toThrow()
        refused += 1
      },
    )
    await fc.assert(property, { numRuns: 300, seed: 20261121 })
    expect(refused).toBeGreaterThan(200)
  })

  it('given each preimage with its first byte flipped, when run, then it is refused by name', async () => {
    for (const [index, preimage] of preimages.entries()) {
      if (preimage.key.type === 'local') continue
      const value = Uint8Array.from(preimage.value)
      value[0]! ^= 1
      await expect(prove(preimages.with(index, { ...preimage, value }))).rejects.toMatchObject({
        code: 'PREIMAGE_MISMATCH',
      })
    }
  })

  it('given an agreed root that pairs the block with another state, when run, then it is refused', async () => {
    const { hash, header } = chain.blocks[2]!
    // version ‖ a state root of zeros ‖ the message passer's root ‖ the real block hash
    const forged = concatBytes(
      new Uint8Array(64),
      hexToBytes(header.withdrawalsRoot),
      hexToBytes(hash),
    )
    const root = keccak256(forged)
    const key = localKey(LocalKey.agreedOutputRoot)
    const crafted = [...preimages, { key, value: hexToBytes(root) }]
    await expect(
      prove([...crafted, { key: keccakKey(root), value: forged }]),
    ).rejects.toMatchObject({ code: 'AGREED_ROOT_INVALID' })
  })

  it('given two preimages that swapped their values, when run, then they are refused', async () => {
    const [first, second] = preimages.filter(({ key }) => key.type === 'keccak256')
    const swapped = preimages.map((preimage) => {
      if (preimage === first) return { ...preimage, value: second!.value }
      return preimage === second ? { ...preimage, value: first!.value } : preimage
    })
    await expect(prove(swapped)).rejects.toMatchObject({ code: 'PREIMAGE_MISMATCH' })
  })
})
