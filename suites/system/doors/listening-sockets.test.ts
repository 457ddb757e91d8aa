import { readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { markdownTable } from '#suites/house/docs/markdown-table'
import { ROOT } from '#suites/house/docs/source-tree'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { knock, knocks, refusedBy, VICTIM } from './knock.ts'
import { isTakenByOthers, type ListeningSocket, listeningSockets } from './listening-sockets.ts'

/** Every socket on which a running `rollbed up` listens, whoever opened it, and who gets in there. */

let up: RollbedProcess
let description: DevnetDescription
let sockets: ListeningSocket[]
beforeAll(async () => {
  up = new RollbedProcess(['up', '--json', '--port-base', '0', '--plain-rpc'])
  description = await up.ready()
  sockets = listeningSockets([up.child.pid!, ...up.descendants()])
})
afterAll(() => up?.stop())

const LOOPBACK = /^(127(\.\d+){3}|(0{4}:){7}0001)$/
const OTHERS = 0o077

const addresses = () =>
  Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address))
const served = () => sockets.filter(({ kind, address }) => kind === 'tcp' && LOOPBACK.test(address))

/** As a name of the description, so that a door that nobody is told of has none. */
function nameOf({ kind, port, program, address }: ListeningSocket): string {
  if (kind !== 'unix') {
    const urls = Object.entries(description).filter(
      ([, url]) => typeof url === 'string' && URL.parse(url)?.port === String(port),
    )
    return urls.map(([name]) => `\`${name}\``).join(', ') || program
  }
  return address.split('/').at(-1)!
}

test('given a devnet, then each socket on which it listens is in the list of access.md, and no other', () => {
  const rows = sockets.map((socket) => {
    const { kind, address } = socket
    const name = nameOf(socket)
    if (kind === 'unix')
      return [name, 'UNIX socket in a folder of mode 0700', 'programs of this user']
    if (LOOPBACK.test(address))
      return [name, `${kind.toUpperCase()}, loopback`, 'programs and pages of this machine']
    return [name, `${kind.toUpperCase()}, ${address}`, 'nobody: no connection can be made to it']
  })
  const table = markdownTable(
    ['Socket', 'Where', 'Who gets in'],
    [...new Set(rows.map((row) => JSON.stringify(row)))].map((row) => JSON.parse(row)).toSorted(),
  )
  const page = readFileSync(join(ROOT, 'devnet/docs/access.md'), 'utf8')
  const [, listed] = /<!-- sockets -->\n\n([\s\S]*?)\n\n/.exec(page) ?? []
  expect(listed).toBe(table)
})

test('given a foreign page or name at each door, by each way, then it is refused, and nothing was written', async () => {
  const doors = served()
  expect(doors.length).toBeGreaterThanOrEqual(7)
  const letIn: string[] = []
  for (const { port, address } of doors) {
    for (const each of knocks(port!)) {
      const { status = 0, grants, text } = await knock(address, port!, each)
      const isRefused = [400, 403, 404, 405, 415].includes(status) && !text.includes('"result"')
      if (!isRefused || grants.length > 0)
        letIn.push(`${each.what} at ${nameOf({ kind: 'tcp', port } as ListeningSocket)}: ${status}`)
    }
  }
  expect(letIn).toEqual([])
  for (const url of [description.rpcUrl, description.l1RpcUrl])
    expect(await httpRpcClient(url).request('eth_getBalance', [VICTIM, 'latest'])).toBe('0x0')
})

test('given a TCP port that is not on loopback, then no address of this machine leads to it', async () => {
  const closed = sockets.filter(({ kind, address }) => kind !== 'unix' && !LOOPBACK.test(address))
  expect(closed.map(({ program }) => program)).toEqual(['anvil'])
  const pids = sockets.map(({ pid }) => pid)
  for (const { address, port } of closed)
    for (const host of [address, 'localhost', ...addresses()]) {
      // A test beside this one may have been given the same port of another address.
      if (host !== address && isTakenByOthers(port!, pids)) continue
      expect([host, await refusedBy(host, port!)]).toEqual([
        host,
        expect.stringMatching(/^E(CONNREFUSED|NETUNREACH|HOSTUNREACH|INVAL)$/),
      ])
    }
})

test('given a UNIX socket, then it is a file of this user that others cannot come near', () => {
  const files = sockets.filter(({ kind }) => kind === 'unix')
  expect(files.length).toBeGreaterThanOrEqual(2)
  for (const { pid, address } of files) {
    expect(address).toMatch(/^\//)
    // As the process sees it, which may have a file system of its own.
    const path = `/proc/${pid}/root${address}`
    const { mode, uid } = statSync(path)
    const folder = statSync(dirname(path))
    expect([address, uid, folder.uid]).toEqual([address, process.getuid!(), process.getuid!()])
    expect([address, folder.mode & OTHERS]).toEqual([address, 0])
    if (address.endsWith('anvil.sock')) expect(mode & 0o777).toBe(0o600)
  }
})
