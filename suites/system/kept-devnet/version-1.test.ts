import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { startDevnet } from '#devnet/start-devnet'
import { contentOf } from './judge-torn-folder.ts'
import { registerCode } from './killed-devnet.ts'
import { unpackVersion1 } from './unpack-version1.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-version-1-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const start = (state: string) =>
  startDevnet({ state, enclaves: 0, manual: true, logLevel: 'silent' })

async function hashesOf(url: string, count: number): Promise<unknown[]> {
  const rpc = httpRpcClient(url)
  const numbers = Array.from({ length: count }, (_, number) => `0x${number.toString(16)}`)
  const blocks = numbers.map((number) => rpc.request('eth_getBlockByNumber', [number, false]))
  return (await Promise.all(blocks)).map((block) => (block as { hash: string } | null)?.hash)
}

test('given a folder of version 1, when it is started twice, then all blocks and codes are there, and each file is for its owner alone', async () => {
  const state = newFolder()
  const seen = unpackVersion1(state)
  for (const name of readdirSync(state)) chmodSync(join(state, name), 0o644)
  for (const _ of ['upgraded', 'again']) {
    const devnet = await start(state)
    const { rpcUrl, l1RpcUrl, apiUrl } = devnet.description
    expect(await hashesOf(rpcUrl, seen.l2.length)).toEqual(seen.l2)
    expect(await hashesOf(l1RpcUrl, seen.l1.length)).toEqual(seen.l1)
    for (const [wallet, code] of Object.entries(seen.codes)) {
      expect((await registerCode(apiUrl, wallet as `0x${string}`)).builderCode).toBe(code)
    }
    await devnet.stop()
  }
  for (const name of readdirSync(state))
    expect([name, statSync(join(state, name)).mode & 0o777]).toEqual([name, 0o600])
})

test.each([
  ['a byte of a state', 'l2.sqlite', 'l2.sqlite'],
  ['the deposit contract', 'devnet.json', 'devnet.json: config.depositContractAddress'],
])(
  'given a folder of version 1 in which %s was changed, when it is started, then it is refused by name and left',
  async (_, name, named) => {
    const state = newFolder()
    unpackVersion1(state)
    const file = join(state, name)
    const bytes = readFileSync(file)
    // Inside of a contract's code, which only its hash protects; the other is text.
    const at = name === 'l2.sqlite' ? bytes.indexOf(Buffer.from('6080604052', 'hex')) + 2_000 : 0
    if (at > 0) bytes[at]! ^= 1
    const contract = /("depositContractAddress": ")0x../
    writeFileSync(file, at > 0 ? bytes : String(bytes).replace(contract, '$10x00'))
    const before = readFileSync(file)
    await expect(start(state)).rejects.toMatchObject({
      code: 'STATE_DAMAGED',
      message: expect.stringContaining(named.replace(': ', ' is not what was written there: ')),
    })
    expect(readFileSync(file)).toEqual(before)
    expect(existsSync(join(state, 'rollbed-state.json'))).toBe(false)
  },
)

/** What `rollbed up` leaves in the same place after `kill -9`. */
const DESCRIPTION = JSON.stringify({ rpcUrl: 'http://127.0.0.1:8545', contracts: {}, accounts: [] })

test.each([
  ['was removed', undefined],
  ['was overwritten by a description', DESCRIPTION],
])(
  'given a folder of version 1 whose marker %s, when it is started, then what it said is found out from the databases',
  async (_, description) => {
    const state = newFolder()
    const seen = unpackVersion1(state)
    const marker = join(state, 'devnet.json')
    const { format: _format, version: _version, ...said } = JSON.parse(readFileSync(marker, 'utf8'))
    if (description) writeFileSync(marker, description)
    else rmSync(marker)
    const devnet = await start(state)
    const { rpcUrl, l1RpcUrl } = devnet.description
    expect(await hashesOf(rpcUrl, seen.l2.length)).toEqual(seen.l2)
    expect(await hashesOf(l1RpcUrl, seen.l1.length)).toEqual(seen.l1)
    await devnet.stop()
    expect(JSON.parse(readFileSync(join(state, 'rollbed-state.json'), 'utf8'))).toMatchObject(said)
  },
)

test.each([
  ['L1 was never dumped', 'l1', 'DELETE FROM dump', 'its L1 was never dumped'],
  ['L1 lacks a contract', 'l1', 'DELETE FROM block WHERE number = 2', 'transaction 11'],
  ['L2 has one block', 'l2', 'DELETE FROM block WHERE number > 0', 'no block time'],
])(
  'given a folder of version 1 whose marker is lost and cannot be found out, because %s, when it is started, then it is refused by name and left',
  async (_, name, change, why) => {
    const state = newFolder()
    unpackVersion1(state)
    writeFileSync(join(state, 'devnet.json'), DESCRIPTION)
    const sql = new DatabaseSync(join(state, `${name}.sqlite`))
    sql.exec(change)
    sql.close()
    const before = contentOf(state)
    await expect(start(state)).rejects.toMatchObject({
      code: 'STATE_DAMAGED',
      message: expect.stringMatching(new RegExp(`/devnet.json is not what .*${why}`)),
      hint: expect.stringContaining('from a copy'),
    })
    expect(contentOf(state)).toEqual(before)
  },
)
