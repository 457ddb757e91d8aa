import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { concatHex, type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { addJournalCommand } from './journal.ts'

interface Vector {
  comment: string
  result: string
  packed?: string
  digest?: string
  signature?: string
  journal?: unknown
}
interface Group {
  type: string
  key?: { address: string }
  tests: Vector[]
}

const vectors: { testGroups: Group[] } = JSON.parse(
  await readFile(new URL('../../fixtures/vectors/journal.json', import.meta.url), 'utf8'),
)
const groupOf = (type: string) => vectors.testGroups.find((group) => group.type === type)!
const packing = groupOf('JournalPack').tests.find(({ comment }) => comment.startsWith('two'))!
const { key, tests: signatures } = groupOf('JournalVerify')
const [good] = signatures
const raised = signatures.find(({ comment }) => comment === 'v as 27 or 28')!

let folder: string
const file = (name: string) => join(folder, name)
const print = vi.spyOn(console, 'log').mockImplementation(() => {})
vi.spyOn(console, 'error').mockImplementation(() => {})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-journal-'))
  await writeFile(file('journal.json'), JSON.stringify(packing.journal))
  await writeFile(file('packed.hex'), `${packing.packed}\n`)
  await writeFile(file('packed.bin'), Buffer.from(packing.packed!.slice(2), 'hex'))
})
afterEach(() => print.mockClear())
afterAll(() => rm(folder, { recursive: true }))

async function journal(...args: string[]): Promise<{ exitCode: number; output: string }> {
  let exitCode = 0
  const program = new Command().exitOverride()
  addJournalCommand(program, (code) => {
    exitCode = code
  })
  await program.parseAsync(['journal', ...args], { from: 'user' })
  return { exitCode, output: print.mock.calls.flat().join('\n') }
}

