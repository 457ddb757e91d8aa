import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRng } from '#protocol/random/rng'
import type { CodeRegistry } from './code-registry.ts'
import { openPostgresRegistry } from './open-postgres-registry.ts'
import { openPostgresSession } from './open-postgres-session.ts'
import { openRegistryAt } from './open-registry-at.ts'
import type { SqlSession } from './sql-session.ts'
import { startBuilderCodeApi } from './start-builder-code-api.ts'

const wallet = (index: number): `0x${string}` => `0x${index.toString(16).padStart(40, '0')}`

/** A database in which several registries can be opened. */
interface Database {
  open(seed: number): Promise<CodeRegistry>
  stop(): Promise<void>
}

async function sqlite(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  return {
    open: (seed) => openRegistryAt(join(folder, 'codes.sqlite'), seededRng(seed)),
    async stop() {
      rmSync(folder, { recursive: true })
    },
  }
}

/** PostgreSQL in this process. */
async function pglite(): Promise<Database> {
  const database = await PGlite.create()
  const session = async (): Promise<SqlSession> => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    return {
      ended,
      query: async (text, values = []) =>
        (await database.query<Record<string, unknown>>(text, [...values])).rows,
      async listen(channel, hear) {
        await database.listen(channel, hear)
      },
      close: async () => end(),
    }
  }
  return {
    open: (seed) => openPostgresRegistry(session, seededRng(seed)),
    stop: () => database.close(),
  }
}

