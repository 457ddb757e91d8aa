import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { describesRunning, keepDevnetFile, writeDevnetFile } from './devnet-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('given a description, then it is of a running devnet while that one answers', async () => {
  const file = join(folder, 'devnet.json')
  expect(await describesRunning(file)).toBe(false)
  const server = createJsonRpcServer({
    methods: { eth_chainId: () => '0x1' },
    clock: systemClock,
  })
  const port = await server.listen({ port: 0 })
  writeDevnetFile(file, { rpcUrl: `http://127.0.0.1:${port}` } as DevnetDescription)
  expect(await describesRunning(file)).toBe(true)
  // What a devnet that is gone had described at the ports of this one.
  expect(await describesRunning(file, `http://127.0.0.1:${port}`)).toBe(false)
  await server.close()
  expect(await describesRunning(file)).toBe(false)
})

test('given a pipe to write to, then its reader gets the description, and it is still a pipe at the end', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const reader = spawn('cat', [pipe])
  const read = once(reader.stdout, 'data')
  const description = { rpcUrl: 'http://127.0.0.1:1' } as DevnetDescription
  const forget = keepDevnetFile(pipe, { description, workDir: folder, onChange: () => () => {} })
  expect(JSON.parse(String((await read)[0]))).toEqual(description)
  forget()
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

test('given a server that never answers, then after ten seconds the file describes nothing', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const file = join(folder, 'devnet.json')
  writeDevnetFile(file, { rpcUrl: `http://127.0.0.1:${port}` } as DevnetDescription)
  const clock = new VirtualClock(0)
  const asked = describesRunning(file, undefined, clock)
  const [socket] = (await once(server, 'connection')) as [Socket]
  await clock.advance(10_000)
  expect(await asked).toBe(false)
  socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('given a process that exits without a stop, then the file is gone with it', () => {
  const file = join(folder, 'devnet.json')
  const program = `
    import { existsSync } from 'node:fs'
    import { keepDevnetFile } from './devnet-file.ts'
    const description = { rpcUrl: 'http://127.0.0.1:1' }
    keepDevnetFile(${JSON.stringify(file)}, { description, workDir: ${JSON.stringify(folder)}, onChange: () => () => {} })
    process.exit(existsSync(${JSON.stringify(file)}) ? 130 : 1)
  `
  const { status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', program],
    { cwd: import.meta.dirname },
  )
  expect(status).toBe(130)
  expect(existsSync(file)).toBe(false)
})