describe('rollbed journal encode', () => {
  test('given JSON, then it is packed as the published vector has it', async () => {
    expect((await journal('encode', file('journal.json'))).output).toBe(packing.packed)
    print.mockClear()
    const { output } = await journal('encode', file('journal.json'), '--json')
    expect(JSON.parse(output)).toEqual({
      journal: packing.packed,
      size: 260,
      digest: packing.digest,
    })
  })

  test('given JSON that is no journal, then it is refused by field', async () => {
    await writeFile(file('bad.json'), '{"proposer": "0x12"}')
    await expect(journal('encode', file('bad.json'))).rejects.toThrow('proposer')
    await expect(journal('encode', file('packed.hex'))).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('rollbed journal decode', () => {
  test.each(['packed.hex', 'packed.bin'])(
    'given a journal as %s, then each of its fields is named',
    async (name) => {
      const { output } = await journal('decode', file(name), '--json')
      expect(JSON.parse(output)).toMatchObject({
        layout: 'packed',
        size: 260,
        journal: packing.journal,
      })
    },
  )

  test('given hex as an argument, then each field stands on a line', async () => {
    const lines = (await journal('decode', packing.packed!)).output.split('\n')
    expect(lines[0]).toBe('packed, 260 bytes')
    expect(lines).toHaveLength(11)
    expect(lines[4]).toMatch(/^ {3}84 \+8 {3}startingL2Block +999$/)
  })

  test('given a layout that is asked for, then the bytes are read in it or refused', async () => {
    const wide = groupOf('JournalUnpack').tests.find(({ comment }) => comment === '244 bytes')!
    const { output } = await journal('decode', wide.packed!)
    expect(output).toContain('uint256-block-numbers, 244 bytes')
    await expect(journal('decode', wide.packed!, '--layout', 'packed')).rejects.toThrow('244 bytes')
  })
})

describe('rollbed journal verify', () => {
  test('given v as 0 or as 27, then the signer is printed', async () => {
    for (const { packed, signature } of [good!, raised]) {
      const flags = ['--signature', signature!, '--signer', key!.address]
      expect(await journal('verify', packed!, ...flags)).toMatchObject({
        exitCode: 0,
        output: key!.address,
      })
      print.mockClear()
    }
  })

  test('given another signer, then the exit code is 1', async () => {
    const flags = ['--signature', good!.signature!, '--signer', `0x${'12'.repeat(20)}`]
    expect(await journal('verify', good!.packed!, ...flags)).toMatchObject({ exitCode: 1 })
  })

  test('given what is no signature, then it is refused', async () => {
    const refused = journal('verify', good!.packed!, '--signature', '0x1234')
    await expect(refused).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' })
  })
})

describe('rollbed journal audit', () => {
  test('given a signed journal, then it is judged, as JSON and as a page', async () => {
    const flags = ['--signature', good!.signature!, '--signer', key!.address, '--json']
    const { exitCode, output } = await journal(
      'audit',
      good!.packed!,
      ...flags,
      '--html',
      file('a.html'),
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      verdict: 'pass',
      claims: [{ signer: key!.address }],
    })
    expect(await readFile(file('a.html'), 'utf8')).toContain('<h1>Journal audit</h1>')
  })

  test('given a broken rule, then the exit code is 1 and the field is named', async () => {
    const { exitCode, output } = await journal(
      'audit',
      good!.packed!,
      '--image-hash',
      `0x${'99'.repeat(32)}`,
    )
    expect(exitCode).toBe(1)
    expect(output).toMatch(/✗ JRN-11: teeImageHash is/)
  })

  // tee-prover.md, "Signed journal": N equals last block divided by intermediate_block_interval.
  test('given N by the letter, 9 / 3, then the reading and the layout are named and the exit code is 0', async () => {
    const literal = {
      ...(packing.journal as object),
      startingL2Block: '6',
      endingL2Block: '9',
      intermediateRoots: ['a1', 'a2', 'a3'].map(hash),
    }
    await writeFile(file('literal.json'), JSON.stringify(literal))
    const { output: packed } = await journal('encode', file('literal.json'))
    print.mockClear()
    const { exitCode, output } = await journal('audit', packed, '--interval', '3')
    expect(exitCode).toBe(0)
    expect(output).toContain('packed, 196 + 32·N bytes')
    expect(output).toMatch(
      /OPEN-50 {2}N of the aggregate journal: last block 9 \/ interval 3 is N = 3/,
    )
    expect(output).not.toContain('✗')
  })

  const hash = (byte: string): Hex => `0x${byte.repeat(32)}`
  const proposal = {
    output_root: hash('44'),
    signature: `0x${'11'.repeat(64)}00`,
    l1_origin_hash: hash('22'),
    l1_origin_number: 1,
    l2_block_number: 1,
    prev_output_root: hash('33'),
    config_hash: hash('c0'),
  }
  const answer = JSON.stringify({ Tee: { aggregate_proposal: proposal, proposals: [proposal] } })

  test('given a ProofResult that fits no account, then its proposer is asked for before it is called forged, and none is guessed', async () => {
    await writeFile(file('proof.json'), answer)
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    const asked = journal('audit', file('proof.json'))
    await expect(asked).rejects.toThrow('give --proposer and --image-hash')
    await expect(asked).rejects.toMatchObject({ code: 'USAGE' })

    const proposer = `0x${'f3'.repeat(20)}`
    const enclave = { imageHash: hash('1a'), signer: `0x${'e1'.repeat(20)}` }
    await mkdir(join(folder, '.rollbed'))
    await writeFile(
      join(folder, '.rollbed/devnet.json'),
      JSON.stringify({ accounts: [{ address: proposer }], enclaves: [enclave] }),
    )
    const { output } = await journal('audit', file('proof.json'), '--json')
    const [{ fields, summary }] = JSON.parse(output).claims
    const valueOfField = (name: string) =>
      fields.find(({ field }: { field: string }) => field === name)
    expect(valueOfField('proposer')).toMatchObject({ assumed: true })
    expect(valueOfField('teeImageHash')).toMatchObject({ value: enclave.imageHash, assumed: false })
    expect(summary).toContain('cannot be judged: proposer is not known')
    cwd.mockRestore()
  })

  test('given a ProofResult of one of several accounts and images of the devnet here, then it is judged as made for that one', async () => {
    const privateKey = keccak256('0xe1')
    const signer = privateKeyToAddress(privateKey).toLowerCase()
    const accounts = ['f1', 'f2', 'f3'].map((byte) => `0x${byte.repeat(20)}` as Hex)
    const images = [hash('1a'), hash('1b')]
    const number = (value: number) => numberToHex(value, { size: 8 })
    // tee-prover.md, "Signed journal": block 1 alone.
    const packed = concatHex([
      ...[accounts[2]!, hash('22'), hash('33'), number(0)],
      ...[hash('44'), number(1), hash('c0'), images[1]!],
    ])
    const { r, s, yParity } = await sign({ hash: keccak256(packed), privateKey })
    const signed = { ...proposal, signature: concatHex([r, s, numberToHex(yParity!, { size: 1 })]) }
    const here = await mkdtemp(join(folder, 'here-'))
    await mkdir(join(here, '.rollbed'))
    const description = {
      ...{ l1RpcUrl: 'http://127.0.0.1:1', contracts: {} },
      accounts: accounts.map((address) => ({ address })),
      enclaves: [
        { imageHash: images[0], signer: `0x${'e0'.repeat(20)}` },
        { imageHash: images[1], signer },
      ],
    }
    await writeFile(join(here, '.rollbed/devnet.json'), JSON.stringify(description))
    await writeFile(
      join(here, 'proof.json'),
      JSON.stringify({ Tee: { aggregate_proposal: signed, proposals: [signed] } }),
    )
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(here)
    const { exitCode, output } = await journal('audit', join(here, 'proof.json'), '--json')
    // Elsewhere, where it is named.
    print.mockClear()
    const elsewhere = await mkdtemp(join(folder, 'elsewhere-'))
    cwd.mockReturnValue(elsewhere)
    const config = ['--config', join(here, '.rollbed/devnet.json')]
    const there = await journal('audit', join(here, 'proof.json'), '--json', ...config)
    cwd.mockRestore()
    expect([exitCode, there.exitCode]).toEqual([0, 0])
    expect(there.output).toBe(output)
    const { claims, verdict } = JSON.parse(output)
    expect(verdict).toBe('pass')
    expect(claims).toMatchObject([{ signer }, { signer }])
    const refused = journal('audit', join(here, 'proof.json'), '--config', join(here, 'proof.json'))
    await expect(refused).rejects.toMatchObject({ code: 'USAGE' })
  })

  test.each([
    ['neither hex nor a file', ['audit', 'nothing-here']],
    ['a proposer that is no address', ['audit', '0x12', '--proposer', '0x12']],
    ['a signer that is no address', ['audit', '0x12', '--signer', 'bob']],
  ])('given %s, then it is refused as a wrong use', async (_name, args) => {
    await expect(journal(...args)).rejects.toMatchObject({ code: 'USAGE' })
  })
})