const DEBIAN = ['/usr/local/bin', '/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/17/bin'].find(
  (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
)
const NOBODY = 65_534

/** A server of its own, on a socket in a folder of its own; it refuses to run as root. */
async function postgres(): Promise<Database & { url: string; restart(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const flags = ['-A', 'trust', '-U', 'rollbed', '--no-sync', '-D', data]
  execFileSync(join(DEBIAN!, 'initdb'), flags, { stdio: 'ignore', cwd: folder, ...user })
  let server: ChildProcess | undefined
  const start = async () => {
    const settings = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off']
    const child = spawn(join(DEBIAN!, 'postgres'), settings, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
      ...user,
    })
    server = child
    for await (const line of child.stderr) {
      if (String(line).includes('ready to accept connections')) break
    }
  }
  const stop = async () => {
    const exited = once(server!, 'exit')
    // Fast shutdown: connections are cut.
    server!.kill('SIGINT')
    await exited
  }
  await start()
  const url = `postgres://rollbed@localhost/postgres?host=${encodeURIComponent(folder)}`
  return {
    url,
    open: (seed) => openRegistryAt(url, seededRng(seed)),
    async restart() {
      await stop()
      await start()
    },
    async stop() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const databases: [string, () => Promise<Database>][] = [
  ['SQLite', sqlite],
  ['PostgreSQL in this process', pglite],
  ...(DEBIAN ? ([['a PostgreSQL server', postgres]] as [string, () => Promise<Database>][]) : []),
]

describe.each(databases)('given %s', (_name, make) => {
  let database: Database
  beforeAll(async () => {
    database = await make()
  })
  afterAll(() => database?.stop())

  test('when a wallet registers in two letter cases, then its code is one (BC-10)', async () => {
    const registry = await database.open(1)
    const first = await registry.register(wallet(0xabcdef))
    expect(first).toMatchObject({ created: true })
    expect(first.builderCode).toMatch(/^bc_[a-z0-9]{8}$/)
    const again = await registry.register(wallet(0xabcdef).replace('abc', 'ABC') as `0x${string}`)
    expect(again).toEqual({ ...first, created: false })
    expect(registry.walletOf(first.builderCode)?.toLowerCase()).toBe(wallet(0xabcdef))
    expect(registry.walletOf('bc_nobody00')).toBeUndefined()
    await registry.close()
  })

  test('when two services register the same wallets at once, then each has one code (BC-11, BC-13)', async () => {
    const registries = [await database.open(2), await database.open(3)]
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        registries[index % 2]!.register(wallet(100 + Math.floor(index / 4))),
      ),
    )
    const codes = new Map(answers.map((each) => [each.walletAddress, each.builderCode]))
    expect(new Set(codes.values()).size).toBe(10)
    for (const { walletAddress, builderCode } of answers) {
      expect(codes.get(walletAddress)).toBe(builderCode)
    }
    expect(answers.filter(({ created }) => created)).toHaveLength(10)
    for (const registry of registries) await registry.close()
  })

  test('when a code is drawn twice, then two wallets still do not share it (BC-13)', async () => {
    const [one, other] = [await database.open(4), await database.open(4)]
    const first = await one.register(wallet(200))
    const second = await other.register(wallet(201))
    expect(second.builderCode).not.toBe(first.builderCode)
    await one.close()
    await other.close()
  })

  test('when the service starts again, then the codes are there (BC-12)', async () => {
    const before = await database.open(5)
    const { builderCode } = await before.register(wallet(300))
    await before.close()
    const after = await database.open(6)
    expect(after.walletOf(builderCode)?.toLowerCase()).toBe(wallet(300))
    expect(await after.register(wallet(300))).toMatchObject({ builderCode, created: false })
    await after.close()
  })

  test('when the API registers, then it answers 201 and then 200', async () => {
    const registry = await database.open(7)
    const api = await startBuilderCodeApi({ registry, host: '127.0.0.1', port: 0 })
    const register = () =>
      fetch(`${api.url}/v1/agents/builder-codes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: wallet(400) }),
      })
    const [first, second] = [await register(), await register()]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(await first.json()).toEqual(await second.json())
    await api.stop()
    await registry.close()
  })
})

test('given a server that lets in and then refuses, when it is asked again, then no connection is left open', async () => {
  let isOpen = 0
  let refusal: Error | undefined
  const open = async (): Promise<SqlSession> => {
    isOpen += 1
    return {
      ended: new Promise(() => {}),
      async query() {
        if (refusal) throw refusal
        return []
      },
      async listen() {},
      async close() {
        isOpen -= 1
      },
    }
  }
  refusal = new Error('cannot execute in a read-only transaction')
  await expect(openPostgresRegistry(open, seededRng(1))).rejects.toThrow('read-only')
  expect(isOpen).toBe(0)
  refusal = undefined
  const registry = await openPostgresRegistry(open, seededRng(1))
  expect(isOpen).toBe(1)
  await registry.close()
  expect(isOpen).toBe(0)
})

describe.skipIf(!DEBIAN)('given a PostgreSQL server', () => {
  let database: Awaited<ReturnType<typeof postgres>>
  beforeAll(async () => {
    database = await postgres()
  })
  afterAll(() => database?.stop())

  test('when another service registers, then its code is known here too', async () => {
    const [here, there] = [await database.open(8), await database.open(9)]
    const listener = await openPostgresSession(database.url)
    let hear = (_payload: string) => {}
    const heard = new Promise((resolve) => {
      hear = resolve
    })
    await listener.listen('rollbed_registration', (payload) => hear(payload))
    const { builderCode } = await there.register(wallet(500))
    await heard
    // The same notification, to another connection: ask until it is there, by way of the server.
    while (!here.walletOf(builderCode)) await listener.query('SELECT 1')
    expect(here.walletOf(builderCode)?.toLowerCase()).toBe(wallet(500))
    await listener.close()
    await here.close()
    await there.close()
  })

  test('when the server restarts, then the registry connects again and has lost nothing', async () => {
    const registry = await database.open(10)
    const { builderCode } = await registry.register(wallet(600))
    await database.restart()
    expect(registry.walletOf(builderCode)?.toLowerCase()).toBe(wallet(600))
    expect(await registry.register(wallet(600))).toMatchObject({ builderCode, created: false })
    expect(await registry.register(wallet(601))).toMatchObject({ created: true })
    await registry.close()
  })

  test('when nobody answers there, then the error says so, without the password', async () => {
    const refused = openRegistryAt('postgres://me:secret@127.0.0.1:9/codes', seededRng(1))
    await expect(refused).rejects.toMatchObject({
      code: 'BUILDER_CODE_DB_UNREACHABLE',
      message: expect.not.stringContaining('secret'),
    })
  })
})

test.each([
  [
    'of which one bit is another',
    (bytes: Buffer) => bytes.writeUInt8(0x62, bytes.indexOf('code   TEXT')),
  ],
  ['that is none of SQLite', (bytes: Buffer) => bytes.write('no database at all')],
])('given a file %s, when it is opened, then it is refused by name', async (_, spoil) => {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  try {
    const path = join(folder, 'codes.sqlite')
    await (await openRegistryAt(path, seededRng(1))).close()
    const bytes = readFileSync(path)
    spoil(bytes)
    writeFileSync(path, bytes)
    await expect(openRegistryAt(path, seededRng(1))).rejects.toMatchObject({
      code: expect.stringMatching(/^STATE_/),
      message: expect.stringContaining(path),
      hint: expect.stringContaining('--builder-code-db'),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
