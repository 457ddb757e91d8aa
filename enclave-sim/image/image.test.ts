import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { buildImage } from './build-image.ts'
import { bundleProgram } from './bundle-program.ts'
import { decodeChainTable, encodeChainTable } from './chain-table.ts'
import { imageFiles } from './image-files.ts'
import { type Measurement, measureImage } from './measure-image.ts'

const chain = (l2ChainId: number): RollupConfig => ({
  l1ChainId: 1337,
  l2ChainId,
  fork: 'jovian',
  genesis: {
    l1: { hash: `0x${'11'.repeat(32)}`, number: 0 },
    l2: { hash: `0x${'22'.repeat(32)}`, number: 0 },
    l2Time: 1_700_000_000,
    systemConfig: {
      batcherAddress: `0x${'33'.repeat(20)}`,
      gasLimit: 2n ** 60n,
      scalar: `0x${'00'.repeat(32)}`,
      eip1559Denominator: 250,
      eip1559Elasticity: 6,
      operatorFeeScalar: 0,
      operatorFeeConstant: 2n ** 60n + 1n,
      minBaseFee: 5n,
      daFootprintGasScalar: 400,
    },
  },
  blockTime: 2,
  maxSequencerDrift: 1800,
  sequencerWindowSize: 3600,
  channelTimeout: 50,
  batchInboxAddress: `0x${'44'.repeat(20)}`,
  depositContractAddress: `0x${'55'.repeat(20)}`,
  l1SystemConfigAddress: `0x${'66'.repeat(20)}`,
})

const directory = mkdtempSync(join(tmpdir(), 'rb-'))
const dir = join(directory, 'image')
let image: Measurement
beforeAll(async () => {
  image = await buildImage({ outDir: dir, chains: [chain(84538453)] })
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('the chain table', () => {
  test('given chains, when written and read, then they come back with their exact numbers', () => {
    const table = decodeChainTable(encodeChainTable([chain(2), chain(1)]))
    expect([...table.keys()]).toEqual([1n, 2n])
    expect(table.get(2n)).toEqual(chain(2))
  })

  test('given chains and fields in any order, then the bytes are the same', () => {
    const reversed = Object.fromEntries(Object.entries(chain(1)).reverse()) as unknown
    expect(encodeChainTable([chain(2), reversed as RollupConfig])).toBe(
      encodeChainTable([chain(1), chain(2)]),
    )
  })

  test.each(['', '{}', '[{}]', '[null]'])('given %j, then it is refused', (text) => {
    expect(() => decodeChainTable(text)).toThrow('chain table')
  })
})

describe('the measurement', () => {
  test('given an image, then it is SHA-384(0^48, SHA-384(image)) over names, sizes and bytes', () => {
    const sha384 = (...parts: Uint8Array[]) =>
      createHash('sha384').update(Buffer.concat(parts)).digest()
    const small = join(directory, 'small')
    cpSync(dir, small, { recursive: true })
    for (const name of [imageFiles.program, imageFiles.secp256k1, imageFiles.chains])
      rmSync(join(small, name))
    writeFileSync(join(small, 'b'), 'xyz')
    writeFileSync(join(small, 'a'), '')
    const expected = sha384(
      Buffer.alloc(48),
      sha384(Buffer.from('000000016100000000000000000000000162000000000000000378797a', 'hex')),
    )
    expect(measureImage(small)).toEqual({
      pcr0: `0x${expected.toString('hex')}`,
      imageHash: keccak256(expected),
    })
  })

  test('given the same image in another place, then it is the same', () => {
    const copy = join(directory, 'copy')
    cpSync(dir, copy, { recursive: true })
    expect(measureImage(copy)).toEqual({ pcr0: image.pcr0, imageHash: image.imageHash })
  })

  const changes: [string, (dir: string) => void][] = [
    ...[imageFiles.program, imageFiles.secp256k1, imageFiles.chains].map(
      (name): [string, (dir: string) => void] => [
        `a flipped bit in ${name}`,
        (dir) => {
          const bytes = readFileSync(join(dir, name))
          bytes[bytes.length >> 1]! ^= 1
          writeFileSync(join(dir, name), bytes)
        },
      ],
    ),
    ['a renamed file', (dir) => renameSync(join(dir, 'chains.json'), join(dir, 'chain.json'))],
    ['an added empty file', (dir) => writeFileSync(join(dir, 'z'), '')],
    ['a missing file', (dir) => rmSync(join(dir, 'chains.json'))],
  ]
  test.each(changes)('given %s, then it is another', (_what, change) => {
    const copy = mkdtempSync(join(directory, 'changed-'))
    cpSync(dir, copy, { recursive: true })
    change(copy)
    expect(measureImage(copy).pcr0).not.toBe(image.pcr0)
  })
})

describe('an image', () => {
  test('given another label or other chains, then it differs', async () => {
    const outDir = (name: string) => join(directory, name)
    const labelled = await buildImage({
      outDir: outDir('l'),
      chains: [chain(84538453)],
      label: 'b',
    })
    const other = await buildImage({ outDir: outDir('o'), chains: [chain(1)] })
    expect(new Set([image.pcr0, labelled.pcr0, other.pcr0]).size).toBe(3)
  })

  test('given one for a virtual machine, then it has what opens AF_VSOCK, measured with it', async () => {
    const outDir = join(directory, 'vm')
    const machine = await buildImage({
      outDir,
      chains: [chain(84538453)],
      transport: 'vsock',
    })
    expect(readdirSync(outDir)).toContain(imageFiles.koffi)
    expect(readdirSync(dir)).not.toContain(imageFiles.koffi)
    expect(machine.pcr0).not.toBe(image.pcr0)
  })

  test('given two builds, then their bytes are the same and name no place of this machine', async () => {
    const program = Buffer.from(await bundleProgram())
    expect(program.equals(readFileSync(join(dir, imageFiles.program)))).toBe(true)
    expect(program.includes(join(import.meta.dirname, '../..'))).toBe(false)
    expect(program.includes('node_modules/')).toBe(false)
  })
})
